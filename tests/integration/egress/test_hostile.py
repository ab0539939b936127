"""A hostile world: nothing forbidden is reached, nothing hangs, nothing fills the memory."""

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import AddressRefused, BadResponse, EgressError
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.egress.resolver import CheckedResolver
from tests.kit.egress import QUICK, Names, failure, get
from tests.kit.hostile_web.answers import REPLIES, Reply
from tests.kit.hostile_web.names import ANSWERS
from tests.kit.hostile_web.redirects import LOCATIONS
from tests.kit.hostile_web.urls import URLS
from tests.kit.http_peer import Received, answer, http_peer

pytestmark = pytest.mark.proves("A11")

PATIENT = HttpLimits(max_bytes=1_000_000)
HURRIED = replace(PATIENT, total_s=0.3)
BOUND_S = 30
MOST_GROWTH_KIB = 30_000


@pytest.fixture
def names() -> Names:
    return Names({"internal.example": [("10.0.0.1",)], "INTERNAL.example.": [("10.0.0.1",)]})


@pytest.fixture
async def transport(names: Names) -> AsyncIterator[ResilientTransport]:
    """Reaches 127.0.0.1 and public addresses."""
    made = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), names))
    yield made
    await made.aclose()


def outcome_of(error: EgressError) -> str:
    return error.rule if isinstance(error, AddressRefused) else error.code


def test_there_are_enough_of_them() -> None:
    assert (len(URLS) >= 150, len(LOCATIONS) >= 40, len(ANSWERS) >= 40, len(REPLIES) >= 50) == (True,) * 4


@pytest.mark.parametrize("url", URLS, ids=lambda url: repr(url[:60]))
async def test_a_hostile_url_is_not_even_looked_up(url: str) -> None:
    names = Names({})
    transport = ResilientTransport(HttpTransport(AddressPolicy(), names))
    error = await failure(transport.send(HttpRequest("POST", url, (), b"{}"), QUICK))
    await transport.aclose()
    assert (outcome_of(error), error.sent, error.attempts, names.asked) == (URLS[url], False, 1, [])
    assert len(str(error)) < 300


@pytest.mark.parametrize("location", LOCATIONS)
async def test_a_hostile_redirect_leads_nowhere(transport: ResilientTransport, location: str) -> None:
    raw = answer(b"", "302 Found").replace(b"\r\n\r\n", b"\r\nLocation: " + location.encode() + b"\r\n\r\n")
    async with http_peer(lambda _: raw) as peer:
        error = await failure(get(transport, f"{peer.url}/start", Authorization="Bearer t"))
        assert (outcome_of(error), error.sent) == (LOCATIONS[location], True)
        assert len(peer.requests) == (6 if LOCATIONS[location] == "TOO_MANY_REDIRECTS" else 1)


@pytest.mark.parametrize("case", ANSWERS)
async def test_a_hostile_answer_to_a_name_is_not_dialled(case: str) -> None:
    addresses, outcome = ANSWERS[case]
    names = Names({"api.example": [addresses]})
    transport = ResilientTransport(HttpTransport(AddressPolicy(), names))
    error = await failure(get(transport, "http://api.example/", QUICK))
    await transport.aclose()
    assert (outcome_of(error), error.sent, names.asked) == (outcome, False, ["api.example"])


async def test_a_name_is_dialled_by_what_was_checked_and_not_looked_up_again() -> None:
    async with http_peer(lambda _: answer(Connection="close")) as peer:
        names = Names({"api.example": [("127.0.0.1",), ("169.254.169.254",)]})
        transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), names)
        for _ in range(3):
            assert (await get(transport, f"http://api.example:{peer.port}/")).status == 200
        await transport.aclose()
        assert (peer.connections, names.asked) == (3, ["api.example"])


async def test_of_thousands_of_addresses_sixty_four_are_checked_and_dialled() -> None:
    addresses = [f"8.8.{number // 250}.{number % 250}" for number in range(5_000)] + ["10.0.0.1"]
    resolver = CheckedResolver(Names({"api.example": [addresses]}), AddressPolicy())
    assert await resolver.resolve("api.example", 80) == addresses[:64]


async def test_credentials_do_not_follow_a_redirect_to_another_origin(transport: ResilientTransport) -> None:
    async with http_peer(lambda _: answer()) as other:
        async with http_peer(lambda _: answer(b"", "307 Temporary Redirect", Location=f"{other.url}/")) as peer:
            response = await get(transport, peer.url, Authorization="Bearer t", Cookie="a=b", X_Api_Key="k")
        assert response.status == 200
        assert [other.requests[0].header(name) for name in ("Authorization", "Cookie", "X-Api-Key")] == [None] * 3


async def received(transport: ResilientTransport, reply: Reply, limits: HttpLimits) -> str:
    """What becomes of a reply."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply.first)
            while reply.repeat:
                writer.write(reply.repeat)
                await writer.drain()
                await asyncio.sleep(reply.pause_s)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        try:
            response = await transport.send(HttpRequest("GET", url), limits)
        except EgressError as error:
            return error.code
        assert len(response.body) <= limits.max_bytes
        return "cut" if response.truncated else f"{response.status} {response.body!r}"


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.name)
async def test_a_hostile_answer_neither_hangs_nor_fills_the_memory(transport: ResilientTransport, reply: Reply) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limits = HURRIED if reply.becomes == "TIMEOUT" else PATIENT
    async with asyncio.timeout(BOUND_S):
        assert await received(transport, reply, limits) == reply.becomes
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH_KIB


@pytest.mark.parametrize(
    "smuggled",
    [
        answer(b'"first"') + answer(b'"poison"'),
        answer(b'"first"') + b"HTTP/1.1 200 OK\r\nContent-Le",
        answer(b'"first"', "204 No Content") + answer(b'"poison"'),
    ],
)
async def test_an_answer_nobody_asked_for_is_not_the_next_ones(transport: ResilientTransport, smuggled: bytes) -> None:
    def reply(request: Received) -> bytes:
        return smuggled if request.target == "/first" else answer(b'"second"')

    async with http_peer(reply) as peer:
        for _ in range(3):
            with suppress(BadResponse):
                await get(transport, f"{peer.url}/first")
            assert (await get(transport, f"{peer.url}/second")).body == b'"second"'


async def test_a_connection_that_switches_protocols_is_given_up(transport: ResilientTransport) -> None:
    upgrade = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello"
    async with http_peer(lambda _: upgrade) as peer:
        for _ in range(2):
            await asyncio.gather(get(transport, peer.url, QUICK), return_exceptions=True)
        assert peer.connections == 2
