"""`HttpTransport`: requests over kept connections, every hop checked by the address policy.

It sends what it is given once; trying again is `egress.resilient_transport`'s. No proxy is ever used: it would dial for
us, and the address policy would hold for nothing. Cookies play no part.
"""

import os
import time
from dataclasses import replace
from functools import lru_cache, partial

from yarl import URL

from openplaybook.egress.address_policy import AddressPolicy, checked_url
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Resolver
from openplaybook.egress.errors import (
    AddressRefused,
    BadResponse,
    ConnectFailed,
    EgressError,
    TimedOut,
    TlsFailed,
    TooManyRedirects,
)
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
from openplaybook.egress.resolver import CheckedResolver, SystemResolver
from openplaybook.egress.tls_contexts import TlsContexts, Trust
from openplaybook.egress.tls_diagnosis import tls_words
from openplaybook.egress.web_origin import WebOrigin, origin_of

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

_MAX_REDIRECTS = 5

_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})

_KEPT_ACROSS_ORIGINS = frozenset({"accept", "accept-language", "content-type", "content-language", "user-agent"})


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
                while location is not None and redirects < _MAX_REDIRECTS:
                    redirects += 1
                    request = redirected(request, url, response.status, location)
                    url = self._url(request)
                    response, location = await self._exchange(request, url, limits, started)
        except EgressError as error:
            error.sent = error.sent or redirects > 0
            raise
        except TimeoutError as error:
            raise _translated(error, url, limits) from error
        if location is not None:
            raise TooManyRedirects(f"{url.raw_host} redirects more than {_MAX_REDIRECTS} times", sent=True)
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
            if status in _REDIRECT_STATUSES and request.follows_redirects:
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
        _without_way(error)
        if trust is not None:
            words = await tls_words(error, request, url, trust, self._resolver)
        if words is None:
            return _translated(error, url, limits)
        return TlsFailed(f"no TLS connection to {url.raw_host}:{url.port}: {words}")


def _name(name: bytes) -> str:
    return _USUAL_NAMES.get(name.lower()) or name.decode("latin-1")


def _text(value: bytes) -> str:
    """A header's value as UTF-8, or as Latin-1 where it is not that (RFC 9110 §5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _translated(error: Exception, url: URL, limits: HttpLimits) -> EgressError:
    """The error in our words."""
    peer = f"{url.raw_host}:{url.port}"
    match error:
        case EgressError():
            return error
        case ConnectTooSlow():
            return TimedOut(f"no connection to {peer} within {limits.connect_s:g} s", which="connect", sent=False)
        case PeerSilent():
            return TimedOut(f"{peer} sent nothing for {limits.read_s:g} s", which="read", sent=True)
        case TimeoutError():
            return TimedOut(f"{peer} did not finish within {limits.total_s:.3g} s", which="total", sent=True)
        case Unreachable(__cause__=OSError(errno=int(number))) if number:
            return ConnectFailed(f"{peer} cannot be reached: {os.strerror(number)}")
        case Unreachable():
            return ConnectFailed(f"{peer} cannot be reached: no connection")
        case ValueError():
            return AddressRefused("the request cannot be sent as written", rule="malformed_url")
        case ExcessiveOverhead():
            return BadResponse(f"{peer} sent far more next to its response body than belongs there", sent=True)
        case NotHttp():
            return BadResponse(f"{peer} sent a response that is not HTTP", sent=True)
        case BodyUnreadable():
            return BadResponse(f"{peer} sent a response whose body cannot be read: it is broken", sent=True)
        case _:
            return BadResponse(f"{peer} closed the connection before its response was complete", sent=True)


def _without_way(error: BaseException) -> None:
    """Take from an error, and those that it came of, the functions that they passed: what keeps the error would keep
    the request's body with them, until the garbage collector comes."""
    chain = list[BaseException | None]([error])
    while chain:
        each = chain.pop()
        if each is not None and each.__traceback__ is not None:
            each.__traceback__ = None
            chain += [each.__context__, each.__cause__]


def redirected(request: HttpRequest, url: URL, status: int, location: str) -> HttpRequest:
    """The request that follows `request` (sent to `url`) after an answer with `status` and `location`.

    Another origin gets none of the headers that may hold a credential, and no client certificate; a body goes with 307
    and 308 only within the origin. Endpoints in a private network stay with their host and port: elsewhere redirects
    lead to public addresses only. Raises `BadResponse` for a location that is no URL, `AddressRefused` for a step from
    https to http or for a body that would go to another origin.
    """
    try:
        # Kept byte for byte, since signed URLs depend on it; only what no URL may hold is encoded.
        target = url.join(URL(location, encoded=location.isascii() and " " not in location))
        here, there = _origin(url), _origin(target)
    except ValueError as error:
        raise BadResponse(f"{url.raw_host} redirects to something that is not a URL", sent=True) from error
    if url.scheme == "https" and target.scheme != "https":
        raise AddressRefused(f"{url.raw_host} redirects from https to {target.scheme}", rule="downgrade", sent=True)
    becomes_get = status == 303 or (status in (301, 302) and request.method == "POST")
    if becomes_get and request.method != "HEAD":
        headers = tuple(header for header in request.headers if not header[0].lower().startswith("content-"))
        request = replace(request, method="GET", headers=headers, body=None)
    if here is None or here != there:
        if request.body is not None:
            raise AddressRefused(
                f"{url.raw_host} redirects the body of a {request.method} to another origin, {target.raw_host}",
                rule="body_to_other_origin",
                sent=True,
            )
        headers = tuple(header for header in request.headers if header[0].lower() in _KEPT_ACROSS_ORIGINS)
        is_same_place = here and there and (here.host, here.port) == (there.host, there.port)
        endpoints = request.endpoints if is_same_place else ()
        request = replace(request, headers=headers, client_certificate=None, endpoints=endpoints)
    return replace(request, url=str(target))


def _origin(url: URL) -> WebOrigin | None:
    """None for what no request goes to. Raises `ValueError` for a port that is none."""
    return origin_of(str(url)) if url.port is not None else None
