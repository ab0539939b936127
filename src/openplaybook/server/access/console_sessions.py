"""Who is logged in to the console: a key or token in a cookie that scripts cannot read and only this server opens.

The cookie lets nobody in by itself, so that no other page can use it (RFC 6265 §8.2, "cross-site request forgery"): a
request counts only with `Sec-Fetch-Site: same-origin`, which pages cannot set, and with the header that the console
sends and forms cannot. The key in it is verified with each request, so that a key that is taken back ends its sessions.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer, is_sealed
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.server.access.browser_login import LOGIN_S, NO_LOGIN, login_failure
from openplaybook.server.access.principals import Principal
from openplaybook.wire.errors import Code, RpcError, http_status

if TYPE_CHECKING:
    from openplaybook.server.access.code_login import CodeLogin

PATH = "/console/session"
MARK = "x-openplaybook-console"
"""The header of every request of the console."""
LIFETIME_S = 12 * 3600
MAX_BODY_BYTES = 16 * 1024
"""Longer than any token that an identity provider gives out."""

_LOGIN, _CALLBACK, _REFRESH = "/login", "/callback", "/refresh"
"""Below `PATH`: where a login at the identity provider begins, where it sends the browser back, and where a token that
ends is renewed."""
_LOGIN_COOKIE = "openplaybook-login"
_UNSTORED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_LONGEST_COOKIE = 4000
"""Browsers drop longer ones without a message (RFC 6265 §6.1)."""

_PLACE = "console session"
_COOKIE = "openplaybook"
_SECURE_COOKIE = "__Host-openplaybook"
"""Over TLS; browsers take this name only with `Secure` and without `Domain` (RFC 6265bis §4.1.3)."""

_REFRESH_PLACE = "console refresh"
_REFRESH_COOKIE = "openplaybook-refresh"
_SECURE_REFRESH_COOKIE = "__Secure-openplaybook-refresh"
_LOG = logging.getLogger("openplaybook.access")

Verify = Callable[[Mapping[str, str]], Awaitable[Principal]]
"""Who sends these headers; raises `RpcError` for nobody."""


@dataclass(frozen=True, slots=True)
class _Renewal:
    """What renews the token of a login, as its cookie carries it."""

    until: int
    """When the session ends, however often its token was renewed."""
    name: str
    """Who logged in."""
    token: str = field(repr=False)


class ConsoleSessions:
    """An ASGI app for `PATH`, and what reads its cookies."""

    def __init__(
        self,
        sealer: Sealer,
        verify: Verify,
        clock: Callable[[], float] = time.time,
        *,
        login: "CodeLogin | None" = None,
        public_url: str = "",
    ) -> None:
        """`login` logs in at an identity provider, which sends the browser back to `public_url` (empty: to the address
        that it came to)."""
        self._sealer = sealer
        self._verify = verify
        self._clock = clock
        self._login = login
        self._public_url = public_url.rstrip("/")

    def with_key(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """The headers of a request, names in lower case; where it is the console's own, with the key of its cookie."""
        if headers.get("authorization") or not _is_own(headers):
            return headers
        key = self._key_in(headers.get("cookie", ""))
        return {**headers, "authorization": f"Bearer {key}"} if key else headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log in (POST `{key}`) or out (DELETE), or say how to (GET); below it, log in at the identity provider."""
        request = Request(scope, receive)
        path = scope["path"].removeprefix(PATH)
        respond = {"": self._response, _LOGIN: self._begin, _CALLBACK: self._finish, _REFRESH: self._refresh}.get(path)
        response = Response(status_code=404) if respond is None else await respond(request)
        await response(scope, receive, send)

    async def _begin(self, request: Request) -> Response:
        """Send the browser to the identity provider."""
        if self._login is None:
            return login_failure(NO_LOGIN)
        try:
            url, cookie = await self._login.begin(self._callback(request), request.query_params.get("then", ""))
        except RpcError as error:
            return login_failure(error)
        response = RedirectResponse(url, status_code=303, headers=_UNSTORED)
        self._set_login(response, cookie, is_secure=request.url.scheme == "https")
        return response

    async def _finish(self, request: Request) -> Response:
        """Let in whom the identity provider sends back."""
        if self._login is None:
            return login_failure(NO_LOGIN)
        is_secure = request.url.scheme == "https"
        try:
            tokens, target = await self._login.finish(request.query_params, request.cookies.get(_LOGIN_COOKIE, ""))
            principal = await self._verify({"authorization": f"Bearer {tokens.token}"})
            response: Response = RedirectResponse(target, status_code=303, headers=_UNSTORED)
            until = int(self._clock()) + LIFETIME_S
            self._keep(response, tokens.token, until, is_secure=is_secure)
            renewal = _Renewal(until, principal.name, tokens.refresh_token) if tokens.refresh_token else None
            self._keep_renewal(response, renewal, is_secure=is_secure)
        except RpcError as error:
            response = login_failure(error)
        self._set_login(response, "", is_secure=is_secure)
        return response

    async def _refresh(self, request: Request) -> Response:
        """Give the browser a new token for one that has ended, or ends soon: while the session lasts, as often as the
        provider does."""
        if request.method != "POST":
            return Response(status_code=405, headers={"Allow": "POST"})
        if not _is_own(request.headers):
            return _refused(RpcError(Code.PERMISSION_DENIED, "Only the console's own page may log in here."))
        renewal, is_secure = self._renewal_in(request), request.url.scheme == "https"
        if self._login is None or renewal is None:
            return _refused(RpcError(Code.UNAUTHENTICATED, "The session has ended; log in again."))
        try:
            tokens = await self._login.renew(renewal.token)
            principal = await self._verify({"authorization": f"Bearer {tokens.token}"})
            if principal.name != renewal.name:
                # OpenID Connect Core §12.2.
                raise RpcError(Code.UNAUTHENTICATED, "The new token is somebody else's; log in again.")
            response = JSONResponse({"name": principal.name, "role": principal.role.value}, headers=_UNSTORED)
            self._keep(response, tokens.token, renewal.until, is_secure=is_secure)
            self._keep_renewal(response, replace(renewal, token=tokens.refresh_token), is_secure=is_secure)
        except RpcError as error:
            if error.code == Code.UNAVAILABLE:
                return _refused(error)
            # The provider has taken the login back: what is left of it goes.
            response = _refused(RpcError(Code.UNAUTHENTICATED, f"The session has ended: {error.message}"))
            self._keep_renewal(response, None, is_secure=is_secure)
        return response

    async def _log_out(self, request: Request) -> Response:
        """Forget the login here and at the provider; where that cannot be asked, its token ends by itself."""
        renewal, is_secure = self._renewal_in(request), request.url.scheme == "https"
        if self._login is not None and renewal is not None:
            try:
                await self._login.revoke(renewal.token)
            except RpcError as error:
                _LOG.warning("the refresh token of a console session is not revoked: %s", error.message)
        response = Response(status_code=204)
        self._set(response, "", LIFETIME_S, is_secure=is_secure)
        self._keep_renewal(response, None, is_secure=is_secure)
        return response

    def _callback(self, request: Request) -> str:
        return f"{self._public_url or str(request.base_url).rstrip('/')}{PATH}{_CALLBACK}"

    async def _response(self, request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse({"codeLogin": self._login is not None}, headers=_UNSTORED)
        if not _is_own(request.headers):
            return _refused(RpcError(Code.PERMISSION_DENIED, "Only the console's own page may log in here."))
        if request.method == "DELETE":
            return await self._log_out(request)
        if request.method != "POST":
            return Response(status_code=405, headers={"Allow": "GET, POST, DELETE"})
        try:
            key = await _key_of(request)
            principal = await self._verify({"authorization": f"Bearer {key}"})
            response = JSONResponse({"name": principal.name, "role": principal.role.value})
            is_secure = request.url.scheme == "https"
            self._keep(response, key, int(self._clock()) + LIFETIME_S, is_secure=is_secure)
            self._keep_renewal(response, None, is_secure=is_secure)
        except RpcError as error:
            return _refused(error)
        return response

    def _keep(self, response: Response, key: str, until: int, *, is_secure: bool) -> None:
        value = self._sealer.seal(f"{until} {key}", _PLACE)
        if len(value) > _LONGEST_COOKIE:
            raise RpcError(Code.INVALID_ARGUMENT, f"A token of {len(key)} characters is too long for a cookie.")
        self._set(response, value, until - int(self._clock()), is_secure=is_secure)

    def _keep_renewal(self, response: Response, renewal: _Renewal | None, *, is_secure: bool) -> None:
        """Set the cookie that renews the session, or take it away. Without it, the session ends with its token."""
        value = "" if renewal is None else self._sealer.seal(dumps(asdict(renewal)).decode(), _REFRESH_PLACE)
        if len(value) > _LONGEST_COOKIE:
            _LOG.warning(
                "the identity provider's refresh token is too long for a cookie: sessions end with their tokens"
            )
            value = ""
        response.set_cookie(
            _SECURE_REFRESH_COOKIE if is_secure else _REFRESH_COOKIE,
            value,
            max_age=renewal.until - int(self._clock()) if renewal is not None and value else 0,
            path=PATH,
            secure=is_secure,
            httponly=True,
            samesite="strict",
        )

    def _renewal_in(self, request: Request) -> _Renewal | None:
        """What a request's cookie has, if it is ours and its session lasts."""
        value = request.cookies.get(_SECURE_REFRESH_COOKIE) or request.cookies.get(_REFRESH_COOKIE, "")
        if not is_sealed(value):
            return None
        try:
            renewal = _Renewal(**as_object(loads(self._sealer.unseal(value, _REFRESH_PLACE))))
        except SealedValueUnreadable:
            return None
        return renewal if renewal.until > self._clock() else None

    def _key_in(self, cookies: str) -> str:
        """The key of a cookie that is ours and still good; empty where there is none."""
        try:
            jar = SimpleCookie(cookies)
        except CookieError:
            return ""
        found = jar.get(_SECURE_COOKIE) or jar.get(_COOKIE)
        if found is None or not is_sealed(found.value):
            return ""
        try:
            until, _, key = self._sealer.unseal(found.value, _PLACE).partition(" ")
        except SealedValueUnreadable:
            return ""
        return key if int(until) > self._clock() else ""

    def _set(self, response: Response, value: str, seconds: int, *, is_secure: bool) -> None:
        response.set_cookie(
            _SECURE_COOKIE if is_secure else _COOKIE,
            value,
            max_age=seconds if value else 0,
            path="/",
            secure=is_secure,
            httponly=True,
            samesite="strict",
        )

    def _set_login(self, response: Response, value: str, *, is_secure: bool) -> None:
        # Lax: the provider's page leads back here, and a strict cookie would stay behind.
        response.set_cookie(
            _LOGIN_COOKIE,
            value,
            max_age=LOGIN_S if value else 0,
            path=PATH,
            secure=is_secure,
            httponly=True,
            samesite="lax",
        )


def _is_own(headers: Mapping[str, str]) -> bool:
    return headers.get("sec-fetch-site") == "same-origin" and headers.get(MARK) == "1"


async def _key_of(request: Request) -> str:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY_BYTES:
            raise RpcError(Code.INVALID_ARGUMENT, f"A key has at most {MAX_BODY_BYTES} bytes.")
    try:
        told = loads(body.decode())
    except ValueError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"The body is not JSON: {error}") from error
    key = as_object(told).get("key")
    if not isinstance(key, str) or not key.isascii() or not key.isprintable() or not key.strip():
        raise RpcError(Code.INVALID_ARGUMENT, 'The body must be {"key": "…"}, an API key or a token.')
    return key.strip()


def _refused(error: RpcError) -> Response:
    body: JsonObject = error.to_json()
    return JSONResponse(body, http_status(error.code))
