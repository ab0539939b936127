"""A way to a server that breaks at a chosen moment: before a request has arrived, or before its answer has."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

What = Literal["request", "answer"]


@dataclass(slots=True)
class CuttingProxy:
    """Forwards to a port of this machine; cuts a connection once, when told."""

    upstream: int
    port: int = 0
    _what: What = "answer"
    _left: int | None = None
    _open: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _served: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])

    def cut(self, what: What, after: int) -> None:
        """Let so many requests or answers pass, and break the connection in place of the next."""
        self._what, self._left = what, after

    @property
    def has_cut(self) -> bool:
        """Whether that has happened."""
        return self._left is None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        served = asyncio.ensure_future(self._pass_on(reader, writer))
        self._served.add(served)
        served.add_done_callback(self._served.discard)
        await asyncio.shield(served)

    async def finish(self) -> None:
        """Return when both ends of every connection are closed; one of them has hung up."""
        if self._served:
            await asyncio.wait(self._served)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        ways = (self._forward(reader, up_writer, "request"), self._forward(up_reader, writer, "answer"))
        tasks = [asyncio.create_task(way) for way in ways]
        self._open.update(tasks)
        # Where one way has ended the other has no use.
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        self._open.difference_update(tasks)
        for each in (writer, up_writer):
            each.close()
            with suppress(OSError):
                await each.wait_closed()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, what: What) -> None:
        with suppress(OSError):
            while (data := await reader.read(1 << 16)) and not self._cuts(what):
                writer.write(data)
                await writer.drain()

    def _cuts(self, what: What) -> bool:
        if self._left is None or what != self._what:
            return False
        if self._left:
            self._left -= 1
            return False
        self._left = None
        return True


@asynccontextmanager
async def cutting_proxy(upstream: int) -> AsyncGenerator[CuttingProxy]:
    """A proxy on a free port."""
    proxy = CuttingProxy(upstream)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.finish()
