"""Calls that are given up, and transports that are closed in the midst, leave nothing behind."""

import asyncio
import gc
import os
import socket
import weakref
from collections.abc import AsyncIterator, Sequence

import pytest
import trustme

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import BadResponse, ConnectFailed
from openplaybook.egress.http_connection import Connection
from openplaybook.egress.http_transport import HttpTransport
from tests.kit.certificates import server_tls
from tests.kit.egress import Names, failure, get, on_loopback
from tests.kit.http_peer import Received, answer, http_peer

SOME = 40


class Never:
    """Looks names up for ever."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Nothing."""
        await asyncio.Event().wait()
        return ()


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    made = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    yield made
    await made.aclose()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


async def rounds(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def given_up(transport: HttpTransport, request: HttpRequest) -> None:
    """Gives a request up after one round of the loop, the next after two, and so on."""
    for after in range(SOME):
        call = asyncio.create_task(transport.send(request, HttpLimits()))
        await rounds(after)
        call.cancel()
        await asyncio.wait([call])
    await rounds(5)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts the files of the process")
async def test_a_call_given_up_at_any_moment_leaves_no_socket_and_spoils_no_other() -> None:
    authority, transport = trustme.CA(), on_loopback("api.example")
    silent = socket.create_server(("127.0.0.1", 0), backlog=2 * SOME)
    trusted = (authority.cert_pem.bytes(),)

    def reply(request: Received) -> bytes:
        return answer(request.target.encode() * 30_000)

    async with http_peer(reply) as plain, http_peer(reply, server_tls(authority, "api.example")) as tls:
        urls = [f"http://api.example:{plain.port}", f"https://api.example:{tls.port}"]
        for url in urls:
            assert (await transport.send(HttpRequest("GET", url, ca_certificates=trusted), HttpLimits())).status == 200
        before = open_files()
        for url in (*urls, f"https://api.example:{silent.getsockname()[1]}"):
            for body in (None, bytes(2_000_000)):
                await given_up(transport, HttpRequest("POST", f"{url}/gone", (), body, trusted))
        for url in urls:
            answered = await transport.send(HttpRequest("GET", f"{url}/b", ca_certificates=trusted), HttpLimits())
            assert answered.body == b"/b" * 30_000
        await transport.aclose()
        await rounds(50)
        assert open_files() <= before
    silent.close()


async def test_a_connection_that_was_closed_between_calls_is_forgotten(transport: HttpTransport) -> None:
    gc.collect()
    known = weakref.WeakSet(each for each in gc.get_objects() if isinstance(each, Connection))
    async with http_peer(lambda _: answer()) as peer:
        for _ in range(5):
            await get(transport, peer.url)
            for writer in peer.writers:
                writer.transport.abort()
            await rounds(10)
        gc.collect()
        made = [each for each in gc.get_objects() if isinstance(each, Connection) and each not in known]
        assert (peer.connections, len(made)) == (5, 1)


async def test_a_transport_that_is_closed_while_a_name_is_looked_up_connects_nowhere() -> None:
    transport = HttpTransport(AddressPolicy(), Never())
    call = asyncio.create_task(get(transport, "http://api.example/"))
    await rounds(5)
    await transport.aclose()
    assert type(await failure(call)) is ConnectFailed


async def test_a_transport_that_is_closed_while_an_answer_comes_has_got_none_of_it(transport: HttpTransport) -> None:
    begun = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        # Its end is that of the connection.
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nhalf")
        begun.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        call = asyncio.create_task(get(transport, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"))
        await begun.wait()
        await rounds(5)
        await transport.aclose()
        error = await failure(call)
    assert (type(error), error.sent) == (BadResponse, True)


@pytest.mark.parametrize("addresses", [(), ("10.0.0.1",)])
async def test_those_who_ask_for_one_name_together_get_an_error_each(addresses: Sequence[str]) -> None:
    transport = HttpTransport(AddressPolicy(), Names({"api.example": [addresses]}))
    first, second = await asyncio.gather(*(failure(get(transport, "http://api.example/")) for _ in range(2)))
    await transport.aclose()
    assert (type(first), str(first), first.sent) == (type(second), str(second), second.sent)
    assert first is not second
