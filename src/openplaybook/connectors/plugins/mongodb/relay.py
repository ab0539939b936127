"""The way from the driver to the one server that is meant: the driver looks names up itself and takes TLS settings from
files, so it gets a socket of this machine that only this user may open, and what is behind it is dialled here."""

import asyncio
import shutil
import ssl
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError, SystemFault, SystemUnavailable
from openplaybook.connectors.plugins.dialled_address import CONNECT_S, dialled
from openplaybook.connectors.settings import Destination

MOST_MESSAGE = 20_000_000
"""Bytes of one message of the server; a document has at most 16 MiB."""
_CHUNK = 65_536
_MOST_FOLDER = 70
_HEADER = struct.Struct("<i")


class ServerRelay:
    """Forwards messages (their length comes first) between the driver and a server."""

    def __init__(self, access: SystemAccess, destination: Destination, tls: ssl.SSLContext | None) -> None:
        self._access = access
        self._destination = destination
        self._tls = tls
        self._folder = ""
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.failure: ConnectorError | None = None
        """Why the last connection did not come about, or ended; None while all is well."""

    async def start(self) -> str:
        """The path of the socket, once the server has been reached. Raises a subclass of `ConnectorError`."""
        _, writer = await self._opened()
        writer.transport.abort()
        if self._server is None:
            # The path of a socket has at most 107 characters.
            usual = tempfile.gettempdir()
            place = usual if len(usual) <= _MOST_FOLDER else "/tmp"
            self._folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="openplaybook-", dir=place)
            path = f"{self._folder}/s.sock"
            self._server = await asyncio.start_unix_server(self._serve, path)
        return f"{self._folder}/s.sock"

    async def aclose(self) -> None:
        """End all connections."""
        if self._server is not None:
            self._server.close()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        if self._folder:
            await asyncio.to_thread(shutil.rmtree, Path(self._folder), ignore_errors=True)

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host = self._destination.host
        connected = await dialled(self._access, host, self._destination.port)
        try:
            async with asyncio.timeout(CONNECT_S):
                name = host if self._tls is not None else None
                return await asyncio.open_connection(sock=connected, ssl=self._tls, server_hostname=name)
        except (OSError, TimeoutError) as error:
            connected.close()
            raise SystemUnavailable(f"there is no trusted TLS with {host}: {error or 'no answer in time'}") from error

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._joined(reader, writer))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await asyncio.wait([task])

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there: asyncio.StreamWriter | None = None
        try:
            from_there, there = await self._opened()
            self.failure = None
            ways = [asyncio.ensure_future(each) for each in (_all(reader, there), self._messages(from_there, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.wait(ways)
        except ConnectorError as error:
            self.failure = error
        finally:
            for each in (writer, there):
                if each is not None:
                    each.transport.abort()

    async def _messages(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                header = await reader.readexactly(_HEADER.size)
                [length] = _HEADER.unpack(header)
                if not _HEADER.size <= length <= MOST_MESSAGE:
                    self.failure = SystemFault(
                        f"the system's reply is longer than {MOST_MESSAGE:,} bytes; ask for fewer fields or entities"
                    )
                    return
                writer.write(header)
                left = length - _HEADER.size
                while left:
                    data = await reader.read(min(left, _CHUNK))
                    if not data:
                        return
                    left -= len(data)
                    writer.write(data)
                    await writer.drain()


async def _all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
