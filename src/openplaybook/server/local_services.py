"""Loopback services of the operator's own, such as the demo's: reachable by exact origin, not by address.

Allowing tools all of 127.0.0.1 would open every other port of the machine, this server's own among them.
"""

from collections.abc import Collection

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.web_origin import origin_of


class LocalServices:
    """A transport that sends to some origins by another transport."""

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
