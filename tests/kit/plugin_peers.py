"""A system that a plugin reaches, as tests of connections see it: settings, and how entities come to be there."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
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
