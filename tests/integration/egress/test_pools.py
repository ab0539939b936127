"""Connections are kept and used again, and one that the other side closed meanwhile costs nobody an error."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import trustme

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import BadResponse, CircuitOpen, ConnectFailed, TimedOut
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from tests.kit.certificates import server_tls
from tests.kit.egress import QUICK, failure, on_loopback
from tests.kit.http_peer import Received, answer, http_peer


@pytest.fixture
async def transport() -> AsyncIterator[ResilientTransport]:
    made = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8"))))
    yield made
    await made.aclose()


async def loop_turns() -> None:
    """Long enough for the event loop to notice what has come in."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_redirects_refusals_and_errors_keep_their_connection(transport: ResilientTransport) -> None:
    def reply(request: Received) -> bytes:
        match request.target:
            case "/moved":
                return answer(b"<p>moved</p>" * 100, "302 Found", Location="/here")
            case "/refused":
                return answer(b'{"error":"token"}', "401 Unauthorized")
            case "/broken":
                return answer(b"oops", "500 Internal Server Error")
            case _:
                return answer()

    async with http_peer(reply) as peer:
        for _ in range(5):
            for path in ("/moved", "/refused", "/broken", "/"):
                await transport.send(HttpRequest("GET", peer.url + path), HttpLimits())
                await transport.send(HttpRequest("POST", peer.url + path, (), b"{}"), HttpLimits())
        assert (len(peer.requests), peer.connections) == (50, 1)


async def test_calls_at_once_open_as_many_connections_and_later_ones_none(transport: ResilientTransport) -> None:
    together = asyncio.Barrier(16)

    async def when_all_are_in(_: Received) -> bytes:
        await together.wait()
        return answer()

    async with http_peer(when_all_are_in) as peer:
        request = HttpRequest("GET", peer.url)
        for _ in range(4):
            await asyncio.gather(*(transport.send(request, HttpLimits()) for _ in range(16)))
        assert (len(peer.requests), peer.connections) == (64, 16)


async def test_tls_connections_are_kept_too() -> None:
    authority, transport = trustme.CA(), on_loopback("api.example")
    async with http_peer(lambda _: answer(), server_tls(authority, "api.example")) as peer:
        for _ in range(10):
            # A new request each time: its certificates are equal, not the same objects.
            trusted = (bytes(bytearray(authority.cert_pem.bytes())),)
            request = HttpRequest("GET", f"https://api.example:{peer.port}/", ca_certificates=trusted)
            assert (await transport.send(request, HttpLimits())).status == 200
        assert peer.connections == 1
    await transport.aclose()


async def test_a_connection_closed_between_calls_is_replaced(transport: ResilientTransport) -> None:
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer())
        writer.close()
        await writer.wait_closed()
        closed.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for method in ("GET", "POST", "GET", "POST"):
            closed.clear()
            response = await transport.send(HttpRequest(method, url), HttpLimits())
            assert (response.status, response.attempts) == (200, 1)
            await closed.wait()
            await loop_turns()


async def test_a_connection_closed_under_a_repeatable_request_is_replaced(transport: ResilientTransport) -> None:
    served: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.append(await reader.readuntil(b"\r\n\r\n"))
        if len(served) > 1:
            writer.write(answer())
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        response = await transport.send(HttpRequest("GET", url, repeatable=True), HttpLimits())
        assert (response.status, response.attempts, len(served)) == (200, 2, 2)
        await loop_turns()
        served.clear()
        error = await failure(transport.send(HttpRequest("GET", url), HttpLimits()))
        assert (type(error), error.sent, len(served)) == (BadResponse, True, 1)


async def test_a_put_that_is_not_repeatable_is_sent_once(transport: ResilientTransport) -> None:
    # aiohttp by itself would send it twice.
    async with http_peer(lambda _: None) as peer:
        error = await failure(transport.send(HttpRequest("PUT", peer.url, (), b"{}"), HttpLimits()))
        assert (type(error), error.sent, error.attempts, len(peer.requests)) == (BadResponse, True, 1, 1)


async def test_a_service_that_comes_back_is_reached_within_the_call(transport: ResilientTransport) -> None:
    statuses = iter(["503 Service Unavailable", "429 Too Many Requests", "200 OK"])
    async with http_peer(lambda _: answer(b"{}", next(statuses), Retry_After="0")) as peer:
        response = await transport.send(HttpRequest("POST", peer.url, (), b"{}"), HttpLimits())
        assert (response.status, response.attempts) == (200, 3)
        assert (len(peer.requests), peer.connections) == (3, 1)


async def test_where_nobody_listens_any_request_is_tried_again(transport: ResilientTransport) -> None:
    async with http_peer(lambda _: answer()) as peer:
        gone = peer.url
    error = await failure(transport.send(HttpRequest("POST", gone, (), b"{}"), HttpLimits()))
    assert (type(error), error.sent, error.attempts) == (ConnectFailed, False, 3)


async def test_a_dead_service_costs_nothing_after_ten_failures(transport: ResilientTransport) -> None:
    async with http_peer(lambda _: None) as peer:
        request = HttpRequest("POST", peer.url, (), b"{}")
        outcomes = [type(await failure(transport.send(request, HttpLimits()))) for _ in range(12)]
        assert outcomes == [BadResponse] * 10 + [CircuitOpen] * 2
        assert len(peer.requests) == 10


async def test_a_silent_service_is_given_up_within_the_whole_time(transport: ResilientTransport) -> None:
    async def never(_: Received) -> bytes:
        await asyncio.Event().wait()
        return b""

    async with http_peer(never) as peer:
        error = await failure(transport.send(HttpRequest("GET", peer.url, repeatable=True), QUICK))
        assert isinstance(error, TimedOut)
        assert 2 <= len(peer.requests) == error.attempts <= 3
