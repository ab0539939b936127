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

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from openplaybook.egress.web_origin import PORTS, authority_of, bare_origin, canonical_host, origin_of
from openplaybook.server.cors import Cors
from openplaybook.server.sockets import is_loopback

FOREIGN_HOST = (
    "The Host header does not name this server. If clients reach this server by that name, "
    "set public_url to it; with API keys, any name works."
)
FOREIGN_PAGE = "Web pages of other origins cannot use a server that requires no API key."

_KEPT_HOSTS = 32
_MACHINE_NAME = re.compile(r"[a-z0-9_-]+")
_ANY_PORT = 80
"""For a `Host` of which only the name counts."""
_OWN_SITE = frozenset({b"same-origin", b"none"})
"""Values of `Sec-Fetch-Site`: from our own pages, or typed by the user."""


class BrowserGuard:
    """Tells what a foreign web page sends from everything else."""

    def __init__(self, *, host: str, public_url: str = "", cors: Cors | None = None) -> None:
        """`host` is what the server listens on, `public_url` where clients reach it (empty: there), `cors` whose
        pages may use it besides its own."""
        self._cors = cors
        self._public = origin_of(public_url)
        named = self._public.host if self._public is not None else ""
        self._hosts = frozenset(name for name in ("localhost", canonical_host(host), named) if name)
        self._serves_others = not is_loopback(host)
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
        cors = self._cors
        if origins and cors is not None and all(cors.allows(origin.decode("latin-1")) for origin in origins):
            return ""
        if not all(self._is_own_origin(origin, hosts) for origin in origins):
            return FOREIGN_PAGE
        return FOREIGN_PAGE if not _OWN_SITE.issuperset(sites) and not _is_visit(scope) else ""

    def _is_ours(self, header: bytes) -> bool:
        host, _ = authority_of(header.decode("latin-1"), _ANY_PORT) or ("", 0)
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
        named = bare_origin(origin.decode("latin-1"))
        if named is None:
            return False
        # The scheme is the browser's side of a proxy that speaks TLS; the authority is the same on both sides.
        own = (authority_of(host.decode("latin-1"), PORTS[named.scheme]) for host in hosts)
        return named == self._public or (named.host, named.port) in own


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Every value of `Host`, `Origin` and `Sec-Fetch-Site`."""
    values: dict[bytes, list[bytes]] = {b"host": [], b"origin": [], b"sec-fetch-site": []}
    for name, value in headers:
        if name in values:
            values[name].append(value)
    return values[b"host"], values[b"origin"], values[b"sec-fetch-site"]


def _is_visit(scope: Scope) -> bool:
    """Whether the user follows a link to us: what we answer is shown to the user and to no page."""
    sent = dict(scope["headers"])
    goes = (sent.get(b"sec-fetch-mode"), sent.get(b"sec-fetch-dest"))
    return scope["method"] in ("GET", "HEAD") and goes == (b"navigate", b"document")


class GuardedApp:
    """An ASGI app behind a guard."""

    def __init__(self, app: ASGIApp, guard: BrowserGuard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        app = self._guard.refusal(scope) or self._app
        await app(scope, receive, send)
