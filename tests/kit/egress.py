"""What tests of the way out share: names that resolve as told, and the failures that come of it."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.egress.http_transport import HttpTransport

QUICK = HttpLimits(connect_s=0.2, read_s=0.2, total_s=0.5)


@dataclass
class Names:
    """A resolver that knows some names; each lookup takes the next of a name's answers, and the last one stays."""

    answers: dict[str, list[Sequence[str]]]
    asked: list[str] = field(default_factory=list[str])

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The next answer."""
        self.asked.append(host)
        known = self.answers.get(host, [()])
        return known.pop(0) if len(known) > 1 else known[0]


def on_loopback(*names: str) -> HttpTransport:
    """A transport for which these names are this machine, which it may reach."""
    return HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), Names({name: [("127.0.0.1",)] for name in names}))


async def get(transport: Transport, url: str, limits: HttpLimits | None = None, **more: str) -> HttpResponse:
    """A GET; `more` are headers, `_` standing for `-`."""
    headers = tuple((name.replace("_", "-"), value) for name, value in more.items())
    return await transport.send(HttpRequest("GET", url, headers), limits or HttpLimits())


async def failure(sending: Awaitable[HttpResponse]) -> EgressError:
    """The error that comes of it."""
    with pytest.raises(EgressError) as caught:
        await sending
    return caught.value
