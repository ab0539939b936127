"""An OpenID Connect provider where everybody who comes is already logged in: it sends codes, and tokens for them."""

import hashlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.kit.http_peer import Received, answer, http_peer
from tests.kit.identity_provider import AUDIENCE, IdentityProvider

CLIENT = "console"
SECRET = "s3cret/of the console"
CODE = "a-code"


@dataclass
class LoginProvider(IdentityProvider):
    """It has one client, `CLIENT`, whose access tokens are for `AUDIENCE`."""

    secret: str = ""
    """Of a confidential client; empty: it is public."""
    asked_for: dict[str, str] = field(default_factory=dict[str, str])
    """What the last login asked for."""
    identity: JsonObject = field(default_factory=dict[str, object])
    """Claims of the next ID token that differ from the right ones."""
    role: str = "editor"
    refuses: str = ""
    """The error that it sends in place of a code."""
    refresh_token: str = ""
    """The one that is good now, each for once; empty: it gives none."""
    revoked: list[str] = field(default_factory=list[str])

    def reply(self, received: Received) -> bytes:
        """The answer to a request."""
        target = urlsplit(received.target)
        if target.path == "/authorize":
            return self._sent_back({name: values[0] for name, values in parse_qs(target.query).items()})
        if target.path == "/token":
            return self._tokens(received)
        if target.path == "/revoke":
            form = {name: values[0] for name, values in parse_qs(received.body.decode()).items()}
            self.revoked.append(form["token"] if self._is_client(received.header("authorization") or "", form) else "")
            return answer(b"")
        told = super().reply(received)
        if target.path != "/.well-known/openid-configuration" or self.is_away:
            return told
        places: JsonObject = {
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "revocation_endpoint": f"{self.issuer}/revoke",
        }
        document = loads(told.partition(b"\r\n\r\n")[2])
        assert isinstance(document, dict)
        return answer(dumps({**document, **places}))

    def _sent_back(self, asked: dict[str, str]) -> bytes:
        self.asked_for = asked
        result = {"error": self.refuses} if self.refuses else {"code": CODE}
        location = f"{asked['redirect_uri']}?{urlencode({**result, 'state': asked['state'], 'iss': self.issuer})}"
        return answer(b"", "302 Found", Location=location)

    def _tokens(self, received: Received) -> bytes:
        form = {name: values[0] for name, values in parse_qs(received.body.decode()).items()}
        if form["grant_type"] == "refresh_token":
            return self._renewed(received, form)
        challenge = urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        asked = self.asked_for
        expected = {"grant_type": "authorization_code", "code": CODE, "redirect_uri": asked["redirect_uri"]}
        is_right = challenge == asked["code_challenge"] and form.items() >= expected.items()
        if not is_right or not self._is_client(received.header("authorization") or "", form):
            return answer(dumps({"error": "invalid_grant"}), "400 Bad Request")
        claims: JsonObject = {"aud": CLIENT, "nonce": asked["nonce"], **self.identity}
        tokens = {"id_token": self.token(**claims), "access_token": self.token(aud=AUDIENCE, roles=self.role)}
        return self._given(tokens)

    def _renewed(self, received: Received, form: dict[str, str]) -> bytes:
        is_right = bool(self.refresh_token) and form["refresh_token"] == self.refresh_token
        if not is_right or not self._is_client(received.header("authorization") or "", form):
            return answer(dumps({"error": "invalid_grant"}), "400 Bad Request")
        self.refresh_token += "+"
        claims: JsonObject = {"aud": CLIENT, **self.identity}
        access = self.token(sub=self.identity.get("sub", "ann"), aud=AUDIENCE, roles=self.role)
        return self._given({"id_token": self.token(**claims), "access_token": access})

    def _given(self, tokens: JsonObject) -> bytes:
        refresh: JsonObject = {"refresh_token": self.refresh_token} if self.refresh_token else {}
        return answer(dumps({**tokens, **refresh, "token_type": "Bearer"}))

    def _is_client(self, authorization: str, form: dict[str, str]) -> bool:
        if not self.secret:
            return not authorization and form.get("client_id") == CLIENT
        name, _, secret = b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        return (unquote(name), unquote(secret), form.get("client_id")) == (CLIENT, self.secret, None)


@asynccontextmanager
async def login_provider(secret: str = "") -> AsyncGenerator[LoginProvider]:
    """A provider with one RSA key, `one`; its client has that secret."""
    provider = LoginProvider(secret=secret)
    async with http_peer(provider.reply) as peer:
        provider.peer = peer
        provider.new_key("one")
        yield provider
