"""`HttpTransport`: requests over kept connections, every hop checked by the address policy.

It sends what it is given once; trying again is `egress.resilient`'s. No proxy is ever used: it would dial for us, and
the address policy would hold for nothing. Cookies play no part.
"""

import time
from functools import lru_cache, partial

from yarl import URL

from openplaybook.egress.address_policy import AddressPolicy, checked_url
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Resolver
from openplaybook.egress.errors import EgressError, TlsFailed, TooManyRedirects
from openplaybook.egress.failures import translated, without_way
from openplaybook.egress.http_connection import (
    Alarm,
    BodyUnreadable,
    ConnectionBroken,
    ExcessiveOverhead,
    NotHttp,
    PeerSilent,
)
from openplaybook.egress.http_messages import Pace, body_of, head_of
from openplaybook.egress.http_pool import ConnectTooSlow, HttpConnectionPool, Peer, Unreachable
from openplaybook.egress.redirects import MAX_REDIRECTS, STATUSES, redirected
from openplaybook.egress.resolver import CheckedResolver, SystemResolver
from openplaybook.egress.tls_contexts import TlsContexts, Trust
from openplaybook.egress.tls_diagnosis import tls_words

_MAX_REDIRECT_BYTES = 65_536
"""A redirect's body is read up to here, so that its connection can be kept."""
_USUAL_NAMES = {
    name.lower().encode(): name
    for name in (
        "Accept-Ranges",
        "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers",
        "Access-Control-Allow-Methods",
        "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers",
        "Access-Control-Max-Age",
        "Age",
        "Allow",
        "Cache-Control",
        "Connection",
        "Content-Disposition",
        "Content-Encoding",
        "Content-Language",
        "Content-Length",
        "Content-Location",
        "Content-MD5",
        "Content-Range",
        "Content-Transfer-Encoding",
        "Content-Type",
        "Date",
        "ETag",
        "Expires",
        "Keep-Alive",
        "Last-Modified",
        "Link",
        "Location",
        "Pragma",
        "Proxy-Authenticate",
        "Retry-After",
        "Sec-WebSocket-Accept",
        "Server",
        "Set-Cookie",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade",
        "Vary",
        "Via",
        "WWW-Authenticate",
        "Warning",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
    )
}
"""Names of headers that everybody writes alike: traces show them so, whoever sent them."""
_KEPT_URLS = 256
_MAX_ENDPOINTS = 16
_FAILURES = (
    ConnectionBroken,
    NotHttp,
    BodyUnreadable,
    ExcessiveOverhead,
    PeerSilent,
    ConnectTooSlow,
    Unreachable,
    OSError,
    ValueError,
)


class HttpTransport:
    """Keeps connections open between calls; used by one event loop."""

    def __init__(self, policy: AddressPolicy, resolver: Resolver | None = None) -> None:
        self._private_policy = policy.within_private_network()
        # Tools call the same few URLs; what passed once passes again.
        self._checked = lru_cache(_KEPT_URLS)(partial(checked_url, policy=policy))
        self._resolver = CheckedResolver(resolver or SystemResolver(), policy)
        self._pool = HttpConnectionPool(self._resolver)
        self._tls = TlsContexts()
        self._pace = Pace()

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request` after at most five redirects; raises a subclass of `EgressError`."""
        started, redirects = time.perf_counter(), 0
        url = self._url(request)
        try:
            with Alarm(limits.total_s):
                response, location = await self._exchange(request, url, limits, started)
                while location is not None and redirects < MAX_REDIRECTS:
                    redirects += 1
                    request = redirected(request, url, response.status, location)
                    url = self._url(request)
                    response, location = await self._exchange(request, url, limits, started)
        except EgressError as error:
            error.sent = error.sent or redirects > 0
            raise
        except TimeoutError as error:
            raise translated(error, url, limits) from error
        if location is not None:
            raise TooManyRedirects(f"{url.raw_host} redirects more than {MAX_REDIRECTS} times", sent=True)
        return response

    async def aclose(self) -> None:
        """Close every connection; a later `send` raises `ConnectFailed`."""
        await self._pool.aclose()

    def _url(self, request: HttpRequest) -> URL:
        if not request.endpoints:
            return self._checked(request.url)
        url = checked_url(request.url, self._private_policy)
        for endpoint in request.endpoints[:_MAX_ENDPOINTS]:
            self._private_policy.check_endpoint(endpoint, url.raw_host or "")
        return url

    async def _exchange(
        self, request: HttpRequest, url: URL, limits: HttpLimits, started: float
    ) -> tuple[HttpResponse, str | None]:
        """One request and its answer, and where that redirects to; the body of a redirect is left out."""
        trust = None
        if url.scheme == "https":
            trust = await self._tls.trust(request.ca_certificates, request.client_certificate)
        try:
            return await self._over_connection(request, url, limits, trust, started)
        except _FAILURES as error:
            raise await self._explained(error, request, url, limits, trust) from error

    async def _over_connection(
        self, request: HttpRequest, url: URL, limits: HttpLimits, trust: Trust | None, started: float
    ) -> tuple[HttpResponse, str | None]:
        head = head_of(request.method, url, request.headers, request.body)
        context = trust.context if trust is not None else None
        peer = Peer(url.raw_host or "", url.port or 0, context, request.endpoints[:_MAX_ENDPOINTS])
        connection = await self._pool.take(peer, limits.connect_s)
        try:
            read_s = limits.read_s if limits.read_s < limits.total_s else None
            await connection.send(head, request.body, is_head=request.method == "HEAD", read_s=read_s)
            # Texts, for who puts them into JSON.
            headers = tuple([(_name(name), _text(value)) for name, value in connection.headers])
            status, location = connection.status, None
            if status in STATUSES and request.follows_redirects:
                location = next((value for name, value in headers if name.lower() == "location"), None)
            max_bytes = limits.max_bytes if location is None else _MAX_REDIRECT_BYTES
            body, is_cut = await body_of(connection, max_bytes, self._pace)
        finally:
            self._pool.give_back(peer, connection)
        if trust is not None:
            trust.remember(url.raw_host, url.port)
        return HttpResponse(status, headers, body, is_cut, time.perf_counter() - started), location

    async def _explained(
        self, error: Exception, request: HttpRequest, url: URL, limits: HttpLimits, trust: Trust | None
    ) -> EgressError:
        """The error in our words; for TLS, after a look at what the other side shows or says."""
        words = None
        without_way(error)
        if trust is not None:
            words = await tls_words(error, request, url, trust, self._resolver)
        if words is None:
            return translated(error, url, limits)
        return TlsFailed(f"no TLS connection to {url.raw_host}:{url.port}: {words}")


def _name(name: bytes) -> str:
    return _USUAL_NAMES.get(name.lower()) or name.decode("latin-1")


def _text(value: bytes) -> str:
    """A header's value as UTF-8, or as Latin-1 where it is not that (RFC 9110 §5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
