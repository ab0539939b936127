"""Whether code runs on this machine, as it was found a short while ago."""

import asyncio
import time
from collections.abc import Callable

from openplaybook.sandbox.base import Executor

RECENT_S = 60.0
"""How long what was found is told without looking again: a look starts two processes, and takes a fifth of a second."""


class RecentReport:
    """Why code does not run here. What is known is told at once; if it is old, the next caller hears the new."""

    def __init__(self, executor: Executor, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._executor = executor
        self._clock = clock
        self._known: tuple[float, str] | None = None
        self._look: asyncio.Task[str] | None = None

    async def reason(self) -> str:
        """Why it does not; empty where it does."""
        if self._look is None and (self._known is None or self._known[0] < self._clock() - RECENT_S):
            self._look = asyncio.create_task(self._looked())
        if self._known is not None:
            return self._known[1]
        assert self._look is not None, "where nothing is known, somebody is looking"
        return await asyncio.shield(self._look)

    async def _looked(self) -> str:
        try:
            reason = (await self._executor.report()).reason
            self._known = (self._clock(), reason)
            return reason
        finally:
            self._look = None
