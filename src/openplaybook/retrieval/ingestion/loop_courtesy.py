"""`LoopCourtesy`: an import lets all else that its event loop does go first, such as conversations.

An import works in threads, which share one interpreter with the event loop: while they compute, everybody waits for
them a little. So it rests after each batch for as long as the loop is busy with something else, in proportion to what
the batch took; where nothing else is done, it rests for some milliseconds.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

_REST: Final = 6.0
"""How many times as long as it has worked an import rests, at most."""
_LONGEST_S: Final = 3.0
"""And in seconds, so that it gets on beside whatever load."""
_PROBE_S: Final = 0.005
_STEP_S: Final = 0.05
_BUSY: Final = 0.08
"""Part of the time that the loop's thread computes, from which on it has something else to do than what comes after a
batch, such as its way into the index."""


class LoopCourtesy:
    """Of one import. Made and used on the loop's own thread."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        processor_time: Callable[[], float] = time.thread_time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """All in seconds; `processor_time` is what the loop's thread has computed."""
        self._clock = clock
        self._processor_time = processor_time
        self._sleep = sleep
        self._begun = clock()

    async def rest(self) -> None:
        """Rest from the work that was done since the last rest, as far as that is necessary."""
        now = self._clock()
        end = now + min((now - self._begun) * _REST, _LONGEST_S)
        step = _PROBE_S
        while await self._is_busy(step) and self._clock() < end:
            step = _STEP_S
        self._begun = self._clock()

    async def _is_busy(self, seconds: float) -> bool:
        """Whether the loop computes for others while this one sleeps."""
        computed, begun = self._processor_time(), self._clock()
        await self._sleep(seconds)
        return self._processor_time() - computed >= _BUSY * (self._clock() - begun)
