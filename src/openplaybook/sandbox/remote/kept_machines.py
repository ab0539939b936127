"""The machines that sessions keep between their executions."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.sandbox.remote.base import RemoteMachine

Key: TypeAlias = tuple[str, str]
"""Tenant and session."""


@dataclass(slots=True)
class SessionMachine:
    """A session's machine."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Executions of a session come one after the other."""
    users: int = 0
    """Those that run, or wait for the lock."""
    machine: RemoteMachine | None = None
    used: float = 0.0


class KeptMachines:
    """So many at most; those that were not used for long, and the longest unused beyond that number, are released."""

    def __init__(
        self,
        most: int,
        idle_s: float,
        release: Callable[[RemoteMachine], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._idle_s = idle_s
        self._release = release
        self._clock = clock
        self._kept: OrderedDict[Key, SessionMachine] = OrderedDict()

    def of(self, key: Key) -> SessionMachine:
        """The place of a session, which may have no machine yet."""
        session = self._kept.setdefault(key, SessionMachine())
        session.used = self._clock()
        self._kept.move_to_end(key)
        self._prune()
        return session

    def drop(self, session: SessionMachine) -> None:
        """Release a session's machine: its next execution gets another."""
        if session.machine is not None:
            self._release(session.machine)
            session.machine = None

    def close(self) -> None:
        """Release all."""
        for session in self._kept.values():
            self.drop(session)
        self._kept.clear()

    def _prune(self) -> None:
        oldest = self._clock() - self._idle_s
        for key, session in tuple(self._kept.items()):
            if session.users or (session.used > oldest and len(self._kept) <= self._most):
                continue
            # The one that is being asked for stands last.
            if next(reversed(self._kept)) != key:
                self.drop(session)
                del self._kept[key]
