"""Who is logged in to the console: a key or token in a cookie that scripts cannot read and only this server opens.

The cookie lets nobody in by itself, so that no other page can use it (RFC 6265 §8.2, "cross-site request forgery"): a
request counts only with `Sec-Fetch-Site: same-origin`, which pages cannot set, and with the header that the console
sends and forms cannot. The key in it is verified with each request, so that a key that is taken back ends its sessions.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer, is_sealed
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.server.access.principals import Principal
from openplaybook.wire.errors import Code, RpcError, http_status

PATH = "/console/session"
MARK = "x-openplaybook-console"
"""The header of every request of the console."""
LIFETIME_S = 12 * 3600
MAX_BODY_BYTES = 16 * 1024
"""Longer than any token that an identity provider gives out."""

_PLACE = "console session"
_COOKIE = "openplaybook"
_SECURE_COOKIE = "__Host-openplaybook"
"""Over TLS; browsers take this name only with `Secure` and without `Domain` (RFC 6265bis §4.1.3)."""

Verify = Callable[[Mapping[str, str]], Awaitable[Principal]]
"""Who sends these headers; raises `RpcError` for nobody."""


class ConsoleSessions:
    """An ASGI app for `PATH`, and what reads its cookies."""

    def __init__(self, sealer: Sealer, verify: Verify, clock: Callable[[], float] = time.time) -> None:
        self._sealer = sealer
        self._verify = verify
        self._clock = clock

    def with_key(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """The headers of a request, names in lower case; where it is the console's own, with the key of its cookie."""
        if headers.get("authorization") or not _is_own(headers):
            return headers
        key = self._key_in(headers.get("cookie", ""))
        return {**headers, "authorization": f"Bearer {key}"} if key else headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log in (POST `{key}`), or out (DELETE)."""
        response = await self._response(Request(scope, receive))
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        if not _is_own(request.headers):
            return _refused(RpcError(Code.PERMISSION_DENIED, "Only the console's own page may log in here."))
        is_secure = request.url.scheme == "https"
        if request.method == "DELETE":
            response = Response(status_code=204)
            self._set(response, "", is_secure=is_secure)
            return response
        if request.method != "POST":
            return Response(status_code=405, headers={"Allow": "POST, DELETE"})
        try:
            key = await _key_of(request)
            principal = await self._verify({"authorization": f"Bearer {key}"})
        except RpcError as error:
            return _refused(error)
        response = JSONResponse({"name": principal.name, "role": principal.role.value})
        until = int(self._clock()) + LIFETIME_S
        self._set(response, self._sealer.seal(f"{until} {key}", _PLACE), is_secure=is_secure)
        return response

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

    def _set(self, response: Response, value: str, *, is_secure: bool) -> None:
        response.set_cookie(
            _SECURE_COOKIE if is_secure else _COOKIE,
            value,
            max_age=LIFETIME_S if value else 0,
            path="/",
            secure=is_secure,
            httponly=True,
            samesite="strict",
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
