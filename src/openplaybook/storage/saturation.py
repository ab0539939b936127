"""Whether the event loop has more to do than it gets done.

While it has, nobody's answer comes sooner for a commit that begins at once: the loop is late for everybody. A commit
that waits a little then holds more writes, and costs less for each. That is so only where there are several who write:
one who writes alone waits for himself.
"""

import time
from collections.abc import Callable

HOLD_S = 0.002
"""For how long a commit waits for more writes while the loop is saturated."""

_SPAN_S = 0.01
"""Of a look; shorter ones say more about one piece of work than about the load."""

_SHARE = 0.7
"""Of a processor, from which on the loop is saturated. A loop that shares its processor gets less and is never held to
be: then commits begin at once."""

_SHARED = 1.05
"""Writes of a commit, on average, from which on there are several who write."""

_MEMORY = 16
"""Commits that the average looks back on, about."""


class Saturation:
    """Looks at what the loop's thread uses; to be asked on that thread."""

    def __init__(
        self, wall: Callable[[], float] = time.perf_counter, cpu: Callable[[], float] = time.thread_time
    ) -> None:
        """`wall` and `cpu` tell seconds, the latter those that the thread has run."""
        self._wall = wall
        self._cpu = cpu
        self._since = (wall(), cpu())
        self._is_saturated = False
        self._mean_writes = 1.0

    def committed(self, writes: int) -> None:
        """Hear how many writes a commit held."""
        self._mean_writes += (writes - self._mean_writes) / _MEMORY

    def is_saturated(self) -> bool:
        """Whether the loop had no rest of late."""
        now = self._wall()
        took = now - self._since[0]
        if took >= _SPAN_S:
            ran = self._cpu()
            self._is_saturated = ran - self._since[1] >= _SHARE * took
            self._since = (now, ran)
        return self._is_saturated

    def hold_s(self) -> float:
        """For how long a commit is to wait for more writes."""
        return HOLD_S if self._mean_writes >= _SHARED and self.is_saturated() else 0.0
