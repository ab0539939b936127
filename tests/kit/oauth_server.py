"""A token endpoint that checks what reaches it, by RFC 6749 §2.3.1, §3.2 and §4.4."""

import asyncio
from base64 import b64decode
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote_plus

from openplaybook.jsonvalues import JsonObject, dumps
from tests.kit.http_peer import Received, answer


@dataclass
class OAuthServer:
    """Give `reply` to `http_peer`. Its tokens are good for `admits` until they are revoked."""

    client_id: str = "the client"
    secret: str = "s3cret/&ü"
    methods: tuple[str, ...] = ("basic", "post")
    scopes: frozenset[str] = frozenset({"read", "write"})
    grant: JsonObject = field(default_factory=lambda: {"token_type": "Bearer", "expires_in": 3600})
    """What the answer holds besides the token."""
    requests: list[str] = field(default_factory=list[str])
    """How the client was named in each request: `basic` or `post`."""
    tokens: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Valid tokens and their scopes."""
    pause: asyncio.Event | None = None
    """Answers wait for it."""

    async def reply(self, received: Received) -> bytes:
        """The answer to a token request."""
        if self.pause is not None:
            await self.pause.wait()
        refusal = self._refusal(received)
        if refusal:
            error, description = refusal
            status = "401 Unauthorized" if error == "invalid_client" else "400 Bad Request"
            return answer(dumps({"error": error, "error_description": description}), status)
        token = f"access-token-{len(self.requests)}"
        self.tokens[token] = frozenset(_form(received).get("scope", "").split())
        return answer(dumps({"access_token": token, **self.grant}), Cache_Control="no-store")

    def admits(self, received: Received) -> bool:
        """Whether an API may let a request in."""
        scheme, _, token = (received.header("Authorization") or "").partition(" ")
        return scheme == "Bearer" and token in self.tokens

    def _refusal(self, received: Received) -> tuple[str, str] | None:
        form = _form(received)
        assert received.method == "POST"
        assert received.header("Content-Type") == "application/x-www-form-urlencoded"
        assert not ("client_secret" in form and received.header("Authorization")), "§2.3: not more than one method"
        method, named = self._client(received, form)
        self.requests.append(method)
        if method not in self.methods or named != (self.client_id, self.secret):
            return "invalid_client", f"no such client, or it may not use {method}"
        if form.get("grant_type") != "client_credentials":
            return "unsupported_grant_type", "only client_credentials"
        if not set(form.get("scope", "").split()) <= self.scopes:
            return "invalid_scope", f"allowed are {' '.join(sorted(self.scopes))}"
        return None

    def _client(self, received: Received, form: dict[str, str]) -> tuple[str, tuple[str, str]]:
        header = received.header("Authorization")
        if header is None:
            return "post", (form.get("client_id", ""), form.get("client_secret", ""))
        scheme, _, encoded = header.partition(" ")
        assert scheme == "Basic"
        name, _, secret = b64decode(encoded, validate=True).decode("ascii").partition(":")
        return "basic", (unquote_plus(name), unquote_plus(secret))


def _form(received: Received) -> dict[str, str]:
    return dict(parse_qsl(received.body.decode("ascii"), strict_parsing=True))
