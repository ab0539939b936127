"""A system that a plugin reaches, as tests of connections see it: settings, and how entities come to be there."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from openplaybook.connectors.base import SystemCall, SystemConnection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import Authentication, ConfigValue, ConnectionSettings
from openplaybook.jsonvalues import JsonObject

NAME = "projects/p/locations/l/connections/c"


@dataclass(slots=True)
class LoopbackNames:
    """Every name is this machine; remembers what it was asked."""

    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """The address."""
        self.asked.append((host, port))
        return ["127.0.0.1"]


@dataclass(slots=True)
class PluginPeer:
    """A system with some entities."""

    settings: ConnectionSettings
    access: SystemAccess
    entity_type: str
    add: Callable[[Sequence[str]], Awaitable[None]]
    """Puts entities of these names there, beside all connections."""
    held: Callable[[], Mapping[str, object]]
    """What is there, by name."""
    asked: Callable[[], int]
    """How many requests have reached it."""
    conditions: Sequence[str]
    """Some that tell its entities apart."""
    sort_field: str
    new: JsonObject | None = None
    """Values of a new entity; None where entities come by an action."""
    change: JsonObject | None = None
    """Values that can be set."""
    key: Callable[[str], str] = str
    """The key of a name."""
    gone: Callable[[bool], None] | None = None
    """For what is reached over HTTP: from now on it hangs up, or is silent."""

    connections: list[SystemConnection] = field(default_factory=list[SystemConnection])
    """Those that were opened."""

    def configured(self, **config: ConfigValue) -> ConnectionSettings:
        """Settings with some config variables more."""
        return replace(self.settings, config={**self.settings.config, **config})

    async def opened(self, settings: ConnectionSettings | None = None) -> SystemConnection:
        """A connection."""
        opened = await open_plugin(settings or self.settings, self.access)
        self.connections.append(opened)
        return opened

    async def aclose(self) -> None:
        """Close all connections."""
        for each in self.connections:
            await each.aclose()

    def with_login(self, authentication: Authentication) -> ConnectionSettings:
        """Settings with another credential."""
        return replace(self.settings, authentication=authentication)


def call(timeout_s: float = 20.0) -> SystemCall:
    """A call with enough time."""
    return SystemCall(timeout_s=timeout_s)


@asynccontextmanager
async def silent_server(*, hangs_up: bool = False) -> AsyncGenerator[int]:
    """The port of a server that takes what comes and never says a word, or hangs up at once."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        if hangs_up:
            writer.transport.abort()
            return
        while await reader.read(65_536):
            pass

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()


@dataclass(slots=True)
class StallingProxy:
    """Forwards to a port of this machine until it stalls: then it keeps all connections and passes nothing on."""

    port: int = 0
    left: int | None = None
    """Bytes of the server that still pass; None for any number."""

    def stall(self, after: int) -> None:
        """Stall after so many bytes of the server more."""
        self.left = after


@asynccontextmanager
async def stalling_proxy(upstream: int) -> AsyncGenerator[StallingProxy]:
    """A proxy on a free port. Connections to other ports, of data, do not go through it."""
    proxy = StallingProxy()
    writers: list[asyncio.StreamWriter] = []
    running: set[asyncio.Task[None]] = set()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_counted: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if is_counted and proxy.left is not None:
                    data, proxy.left = data[: proxy.left], max(0, proxy.left - len(data))
                writer.write(data)
                await writer.drain()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", upstream)
        writers.extend((writer, up_writer))
        ways = (forward(reader, up_writer, is_counted=False), forward(up_reader, writer, is_counted=True))
        running.update(asyncio.ensure_future(way) for way in ways)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
