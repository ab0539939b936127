"""How often one caller may ask."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

_RATE = re.compile(r"([1-9][0-9]{0,8})/(s|sec|second|min|minute|h|hour)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_MOST_CALLERS = 20_000
"""Callers that are kept in mind; each is two small objects."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds, all of which may come at once."""

    count: int
    seconds: int
    text: str
    """As the operator wrote it."""


def parse_rate(text: str) -> Rate | None:
    """`600/min` as a rate; None for empty text. Raises `ValueError`."""
    if not text:
        return None
    match = _RATE.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"{text!r} is not a rate; write 10/s, 600/min or 5000/h")
    return Rate(int(match[1]), _SECONDS[match[2][0]], text.strip())


Caller: TypeAlias = tuple[str, str]
"""Kind and name: names of two kinds are two callers."""


class RateLimiter:
    """A bucket of tokens for each caller, kept as the one instant at which it is full again (the generic cell rate
    algorithm, ITU-T I.371). A bucket that is full need not be kept at all."""

    def __init__(
        self, rate: Rate, clock: Callable[[], float] = time.monotonic, most_callers: int = _MOST_CALLERS
    ) -> None:
        self.rate = rate
        self._clock = clock
        self._most = most_callers
        self._full_at: dict[Caller, float] = {}

    def take(self, caller: Caller) -> float:
        """0.0 when the caller may ask now; else the seconds after which it may, and nothing is taken."""
        now, step = self._clock(), self.rate.seconds / self.rate.count
        full_at = max(self._full_at.get(caller, now), now) + step
        wait = full_at - now - self.rate.seconds
        # Sums of fractions: what is owed by less than a thousandth of a token is not owed.
        if wait > step / 1000:
            return wait
        if caller not in self._full_at and len(self._full_at) >= self._most:
            self._make_room(now)
        self._full_at[caller] = full_at
        return 0.0

    def _make_room(self, now: float) -> None:
        owing = {caller: at for caller, at in self._full_at.items() if at > now}
        # Who has asked least of late loses least by being forgotten.
        for caller in sorted(owing, key=owing.__getitem__)[: max(0, len(owing) - self._most + self._most // 10 + 1)]:
            del owing[caller]
        self._full_at = owing
