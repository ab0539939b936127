"""`HttpTransport`: the transport on aiohttp, every hop checked by the address policy.

It sends what it is given once; trying again is `egress.resilient`'s. No proxy is ever used: it would dial for us, and
the address policy would hold for nothing.
"""

import io
import time
from functools import lru_cache, partial

import aiohttp
from yarl import URL

from openplaybook.egress.alarm import Alarm
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Resolver
from openplaybook.egress.endpoints import host_of
from openplaybook.egress.errors import EgressError, TlsFailed, TooManyRedirects
from openplaybook.egress.failures import translated, without_way
from openplaybook.egress.metering import Overloaded
from openplaybook.egress.pace import Pace
from openplaybook.egress.policy import AddressPolicy
from openplaybook.egress.redirects import MAX_REDIRECTS, STATUSES, redirected
from openplaybook.egress.resolver import CheckedResolver, SystemResolver
from openplaybook.egress.sessions import MeteredAnswer, Sessions
from openplaybook.egress.tls import TlsContexts, Trust
from openplaybook.egress.tls_diagnosis import tls_words
from openplaybook.egress.urls import checked_url

_MAX_REDIRECT_BYTES = 65_536
"""A redirect's body is read up to here, so that its connection can be kept."""
_KEPT_URLS = 256
_AT_ONCE = 1024 * 1024
"""Bytes of a request's body."""
_NO_TYPE = ("Content-Type",)
"""A request without a body has no type, though aiohttp gives it one, and some services refuse that."""
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods whose requests it gives none. Asking for that each time would cost 2 µs."""


class HttpTransport:
    """Keeps connections open between calls; used by one event loop. Cookies, proxies and netrc play no part."""

    def __init__(self, policy: AddressPolicy, resolver: Resolver | None = None) -> None:
        self._private_policy = policy.within_private_network()
        # Tools call the same few URLs; what passed once passes again.
        self._checked = lru_cache(_KEPT_URLS)(partial(checked_url, policy=policy))
        self._resolver = CheckedResolver(resolver or SystemResolver(), policy)
        self._sessions = Sessions(self._resolver)
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
        await self._sessions.aclose()

    def _url(self, request: HttpRequest) -> URL:
        return checked_url(request.url, self._private_policy) if request.endpoints else self._checked(request.url)

    async def _exchange(
        self, request: HttpRequest, url: URL, limits: HttpLimits, started: float
    ) -> tuple[HttpResponse, str | None]:
        """One request and its answer, and where that redirects to; the body of a redirect is left out."""
        trust = None
        if url.scheme == "https":
            trust = await self._tls.trust(request.ca_certificates, request.client_certificate)
        session, headers, dialled, server_name = self._sessions.public(), request.headers, url, None
        if request.endpoints:
            session, server_name = self._sessions.private(), url.raw_host
            headers = (("Host", url.host_port_subcomponent or ""), *headers)
            dialled = url.with_host(host_of(request.endpoints, server_name or "", self._private_policy))
        try:
            answer = await session.request(
                request.method,
                dialled,
                headers=headers,
                data=_body(request),
                allow_redirects=False,
                skip_auto_headers=_NO_TYPE if request.body is None and request.method not in _WITHOUT_BODY else None,
                timeout=_timeouts(limits.connect_s, limits.read_s if limits.read_s < limits.total_s else None),
                ssl=trust.context if trust is not None else True,
                server_hostname=server_name,
            )
            follows = request.follows_redirects and answer.status in STATUSES
            location = answer.headers.get("Location") if follows else None
            max_bytes = limits.max_bytes if location is None else _MAX_REDIRECT_BYTES
            # Most answers are small and have come whole with their headers.
            if answer.content.is_eof():
                body, is_cut = _cut(answer.content.read_nowait(), max_bytes)
            else:
                body, is_cut = await _read(answer, max_bytes, self._pace)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise await self._explained(error, request, url, limits, trust) from error
        if trust is not None:
            trust.remember(url.raw_host, url.port)
        # Plain text, for who puts it into JSON: aiohttp's names are a class of its own.
        got = tuple([(str(name), value if value.isascii() else _text(value)) for name, value in answer.headers.items()])
        return HttpResponse(answer.status, got, body, is_cut, time.perf_counter() - started), location

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


def _body(request: HttpRequest) -> bytes | io.BytesIO | None:
    """What aiohttp sends in one go, unless it is large: the loop goes on between two pieces."""
    is_large = request.body is not None and len(request.body) > _AT_ONCE
    return io.BytesIO(request.body or b"") if is_large else request.body


@lru_cache
def _timeouts(connect_s: float, read_s: float | None) -> aiohttp.ClientTimeout:
    # The whole is `Alarm`'s. A pause that may take as long needs no clock of its own: None.
    return aiohttp.ClientTimeout(total=None, connect=connect_s, sock_read=read_s)


def _text(value: str) -> str:
    """A header's value as UTF-8, or as Latin-1 where it is not that (RFC 9110 §5.5)."""
    octets = value.encode(errors="surrogateescape")
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("latin-1")


def _cut(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    return (body, False) if len(body) <= max_bytes else (body[:max_bytes], True)


async def _read(answer: aiohttp.ClientResponse, max_bytes: int, pace: Pace) -> tuple[bytes, bool]:
    """The body up to `max_bytes`, and whether it was cut; a cut one costs the connection."""
    # What is put together in one go keeps all others waiting.
    body = io.BytesIO()
    try:
        while body.tell() <= max_bytes:
            chunk = await answer.content.readany()
            if not chunk:
                return body.getvalue(), False
            body.write(chunk)
            await pace.keep(body.tell())
    except BaseException as error:
        answer.close()
        if isinstance(answer, MeteredAnswer) and answer.is_overloaded and isinstance(error, aiohttp.ClientError):
            raise Overloaded from error
        raise
    answer.close()
    return _cut(body.getvalue(), max_bytes)
