"""Which transport a request takes."""

from dataclasses import dataclass, field

import pytest

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.server.transports import LocalServices


@dataclass
class Remembering:
    """A transport that remembers what it was to send."""

    urls: list[str] = field(default_factory=list[str])
    closed: bool = False

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.urls.append(request.url)
        return HttpResponse(204, (), b"", False, 0.0)

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize("url", ["http://127.0.0.1:8090/v1/pets", "HTTP://127.0.0.1:8090", "http://127.0.0.1:8090?a=b"])
async def test_a_local_service_is_reached_by_its_origin(url: str) -> None:
    strict, local = Remembering(), Remembering()
    await LocalServices(strict, ["http://127.0.0.1:8090/v1"], local).send(HttpRequest("GET", url), HttpLimits())
    assert (strict.urls, local.urls) == ([], [url])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/v3/agents",
        "https://127.0.0.1:8090/v1/pets",
        "http://localhost:8090/v1/pets",
        "http://127.0.0.1:8090@evil.example/",
        "http://pets.example/",
        "http://[::1",
        "//127.0.0.1:8090/",
        "",
    ],
)
async def test_everything_else_goes_the_strict_way(url: str) -> None:
    strict, local = Remembering(), Remembering()
    await LocalServices(strict, ["http://127.0.0.1:8090"], local).send(HttpRequest("GET", url), HttpLimits())
    assert (strict.urls, local.urls) == ([url], [])


async def test_both_are_closed() -> None:
    strict, local = Remembering(), Remembering()
    await LocalServices(strict, [], local).aclose()
    assert strict.closed
    assert local.closed
