"""A way out that leads nowhere: whatever is sent, one recorded response comes back."""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A transport that sends nothing."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The recorded response, cut as any other."""
        body = self.body[: limits.max_bytes]
        return HttpResponse(self.status, tuple(self.headers.items()), body, len(body) < len(self.body), 0.0)

    async def aclose(self) -> None:
        """There is nothing to close."""
