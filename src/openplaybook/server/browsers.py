"""What a web page in the user's browser may ask of a server that asks for no key: nothing.

Such a server trusts whoever reaches it, and a browser on this machine does, whatever page it shows. Two ways lead
in, and both are told by headers that a page cannot set:

* a page of another origin sends a request without asking first (Fetch standard, "CORS-safelisted"): `Origin` or
  `Sec-Fetch-Site` gives it away;
* a page whose own host name is made to resolve to this machine (DNS rebinding): `Host` is that name. An IP address
  in `Host` is no such page, since its origin would be the address itself.

Programs send neither `Origin` nor `Sec-Fetch-Site`, and name the server by the address they were given.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from openplaybook.server.cors import Cors
from openplaybook.server.sockets import is_loopback

FOREIGN_HOST = (
    "The Host header names another server than this one. If clients reach this server by that name, "
    "set public_url to it; with API keys any name will do."
)
FOREIGN_PAGE = "Web pages of other origins may not use a server that asks for no API key."

_KEPT_HOSTS = 32
_MACHINE_NAME = re.compile(r"[a-z0-9_-]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_OWN_SITE = frozenset({b"same-origin", b"none"})
"""Values of `Sec-Fetch-Site`: from our own pages, or typed by the user."""


class BrowserGuard:
    """Tells what a foreign web page sends from everything else."""

    def __init__(self, *, host: str, public_url: str = "", cors: Cors | None = None) -> None:
        """`host` is what the server listens on, `public_url` where clients reach it (empty: there), `cors` whose
        pages may use it besides its own."""
        self._cors = cors
        self._hosts = frozenset(name for name in ("localhost", host, _host_of(public_url)) if name)
        self._serves_others = not is_loopback(host)
        self._public = _authority_of(public_url)
        self._good: frozenset[bytes] = frozenset()

    def refusal(self, scope: Scope) -> Response | None:
        """The answer (403) to a request that is to be refused; None when it is not."""
        reason = self._objection(scope)
        if not reason:
            return None
        error = {"code": 403, "message": reason, "status": "PERMISSION_DENIED"}
        return JSONResponse({"error": error}, status_code=403)

    def _objection(self, scope: Scope) -> str:
        hosts, origins, sites = _headers(scope["headers"])
        if not all(host in self._good or self._is_ours(host) for host in hosts):
            return FOREIGN_HOST
        if origins and all(self._is_allowed(origin) for origin in origins):
            return ""
        if not all(self._is_own_origin(origin, hosts) for origin in origins):
            return FOREIGN_PAGE
        return FOREIGN_PAGE if not _OWN_SITE.issuperset(sites) and not _is_visit(scope) else ""

    def _is_allowed(self, origin: bytes) -> bool:
        return self._cors is not None and self._cors.allows(origin.decode("latin-1"))

    def _is_ours(self, header: bytes) -> bool:
        host = _host_of(f"//{header.decode('latin-1')}")
        is_ours = host in self._hosts or self._is_address(host)
        # A name without a dot is a machine's or container's own; nobody else can make a browser resolve it.
        if is_ours or (self._serves_others and _MACHINE_NAME.fullmatch(host)):
            # Nearly all requests name the same one or two hosts.
            self._good = frozenset((header, *list(self._good)[:_KEPT_HOSTS]))
            return True
        return False

    def _is_address(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return self._serves_others or address.is_loopback

    def _is_own_origin(self, origin: bytes, hosts: Iterable[bytes]) -> bool:
        scheme, separator, _ = origin.decode("latin-1").partition("://")
        authority = _authority_of(origin.decode("latin-1"))
        if not separator or not authority:
            return False
        # The scheme is the browser's side of a proxy that speaks TLS; the authority is the same on both sides.
        own = [_authority_of(f"{scheme}://{host.decode('latin-1')}") for host in hosts]
        return authority in [self._public, *own]


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Every value of `Host`, `Origin` and `Sec-Fetch-Site`."""
    found: dict[bytes, list[bytes]] = {b"host": [], b"origin": [], b"sec-fetch-site": []}
    for name, value in headers:
        if name in found:
            found[name].append(value)
    return found[b"host"], found[b"origin"], found[b"sec-fetch-site"]


def _is_visit(scope: Scope) -> bool:
    """Whether the user follows a link to us: what we answer is shown to the user and to no page."""
    sent = dict(scope["headers"])
    goes = (sent.get(b"sec-fetch-mode"), sent.get(b"sec-fetch-dest"))
    return scope["method"] in ("GET", "HEAD") and goes == (b"navigate", b"document")


def _host_of(url: str) -> str:
    """The host of a URL in lower case, an IPv6 address without brackets; empty when there is none."""
    try:
        return (urlsplit(url).hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _authority_of(url: str) -> tuple[str, int] | None:
    """Host and port of a URL, the scheme's port where it names none; None for what is no http URL."""
    try:
        parts = urlsplit(url)
        port = parts.port if parts.port is not None else _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname.removesuffix("."), port) if parts.hostname and port is not None else None


class Guarded:
    """An ASGI app behind a guard."""

    def __init__(self, app: ASGIApp, guard: BrowserGuard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        app = self._guard.refusal(scope) or self._app
        await app(scope, receive, send)
