"""Places for calls that run at once, given out in the order of asking."""

import asyncio
from collections import deque
from dataclasses import dataclass, field


@dataclass(slots=True)
class Places:
    """A semaphore whose usual case, a free place, costs no coroutine."""

    free: int
    """Zero as long as anybody waits."""
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])

    def take(self) -> bool:
        """Take a place if one is free."""
        if not self.free:
            return False
        self.free -= 1
        return True

    async def wait(self) -> None:
        """Take the next place that comes free."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove(turn)
            else:
                self.give_back()
            raise

    def give_back(self) -> None:
        """Leave a place to who waits longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


@dataclass(frozen=True, slots=True)
class PlacesOfBoth:
    """For callers that need a place in each of two."""

    first: Places
    second: Places

    def take(self) -> bool:
        """Take both places if both are free."""
        if not self.first.take():
            return False
        if self.second.take():
            return True
        self.first.give_back()
        return False

    async def wait(self) -> None:
        """Take both, one after the other, as they come free."""
        if not self.first.take():
            await self.first.wait()
        try:
            if not self.second.take():
                await self.second.wait()
        except BaseException:
            self.first.give_back()
            raise

    def give_back(self) -> None:
        """Leave both."""
        self.second.give_back()
        self.first.give_back()
