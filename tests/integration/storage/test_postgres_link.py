"""A connection as libpq keeps it, under the loop of the server."""

import asyncio
import os
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import pytest
import uvloop
from psycopg import AsyncConnection, OperationalError

from openplaybook.storage.postgres.link import Link
from tests.kit.background import Background
from tests.kit.postgres import Cluster

_FIELDS = b"SWARNING\0VWARNING\0C57P02\0Mterminating connection because of crash of another server process\0\0"
_NOTICE = b"N" + struct.pack("!I", 4 + len(_FIELDS)) + _FIELDS
"""What a server sends before it goes (postgresql.org/docs/current/protocol-message-formats.html, NoticeResponse)."""


@dataclass(slots=True)
class _Way:
    """To a server, which can say that it goes and reset its connections at once."""

    upstream: int
    port: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _writers: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        self._writers.append(writer)
        await asyncio.gather(_forward(reader, up_writer), _forward(up_reader, writer))
        self.ended.set()

    async def reset(self) -> None:
        """Say that the server goes, and reset what is open; both have happened when this returns."""
        for writer in self._writers:
            same = writer.get_extra_info("socket")
            same.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.write(same.fileno(), _NOTICE)
            writer.transport.abort()
            await asyncio.sleep(0)
            assert same.fileno() == -1


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
    writer.close()


@asynccontextmanager
async def _way_to(cluster: Cluster) -> AsyncGenerator[_Way]:
    way = _Way(cluster.port)
    async with await asyncio.start_server(way.serve, "127.0.0.1", 0) as server:
        way.port = server.sockets[0].getsockname()[1]
        yield way
        await way.ended.wait()


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_connection_that_is_reset_with_its_last_words_is_lost_at_once(cluster: Cluster, is_asked: bool) -> None:
    """libuv stops watching a socket when it tells of its reset, and there is still something to read from it."""

    async def body(background: Background, way: _Way) -> None:
        connection = await AsyncConnection.connect(replace(cluster, port=way.port).url(), autocommit=True)
        gone = asyncio.Event()
        link = Link(connection, lambda _: gone.set(), 60)
        assert await link.rows("SELECT 1::bigint") == [(1,)]
        asked = [asyncio.ensure_future(link.rows("SELECT pg_sleep(60)::text"))] if is_asked else []
        await asyncio.sleep(0)
        # This loop stands still meanwhile, and hears of both in one go.
        background.run(way.reset())
        await asyncio.wait_for(gone.wait(), 10)
        for each in [*asked, link.rows("SELECT 1::bigint")]:
            with pytest.raises(OperationalError):
                await each

    background = Background()
    background.start()
    try:
        with background.entered(_way_to(cluster)) as way, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(body(background, way))
    finally:
        background.stop()
