"""Who may run now: so many executions at once, the others in order, no tenant ahead of its turn, and those of one
session one after the other."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from openplaybook.sandbox.base import SandboxUnavailable


class ExecutionQueue:
    """Places for executions. Those who wait are let in tenant by tenant, within a tenant in order."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By tenant; the tenant whose turn it is first."""
        self.running = 0

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def admitted(self, tenant: str, patience_s: float) -> AsyncGenerator[None]:
        """Hold a place inside the block. Raises `SandboxUnavailable` when there is none within `patience_s`."""
        if self.running >= self._places:
            await self._wait(tenant, patience_s)
        else:
            self.running += 1
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, tenant: str, patience_s: float) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(turn)
        begun = time.monotonic()
        try:
            # Not `wait_for`, which may lose a place that is given in the moment of a cancellation.
            async with asyncio.timeout(patience_s):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled():
                self._leave()
            self._forget(tenant, turn)
            if isinstance(error, asyncio.CancelledError):
                raise
            raise SandboxUnavailable(
                f"{self.running} executions are running and {self.waiting} are waiting; none started within "
                f"{time.monotonic() - begun:.1f} s. Try again later, or raise code_concurrency"
            ) from error

    def _forget(self, tenant: str, turn: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(tenant, deque())
        if turn in waiting:
            waiting.remove(turn)
        if not waiting:
            self._waiting.pop(tenant, None)

    def _leave(self) -> None:
        """Give the place to the next, whose tenant then waits for its next turn behind the others."""
        while self._waiting:
            tenant, waiting = next(iter(self._waiting.items()))
            turn = waiting.popleft()
            del self._waiting[tenant]
            if waiting:
                self._waiting[tenant] = waiting
            if not turn.done():
                turn.set_result(None)
                return
        self.running -= 1


@dataclass(slots=True)
class _Turn:
    """A session that is in use."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class SessionTurns:
    """Whose turn it is in each session that somebody uses now: executions of one share variables and a workspace."""

    def __init__(self) -> None:
        self._turns: dict[tuple[str, str], _Turn] = {}

    @property
    def in_use(self) -> int:
        """How many sessions are used now."""
        return len(self._turns)

    @asynccontextmanager
    async def alone(self, tenant: str, session: str) -> AsyncGenerator[None]:
        """Nobody else is in this block for the session; without a session, all may be."""
        if not session:
            yield
            return
        key = (tenant, session)
        turn = self._turns.setdefault(key, _Turn())
        turn.wanted += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.wanted -= 1
            if turn.wanted == 0:
                del self._turns[key]
