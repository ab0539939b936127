"""Connections that are kept, and how new ones are made."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from openplaybook.egress.base import Endpoint
from openplaybook.egress.errors import ConnectFailed, NameUnknown
from openplaybook.egress.http_pool import ConnectTooSlow, HttpConnectionPool, Peer, Unreachable
from tests.kit.http_peer import answer, http_peer


class Names:
    """Knows one name, once it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        await self.may_answer.wait()
        return ("127.0.0.1",) if host == "api.example" else ()


@pytest.fixture
async def names() -> Names:
    return Names()


@pytest.fixture
async def pool(names: Names) -> AsyncIterator[HttpConnectionPool]:
    made = HttpConnectionPool(names)
    yield made
    await made.aclose()


async def exchanged(pool: HttpConnectionPool, peer: Peer) -> None:
    connection = await pool.take(peer, 5)
    await connection.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", None, is_head=False, read_s=None)
    while await connection.piece():
        pass
    pool.give_back(peer, connection)


async def test_a_name_is_looked_up_once_for_all_who_ask_and_for_a_while(pool: HttpConnectionPool, names: Names) -> None:
    async with http_peer(lambda _: answer()) as served:
        peer = Peer("api.example", served.port)
        asking = [asyncio.create_task(exchanged(pool, peer)) for _ in range(3)]
        await asyncio.sleep(0)
        names.may_answer.set()
        await asyncio.gather(*asking)
        await exchanged(pool, peer)
        assert (names.asked, served.connections) == (1, 3)


async def test_who_gives_up_does_not_take_the_answer_from_the_others(pool: HttpConnectionPool, names: Names) -> None:
    async with http_peer(lambda _: answer()) as served:
        peer = Peer("api.example", served.port)
        with pytest.raises(ConnectTooSlow):
            await pool.take(peer, 0.001)
        waiting = asyncio.create_task(exchanged(pool, peer))
        await asyncio.sleep(0)
        names.may_answer.set()
        await waiting
        assert names.asked == 1


async def test_a_name_without_an_address_is_unknown(pool: HttpConnectionPool, names: Names) -> None:
    names.may_answer.set()
    with pytest.raises(NameUnknown):
        await pool.take(Peer("nowhere.example", 80), 5)


async def test_a_connection_that_was_left_is_not_used_again(pool: HttpConnectionPool) -> None:
    async with http_peer(lambda _: answer()) as served:
        peer = Peer("127.0.0.1", served.port)
        pool.give_back(peer, await pool.take(peer, 5))
        await exchanged(pool, peer)
        assert served.connections == 2


async def test_a_connection_that_nobody_used_for_long_is_closed(names: Names) -> None:
    pool, closed = HttpConnectionPool(names, idle_s=0.01), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer())
        assert await reader.read() == b""
        writer.close()
        closed.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        await exchanged(pool, Peer("127.0.0.1", server.sockets[0].getsockname()[1]))
        async with asyncio.timeout(30):
            await closed.wait()
    await pool.aclose()


async def test_the_next_address_is_dialled_when_one_refuses(pool: HttpConnectionPool) -> None:
    async with http_peer(lambda _: answer()) as gone:
        closed = Endpoint("127.0.0.1", gone.port)
    async with http_peer(lambda _: answer()) as served:
        await exchanged(pool, Peer("api.example", 80, None, (closed, Endpoint("127.0.0.1", served.port))))
        assert served.connections == 1
    with pytest.raises(Unreachable) as caught:
        await pool.take(Peer("api.example", 80, None, (closed, closed)), 5)
    assert isinstance(caught.value.__cause__, ConnectionRefusedError)


async def test_a_closed_pool_gives_no_connections(pool: HttpConnectionPool) -> None:
    await pool.aclose()
    with pytest.raises(ConnectFailed):
        await pool.take(Peer("127.0.0.1", 1), 5)
