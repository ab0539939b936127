"""Web pages of other origins that may use the API (Fetch standard, "CORS protocol").

Keys and tokens travel in headers that a page has to set itself; cookies mean nothing here, so no answer allows
credentials.
"""

from collections.abc import Mapping, Sequence

from starlette.responses import Response
from starlette.types import Message, Scope, Send

from openplaybook.server.errors import SettingsError

_EXPOSED = "x-openplaybook-warning, retry-after, www-authenticate"
_METHODS = "GET, POST, PATCH, PUT, DELETE"
_MAX_AGE_S = "600"
_ANY = "*"
_VARIES: Mapping[str, str] = {"Vary": "Origin"}
"""For caches: the answer to another origin is another."""


class Cors:
    """The origins that may."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = frozenset(origins)

    def allows(self, origin: str) -> bool:
        """Whether pages of an origin, as `Origin` gives it, may read answers."""
        return _ANY in self._origins or origin in self._origins

    def preflight(self, scope: Scope) -> Response | None:
        """The answer to a browser that asks before it sends; None for any other request. It carries no key."""
        sent = _headers(scope)
        origin = sent.get("origin", "")
        if scope["method"] != "OPTIONS" or "access-control-request-method" not in sent or not self.allows(origin):
            return None
        headers = {
            **self._allowing(origin),
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Max-Age": _MAX_AGE_S,
        }
        asked = sent.get("access-control-request-headers", "")
        if asked:
            headers["Access-Control-Allow-Headers"] = asked
        if sent.get("access-control-request-private-network") == "true":
            headers["Access-Control-Allow-Private-Network"] = "true"
        return Response(status_code=204, headers=headers)

    def sending(self, scope: Scope, send: Send) -> Send:
        """`send` with what lets a page read the answer."""
        origin = _headers(scope).get("origin", "")
        is_allowed = origin and self.allows(origin)
        new = {**self._allowing(origin), "Access-Control-Expose-Headers": _EXPOSED} if is_allowed else _VARIES
        added = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in new.items()]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        return send_with_headers

    def _allowing(self, origin: str) -> dict[str, str]:
        shown = _ANY if _ANY in self._origins else origin
        return {"Access-Control-Allow-Origin": shown, **_VARIES}


def parse_origins(text: str, *, is_authenticated: bool) -> Cors | None:
    """`https://shop.example,…` or `*`; None for empty text. Raises `SettingsError`."""
    origins = [entry.strip() for entry in text.split(",") if entry.strip()]
    for entry in origins:
        scheme, separator, rest = entry.partition("://")
        if entry != _ANY and (not separator or scheme not in ("http", "https") or not rest or "/" in rest):
            raise SettingsError(f"cors_origins: {entry!r} must be * or an origin such as https://shop.example")
    if _ANY in origins and not is_authenticated:
        raise SettingsError("cors_origins * lets every web page use a server that asks for nothing: name the origins")
    return Cors([entry.lower() for entry in origins]) if origins else None


def _headers(scope: Scope) -> Mapping[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
