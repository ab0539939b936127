"""How many bytes of requests a server holds at once, both ports together, and whose turn it is to become more.

Small requests have a share of their own: they are never refused because large ones fill theirs.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from openplaybook.wire.errors import retry_later
from openplaybook.wire.fair_turns import FairTurns

SMALL = 256 * 1024
"""Bytes of a request that counts as small: turns and most of what is saved."""

DEFAULT_LARGE_BYTES = 192 * 1024 * 1024
"""Of large requests at once. One that is read takes some times its size for a moment."""

_SMALL_BYTES = 64 * 1024 * 1024
_RETRY_S = 1


class BytesInFlight:
    """The budget of one server."""

    def __init__(self, large: int = DEFAULT_LARGE_BYTES, small: int = _SMALL_BYTES) -> None:
        """Bytes that large requests may have together, and small ones. One is always taken, however large."""
        self._room = {True: small, False: large}
        self._held = {True: 0, False: 0}
        self.inflating = FairTurns(1)
        """The place of the one request that is inflated at the moment."""

    @property
    def held(self) -> int:
        """Bytes that requests have now."""
        return sum(self._held.values())

    def reserve(self, size: int = 0, *, caller: str = "") -> "Reservation":
        """Room for a request of so many bytes, known or so far, of a caller, who is told from others by it.
        RESOURCE_EXHAUSTED when there is none."""
        reservation = Reservation(self, caller)
        reservation.grow(size)
        return reservation

    def move(self, before: int, after: int) -> None:
        """A request of `before` bytes has `after` now; RESOURCE_EXHAUSTED, and no change, when there is no room."""
        was_small, is_small = before <= SMALL, after <= SMALL
        others = self._held[is_small] - (before if was_small == is_small else 0)
        if after > before and others and others + after > self._room[is_small]:
            raise retry_later("This server holds as many bytes of requests as it can", _RETRY_S)
        self._held[was_small] -= before
        self._held[is_small] += after


class Reservation:
    """The room of one request, until everybody who keeps it has let it go."""

    __slots__ = ("_budget", "_caller", "_keepers", "_size")

    def __init__(self, budget: BytesInFlight, caller: str) -> None:
        self._budget = budget
        self._caller = caller
        self._size = 0
        self._keepers = 1

    @asynccontextmanager
    async def inflating(self) -> AsyncGenerator[None]:
        """The budget's turn to inflate, which goes from caller to caller."""
        await self._budget.inflating.acquire(self._caller)
        try:
            yield
        finally:
            self._budget.inflating.release()

    def grow(self, size: int) -> None:
        """The request has so many bytes by now; RESOURCE_EXHAUSTED when there is no room for more."""
        if size > self._size:
            self._budget.move(self._size, size)
            self._size = size

    def keep(self) -> None:
        """Somebody else needs the request for longer than its answer takes; it has to `release` too."""
        self._keepers += 1

    def release(self) -> None:
        """It is not needed any more here."""
        self._keepers -= 1
        if self._keepers == 0:
            self._budget.move(self._size, 0)
            self._size = 0
