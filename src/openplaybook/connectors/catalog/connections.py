"""Opened connections: one for each that is in use and each credential, closed when it was not used for a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import Opener, SystemAccess
from openplaybook.connectors.settings import ConnectionSettings

MOST_OPENED = 200
"""Connections and credentials; what was used least is closed for another."""
IDLE_S = 600.0
"""An opened connection that nobody used for so long is closed."""


@dataclass(slots=True, eq=False)
class _Opened:
    settings: ConnectionSettings
    opening: "asyncio.Task[SystemConnection]"
    users: int = 0
    used_at: float = 0.0


class Connections:
    """Hands out opened connections by their settings, which hold the credential: two credentials never share one.

    A connection whose settings have changed, or that was pushed out, is closed when its last user is done.
    """

    def __init__(self, opener: Opener, access: SystemAccess, clock: Callable[[], float] = time.monotonic) -> None:
        self._opener = opener
        self.access = access
        """What they are opened with."""
        self._clock = clock
        self._opened: OrderedDict[int, _Opened] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def opened(self, settings: ConnectionSettings) -> AsyncGenerator[SystemConnection]:
        """The connection for these settings while the block runs. Raises what opening raises."""
        self._close_idle()
        opened = self._find(settings) or self._open(settings)
        opened.users += 1
        try:
            yield await asyncio.shield(opened.opening)
        finally:
            opened.users -= 1
            opened.used_at = self._clock()
            if opened.opening.done() and (opened.opening.cancelled() or opened.opening.exception() is not None):
                self._opened.pop(id(opened), None)
            elif id(opened) not in self._opened:
                self._close_unused(opened)

    def forget(self, name: str) -> None:
        """Close what is opened of a connection (resource name), with whatever credential: it was changed or deleted."""
        for key, each in list(self._opened.items()):
            if each.settings.name == name:
                self._drop(key)

    async def aclose(self) -> None:
        """Close all; whoever still uses one sees it fail."""
        for opened in self._opened.values():
            opened.users = 0
        for key in list(self._opened):
            self._drop(key)
        await asyncio.gather(*self._closing)

    def _find(self, settings: ConnectionSettings) -> _Opened | None:
        found = next((each for each in self._opened.values() if each.settings == settings), None)
        if found is not None:
            self._opened.move_to_end(id(found))
        return found

    def _open(self, settings: ConnectionSettings) -> _Opened:
        if not settings.is_overridden:
            self._drop_older(settings)
        task = asyncio.ensure_future(self._opener(settings, self.access))
        opened = _Opened(settings, task, used_at=self._clock())
        self._opened[id(opened)] = opened
        for key in list(self._opened)[: max(0, len(self._opened) - MOST_OPENED)]:
            self._drop(key)
        return opened

    def _drop_older(self, settings: ConnectionSettings) -> None:
        """Of one connection's own credential there is only the newest."""
        for key, each in list(self._opened.items()):
            if each.settings.name == settings.name and not each.settings.is_overridden:
                self._drop(key)

    def _close_idle(self) -> None:
        oldest = self._clock() - IDLE_S
        for key, each in list(self._opened.items()):
            if not each.users and each.used_at < oldest:
                self._drop(key)

    def _drop(self, key: int) -> None:
        self._close_unused(self._opened.pop(key))

    def _close_unused(self, opened: _Opened) -> None:
        if not opened.users:
            task = asyncio.ensure_future(_close(opened))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


async def _close(opened: _Opened) -> None:
    """What could not be opened needs no closing; whoever asked for it was told why."""
    await asyncio.wait([opened.opening])
    if not opened.opening.cancelled() and opened.opening.exception() is None:
        await opened.opening.result().aclose()


class ConnectionDirectory(Protocol):
    """Which connections there are."""

    async def settings(self, name: str, *, with_credential: bool = True) -> ConnectionSettings | None:
        """The connection of a resource name as it is now, its secrets read; None where there is none.

        Without its own credential for whoever brings another. Raises `ConnectorError` where it cannot be used, and
        `CredentialError` where a secret cannot be read.
        """
        ...

    async def neighbours(self, name: str) -> Sequence[str]:
        """The ids of the connections in the location of a name, for whoever named one that is not there."""
        ...


@dataclass(frozen=True, slots=True)
class ConnectionAccess:
    """What a tool needs in order to call systems: which connections there are, and who opens them."""

    directory: ConnectionDirectory
    connections: Connections
