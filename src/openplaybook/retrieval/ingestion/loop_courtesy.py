"""`LoopCourtesy`: an import lets all else that its event loop does go first, such as conversations.

An import works in threads, which share one interpreter with the event loop: while they compute, everybody waits for
them a little. So, as long as the loop is busy with something else, it rests after each batch until its threads, and
those that take the batch into the index, have computed for a small part of the time only. Where nothing else is done,
it looks at that every half second, for some milliseconds.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

_SHARE: Final = 0.12
"""Part of the time that threads besides the loop's may compute while that is busy."""
_REST: Final = 20.0
"""How many times as long as it has worked an import rests, at most: others compute in threads, too."""
_LONGEST_S: Final = 3.0
"""And in seconds, so that it gets on beside whatever load."""
_BUSY: Final = 0.05
"""Part of the time that the loop's thread computes, from which on it has something else to do than what comes after a
batch, such as its way into the index."""
_PROBE_S: Final = 0.01
_DOUBT_S: Final = 0.05
_STEP_S: Final = 0.2
"""For how long it is looked at whether the loop is busy: at first, once more where it was so, since one request fills
the first look, and when it was so within the last seconds. On a machine with much to do a loop that is busy may have to
wait for a processor meanwhile."""
_WARY_S: Final = 2.0
_CALM_S: Final = 0.5
"""From a look at a loop that was not busy to the next one: each costs its time."""


class LoopCourtesy:
    """Of one import. Made and used on the loop's own thread."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        loop_time: Callable[[], float] = time.thread_time,
        process_time: Callable[[], float] = time.process_time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """All in seconds; the loop's thread has computed for `loop_time`, and all threads for `process_time`."""
        self._clock = clock
        self._loop_time = loop_time
        self._process_time = process_time
        self._sleep = sleep
        self._wary_until = clock()
        self._calm_until = clock()
        self._begun, self._computed = clock(), self._others()

    async def rest(self) -> None:
        """Rest from the work that was done since the last rest, as far as that is necessary."""
        now = self._clock()
        if now < self._calm_until:
            return
        end = now + min((now - self._begun) * _REST, _LONGEST_S)
        while await self._is_busy() and self._clock() < end and self._share() > _SHARE:
            pass
        self._begun, self._computed = self._clock(), self._others()

    async def _is_busy(self) -> bool:
        """Whether the loop computes for others while this one sleeps."""
        looks = (_PROBE_S, _DOUBT_S) if self._clock() > self._wary_until else (_STEP_S,)
        for seconds in looks:
            if not await self._computes_within(seconds):
                if self._clock() > self._wary_until:
                    self._calm_until = self._clock() + _CALM_S
                return False
        self._wary_until = self._clock() + _WARY_S
        return True

    async def _computes_within(self, seconds: float) -> bool:
        computed, begun = self._loop_time(), self._clock()
        await self._sleep(seconds)
        return self._loop_time() - computed >= _BUSY * (self._clock() - begun)

    def _share(self) -> float:
        """Part of the time since the last rest that other threads have computed."""
        return (self._others() - self._computed) / (self._clock() - self._begun)

    def _others(self) -> float:
        return self._process_time() - self._loop_time()
