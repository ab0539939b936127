"""When a server is to end, and how long what runs may still take: one budget for all its parts."""

import asyncio
import time
from collections.abc import Awaitable, Callable


class Drain:
    """Begins once; at its end nothing is waited for any more."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._asked = asyncio.Event()
        self._until: float | None = None

    @property
    def is_begun(self) -> bool:
        """Whether the server was told to stop."""
        return self._asked.is_set()

    def begin(self) -> None:
        """Tell the server to stop; telling it twice is no fault."""
        self._asked.set()

    async def begun(self) -> None:
        """Return once it was told."""
        await self._asked.wait()

    def start_clock(self) -> None:
        """From here on the seconds count; before it, and without it, all of them are left."""
        if self._until is None:
            self._until = self._clock() + self._seconds

    def hurry(self) -> None:
        """End at once."""
        self._asked.set()
        self._until = self._clock()

    async def give(self, finish: Callable[[float], Awaitable[object]]) -> None:
        """Let a part finish, with the seconds that are left."""
        await finish(self.left())

    def left(self) -> float:
        """Seconds that what runs may still take."""
        self.start_clock()
        assert self._until is not None
        return max(0.0, self._until - self._clock())
