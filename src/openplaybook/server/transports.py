"""The server's ways out: brought in behind its start, and to services of the operator's own.

Importing the HTTP client takes a quarter of the time until a server is ready, and nothing needs it before the first
tool is called.
"""

import asyncio
from collections.abc import Collection

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.web_origin import origin_of


class LateTransport:
    """A resilient `HttpTransport` that is made with the first request, in a thread: the loop goes on answering."""

    def __init__(self, policy: AddressPolicy, *, is_resilient: bool = True) -> None:
        """`is_resilient`: whether requests are tried again; else it is a plain `HttpTransport`."""
        self._policy = policy
        self._is_resilient = is_resilient
        self._transport: Transport | None = None
        self._making: asyncio.Task[Transport] | None = None

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request`; raises a subclass of `EgressError` when there is none."""
        if self._transport is None:
            self._transport = await self._made()
        return await self._transport.send(request, limits)

    async def aclose(self) -> None:
        """Close every connection."""
        if self._making is not None:
            await (await self._made()).aclose()

    async def _made(self) -> Transport:
        # One caller that gives up must not take the transport from the others.
        return await asyncio.shield(self._begun())

    def _begun(self) -> asyncio.Task[Transport]:
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(_http_transport, self._policy, self._is_resilient))
        return self._making


def _http_transport(policy: AddressPolicy, is_resilient: bool) -> Transport:
    from openplaybook.egress.http_transport import HttpTransport
    from openplaybook.egress.resilient_transport import ResilientTransport

    plain = HttpTransport(policy)
    return ResilientTransport(plain) if is_resilient else plain


class LocalServices:
    """A transport that sends to some origins by another transport: to services of the operator's own on this machine,
    such as the demo's, which are reachable by exact origin. Allowing tools all of 127.0.0.1 would open every other port
    of the machine, this server's own among them."""

    def __init__(self, otherwise: Transport, origins: Collection[str], local: Transport) -> None:
        """Requests to `origins` (`http://127.0.0.1:8090`) go through `local`, all others through `otherwise`."""
        self._otherwise = otherwise
        self._origins = frozenset(map(origin_of, origins)) - {None}
        self._local = local

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request`; raises what the chosen transport raises."""
        transport = self._local if origin_of(request.url) in self._origins else self._otherwise
        return await transport.send(request, limits)

    async def aclose(self) -> None:
        """Close both."""
        await self._otherwise.aclose()
        await self._local.aclose()
