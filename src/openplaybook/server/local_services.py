"""Loopback services of the operator's own, such as the demo's: reachable by exact origin, not by address.

Allowing tools all of 127.0.0.1 would open every other port of the machine, this server's own among them.
"""

from collections.abc import Collection

from yarl import URL

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport


class LocalServices:
    """A transport that sends to some origins by another transport."""

    def __init__(self, otherwise: Transport, origins: Collection[str], local: Transport) -> None:
        """Requests to `origins` (`http://127.0.0.1:8090`) go through `local`, all others through `otherwise`."""
        self._otherwise = otherwise
        self._origins = frozenset(str(URL(origin).origin()) for origin in origins)
        self._local = local

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to `request`; raises what the chosen transport raises."""
        transport = self._local if _origin(request.url) in self._origins else self._otherwise
        return await transport.send(request, limits)

    async def aclose(self) -> None:
        """Close both."""
        await self._otherwise.aclose()
        await self._local.aclose()


def _origin(url: str) -> str:
    """Scheme, host and port; empty for what is no absolute URL, which the strict transport then refuses."""
    try:
        return str(URL(url, encoded=True).origin())
    except ValueError:
        return ""
