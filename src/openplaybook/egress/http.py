"""`HttpTransport`: the transport on aiohttp, every hop checked by the address policy."""

import os
import re
import time
from dataclasses import replace

import aiohttp
from yarl import URL

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
from openplaybook.egress.policy import AddressPolicy
from openplaybook.egress.redirects import MAX_REDIRECTS, STATUSES, redirected
from openplaybook.egress.resolver import CheckedResolver, SystemResolver
from openplaybook.egress.tls import TlsContexts

_FORBIDDEN_IN_URL = re.compile(r"[\x00-\x20\x7f\\]")
_IDLE_S = 30.0


class HttpTransport:
    """Keeps connections open between calls; used by one event loop. Cookies, proxies and netrc play no part."""

    def __init__(self, policy: AddressPolicy, resolver: Resolver | None = None) -> None:
        self._policy = policy
        self._resolver = CheckedResolver(resolver or SystemResolver(), policy)
        self._tls = TlsContexts()
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request` after at most five redirects; raises a subclass of `EgressError`."""
        started = time.perf_counter()
        url = checked_url(request.url, self._policy)
        acted = False
        for _ in range(MAX_REDIRECTS + 1):
            left = replace(limits, total_s=limits.total_s - (time.perf_counter() - started)) if acted else limits
            try:
                response, location = await self._exchange(request, url, left, started)
                if location is None:
                    return response
                acted = True
                request = redirected(request, url, response.status, location)
                url = checked_url(request.url, self._policy)
            except EgressError as error:
                error.sent = error.sent or acted
                raise
        raise TooManyRedirects(f"{url.raw_host} redirects more than {MAX_REDIRECTS} times", sent=True)

    async def aclose(self) -> None:
        """Close every connection; a later `send` raises `ConnectFailed`."""
        self._closed = True
        if self._session is not None:
            await self._session.close()

    async def _exchange(
        self, request: HttpRequest, url: URL, limits: HttpLimits, started: float
    ) -> tuple[HttpResponse, str | None]:
        """One request and its answer, and where that redirects to; the body of a redirect is not read."""
        tls = self._tls.context(request.ca_certificates) if url.scheme == "https" else True
        timeout = aiohttp.ClientTimeout(
            total=max(limits.total_s, 0.001), connect=limits.connect_s, sock_read=limits.read_s
        )
        try:
            async with self._open_session().request(
                request.method,
                url,
                headers=request.headers,
                data=request.body,
                allow_redirects=False,
                timeout=timeout,
                ssl=tls,
            ) as answer:
                location = answer.headers.get("Location") if answer.status in STATUSES else None
                body, truncated = (b"", False) if location is not None else await _read(answer, limits.max_bytes)
                headers = tuple((str(name), value) for name, value in answer.headers.items())
                elapsed = time.perf_counter() - started
                return HttpResponse(answer.status, headers, body, truncated, elapsed), location
        except EgressError:
            raise
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise _translated(error, url, limits) from error

    def _open_session(self) -> aiohttp.ClientSession:
        if self._closed:
            raise ConnectFailed("the transport is closed")
        if self._session is None:
            connector = aiohttp.TCPConnector(
                resolver=self._resolver, limit=0, keepalive_timeout=_IDLE_S, ttl_dns_cache=10
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
                auto_decompress=True,
                headers={"User-Agent": "openplaybook", "Accept-Encoding": "gzip, deflate"},
                raise_for_status=False,
            )
        return self._session


def checked_url(text: str, policy: AddressPolicy) -> URL:
    """The URL to send to, host checked by `policy`; raises `AddressRefused` with the rule it breaks."""
    if _FORBIDDEN_IN_URL.search(text):
        raise AddressRefused("the URL holds a blank, a control character or a backslash", rule="malformed_url")
    try:
        url = URL(text, encoded=True)
        if url.raw_host and not url.raw_host.isascii():
            url = url.with_host(url.raw_host)
        host, port = url.raw_host, url.port
    except ValueError as error:
        raise AddressRefused("the URL cannot be read", rule="malformed_url") from error
    if url.scheme not in ("http", "https"):
        raise AddressRefused(f"only http and https are allowed, not {url.scheme[:20]!r}", rule="scheme")
    if url.raw_user is not None or url.raw_password is not None:
        raise AddressRefused("the URL holds a user name or password; use an authentication instead", rule="userinfo")
    if not host or port is None or not 0 < port < 65536:
        raise AddressRefused("the URL has no host, or its port is not between 1 and 65535", rule="malformed_url")
    policy.check_host(host)
    return url


async def _read(answer: aiohttp.ClientResponse, max_bytes: int) -> tuple[bytes, bool]:
    """The body up to `max_bytes`, and whether it was cut; a cut one costs the connection."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in answer.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > max_bytes:
            answer.close()
            return b"".join(chunks)[:max_bytes], True
    return b"".join(chunks), False


def _translated(error: Exception, url: URL, limits: HttpLimits) -> EgressError:
    """The error in our words. Order matters: aiohttp's classes overlap."""
    peer = f"{url.raw_host}:{url.port}"
    match error:
        case aiohttp.ConnectionTimeoutError():
            return TimedOut(f"no connection to {peer} within {limits.connect_s:g} s", which="connect", sent=False)
        case aiohttp.SocketTimeoutError():
            return TimedOut(f"nothing came from {peer} for {limits.read_s:g} s", which="read", sent=True)
        case TimeoutError():
            return TimedOut(f"{peer} did not finish within {limits.total_s:.3g} s", which="total", sent=True)
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return TlsFailed(f"the TLS handshake with {peer} failed: {_tls_reason(error)}")
        case aiohttp.ClientConnectorDNSError():
            return ConnectFailed(f"the host name {url.raw_host} is unknown")
        case aiohttp.ClientConnectorError():
            reason = os.strerror(error.os_error.errno) if error.os_error.errno else "no connection"
            return ConnectFailed(f"{peer} cannot be reached: {reason}")
        case aiohttp.InvalidURL() | ValueError():
            return AddressRefused("the request cannot be sent as it stands", rule="malformed_url")
        case aiohttp.ClientResponseError():
            return BadResponse(f"{peer} answered something that is not HTTP", sent=True)
        case _:
            return BadResponse(f"{peer} broke the connection before its answer was whole", sent=True)


def _tls_reason(error: Exception) -> str:
    inner = error.certificate_error if isinstance(error, aiohttp.ClientConnectorCertificateError) else error.__cause__
    return str(getattr(inner, "verify_message", "") or getattr(inner, "reason", "") or "no common ground")
