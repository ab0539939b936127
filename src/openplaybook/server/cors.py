"""Web pages of other origins that may use the API (Fetch standard, "CORS protocol").

Keys and tokens travel in headers that a page has to set itself; cookies mean nothing here, so no answer allows
credentials.
"""

from collections.abc import Sequence

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from openplaybook.egress.web_origin import bare_origin
from openplaybook.server.errors import SettingsError

_EXPOSED = ("x-openplaybook-warning", "retry-after", "www-authenticate")
_METHODS = ("GET", "POST", "PATCH", "PUT", "DELETE")
_MAX_AGE_S = 600
_ANY = "*"


class Cors:
    """The origins that may."""

    def __init__(self, origins: Sequence[str]) -> None:
        """Each is `*`, or an origin such as `https://shop.example`."""
        self._is_any = _ANY in origins
        self._origins = frozenset(bare_origin(origin) for origin in origins) - {None}

    def allows(self, origin: str) -> bool:
        """Whether pages of an origin, as `Origin` gives it, may read answers."""
        return self._is_any or bare_origin(origin) in self._origins

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app, which then answers browsers that ask before they send, without a key, and lets pages read."""
        return _NamedOrigins(app, self, any_origin=self._is_any)


class _NamedOrigins(CORSMiddleware):
    """Starlette's middleware for origins that are compared as what they mean."""

    def __init__(self, app: ASGIApp, cors: Cors, *, any_origin: bool) -> None:
        super().__init__(
            app,
            allow_origins=(_ANY,) if any_origin else (),
            allow_methods=_METHODS,
            # Google's clients send many of their own, and so may any page: which they are decides nothing here.
            allow_headers=(_ANY,),
            # A page on the internet may use a server in its user's own network, where its origin is named.
            allow_private_network=True,
            expose_headers=_EXPOSED,
            max_age=_MAX_AGE_S,
        )
        self._cors = cors

    def is_allowed_origin(self, origin: str) -> bool:
        """Whether pages of an origin may read answers."""
        return self._cors.allows(origin)


def parse_origins(text: str, *, is_authenticated: bool) -> Cors | None:
    """`https://shop.example,…` or `*`; None for empty text. Raises `SettingsError`."""
    origins = [entry.strip() for entry in text.split(",") if entry.strip()]
    for entry in origins:
        if entry != _ANY and bare_origin(entry) is None:
            raise SettingsError(f"cors_origins: {entry!r} must be * or an origin such as https://shop.example")
    if _ANY in origins and not is_authenticated:
        raise SettingsError("cors_origins * lets every web page use a server without authentication: name the origins")
    return Cors(origins) if origins else None
