"""Login at the identity provider in the browser: the authorization code flow with PKCE (OpenID Connect Core §3.1,
RFC 7636), for a server that is a public client or a confidential one.

What is known only to the browser that began (state, nonce, verifier) is sealed in a cookie of its own, so that the
server keeps nothing, and any server with the same key can finish what another began.
"""

import hashlib
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from urllib.parse import quote, urlencode

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer, is_sealed
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.server.access.browser_login import LOGIN_S
from openplaybook.server.access.oidc import TokenVerifier
from openplaybook.server.access.provider_keys import KeysUnavailable, discovered
from openplaybook.server.access.refusals import denied, invalid_token
from openplaybook.wire.errors import Code, RpcError

_PLACE = "console login"
_LIMITS = HttpLimits(connect_s=5, read_s=10, total_s=15, max_bytes=1_000_000)
_HOME = "/console/"
_LONGEST_TARGET = 1000


@dataclass(frozen=True, slots=True)
class LoginClient:
    """What the server is to its identity provider."""

    issuer: str
    client_id: str
    client_secret: str
    """Empty: a public client, whose requests PKCE alone protects."""
    scopes: str


@dataclass(frozen=True, slots=True)
class _Begun:
    """A login under way, as its cookie carries it."""

    until: int
    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    target: str


@dataclass(frozen=True, slots=True)
class LoginTokens:
    """What the provider gives for a login, or later for its refresh token."""

    token: str = field(repr=False)
    """To be let in with."""
    refresh_token: str = field(repr=False)
    """Empty: the provider gave none. After a renewal that is the one before, unless there is another."""


class CodeLogin:
    """Begins logins, finishes them with a token that the server accepts, and renews it (RFC 6749 §6)."""

    def __init__(
        self,
        client: LoginClient,
        tokens: TokenVerifier,
        sealer: Sealer,
        transport: Transport,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`tokens` says what a token must be to be let in with; `transport` leads to the provider."""
        self._client = client
        self._tokens = tokens
        self._sealer = sealer
        self._transport = transport
        self._clock = clock

    async def begin(self, redirect_uri: str, target: str) -> tuple[str, str]:
        """Where the browser goes to log in, and the value of its cookie. `target` is where it ends: a path of the
        console, else the console's start.

        Raises `RpcError`: UNAVAILABLE while the provider cannot be reached.
        """
        begun = _Begun(
            until=int(self._clock()) + LOGIN_S,
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            redirect_uri=redirect_uri,
            target=target if _is_of_console(target) else _HOME,
        )
        endpoint = await self._endpoint("authorization_endpoint")
        asked = urlencode(
            {
                "response_type": "code",
                "client_id": self._client.client_id,
                "redirect_uri": redirect_uri,
                "scope": self._client.scopes,
                "state": begun.state,
                "nonce": begun.nonce,
                "code_challenge": _challenge(begun.verifier),
                "code_challenge_method": "S256",
            }
        )
        cookie = self._sealer.seal(dumps(asdict(begun)).decode(), _PLACE)
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{asked}", cookie

    async def finish(self, answer: Mapping[str, str], cookie: str) -> tuple[LoginTokens, str]:
        """The tokens of the login, and where the browser ends; `answer` is the query that the provider sent.

        Raises `RpcError`: PERMISSION_DENIED for an answer to no login of this browser, or where the provider refuses;
        UNAUTHENTICATED for tokens that are not accepted; UNAVAILABLE while the provider cannot be reached.
        """
        begun = self._begun(cookie)
        if begun is None or not secrets.compare_digest(answer.get("state", "").encode(), begun.state.encode()):
            raise denied("This login was not begun in this browser, or more than ten minutes ago; begin it again.")
        if answer.get("iss", self._client.issuer).rstrip("/") != self._client.issuer:
            raise denied("The answer comes from another identity provider.")
        if "error" in answer:
            raise denied(f"The identity provider refuses the login: {_plain(answer['error'])}.")
        if not (code := answer.get("code", "")):
            raise denied("The identity provider sent no code.")
        tokens = await self._exchanged(code, begun)
        await self._check_identity(str(tokens.get("id_token", "")), begun)
        return LoginTokens(self._usable(tokens), str(tokens.get("refresh_token") or "")), begun.target

    async def renew(self, refresh_token: str) -> LoginTokens:
        """New tokens for a refresh token.

        Raises `RpcError`: PERMISSION_DENIED where the provider refuses, UNAUTHENTICATED for an ID token that is not for
        this client, UNAVAILABLE while the provider cannot be reached.
        """
        told = await self._asked("token_endpoint", {"grant_type": "refresh_token", "refresh_token": refresh_token})
        if told.get("id_token"):
            await self._tokens.claims(str(told["id_token"]), self._client.client_id)
        return LoginTokens(self._usable(told), str(told.get("refresh_token") or refresh_token))

    async def revoke(self, refresh_token: str) -> None:
        """Let the provider forget a refresh token (RFC 7009), where it can.

        Raises `RpcError`: UNAVAILABLE while the provider cannot be reached, PERMISSION_DENIED where it refuses.
        """
        if not (await self._document()).get("revocation_endpoint"):
            return
        form = {"token": refresh_token, "token_type_hint": "refresh_token"}
        await self._sent("revocation_endpoint", form)

    def _begun(self, cookie: str) -> _Begun | None:
        if not is_sealed(cookie):
            return None
        try:
            begun = _Begun(**as_object(loads(self._sealer.unseal(cookie, _PLACE))))
        except SealedValueUnreadable:
            return None
        return begun if begun.until > self._clock() else None

    async def _document(self) -> JsonObject:
        try:
            return await discovered(self._client.issuer, self._transport)
        except (EgressError, KeysUnavailable) as error:
            raise _away() from error

    async def _endpoint(self, name: str) -> str:
        place = str((await self._document()).get(name, ""))
        if not place.startswith("https://") and (self._client.issuer.startswith("https://") or "://" not in place):
            raise RpcError(Code.UNAVAILABLE, f"The identity provider names no {name} with https://.")
        return place

    async def _exchanged(self, code: str, begun: _Begun) -> JsonObject:
        """The tokens for a code (RFC 6749 §4.1.3)."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": begun.redirect_uri}
        return await self._asked("token_endpoint", form | {"code_verifier": begun.verifier})

    async def _asked(self, endpoint: str, form: Mapping[str, str]) -> JsonObject:
        """The tokens that the provider gives for a form."""
        response = await self._sent(endpoint, form)
        try:
            told = as_object(loads(response.body))
        except ValueError as error:
            raise RpcError(Code.UNAVAILABLE, "The identity provider's response is not a JSON object.") from error
        return told

    async def _sent(self, endpoint: str, form: Mapping[str, str]) -> HttpResponse:
        """The response to a form that says who we are. Raises `RpcError` for any but a good one."""
        client, secret = self._client.client_id, self._client.client_secret
        headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
        if secret:
            pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
            headers.append(("Authorization", f"Basic {_base64(pair.encode())}"))
        body = urlencode({**form, **({} if secret else {"client_id": client})}).encode()
        place = await self._endpoint(endpoint)
        request = HttpRequest("POST", place, tuple(headers), body, follows_redirects=False)
        try:
            response = await self._transport.send(request, _LIMITS)
        except EgressError as error:
            raise _away() from error
        if response.status != 200:
            raise denied(f"The identity provider gives no token: {_plain(_error_in(response))}.")
        return response

    async def _check_identity(self, token: str, begun: _Begun) -> None:
        """The ID token is for this client and this login (OpenID Connect Core §3.1.3.7)."""
        claims = await self._tokens.claims(token, self._client.client_id)
        if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), begun.nonce.encode()):
            raise invalid_token("it belongs to another login")
        if claims.get("azp", self._client.client_id) != self._client.client_id:
            raise invalid_token("it is for another client")

    def _usable(self, tokens: JsonObject) -> str:
        """What the server accepts as a bearer token: the ID token where the client is the audience, else the other."""
        is_audience = self._client.client_id == self._tokens.audience
        return str(tokens.get("id_token" if is_audience else "access_token", ""))


def _challenge(verifier: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _base64(data: bytes) -> str:
    # RFC 7617 has the usual alphabet, not that of URLs.
    return urlsafe_b64encode(data).decode().replace("-", "+").replace("_", "/")


def _is_of_console(path: str) -> bool:
    """A path of ours, and no address that a browser reads as another host's."""
    return path.startswith(_HOME) and path.isprintable() and "\\" not in path and len(path) <= _LONGEST_TARGET


def _error_in(response: HttpResponse) -> str:
    """The error that a response names (RFC 6749 §5.2), else its status."""
    try:
        return str(as_object(loads(response.body)).get("error", response.status))
    except ValueError:
        return str(response.status)


def _plain(text: str) -> str:
    """An error code of the provider (RFC 6749 §4.1.2.1), as far as it can be shown."""
    return "".join(each for each in text[:100] if each.isalnum() or each in "_-. ")


def _away() -> RpcError:
    return RpcError(Code.UNAVAILABLE, "The identity provider cannot be reached; try again.")
