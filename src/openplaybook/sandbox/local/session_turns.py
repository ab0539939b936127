"""Executions of one session, one after the other: they share variables and a workspace."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Turn:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class SessionTurns:
    """Whose turn it is in each session that somebody uses now."""

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
