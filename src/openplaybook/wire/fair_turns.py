"""Places for which callers wait in turn, so that one with many requests waits for its own, not others for them."""

import asyncio
from collections import OrderedDict, deque


class FairTurns:
    """So many places; who waits for one is served by caller, each caller's first before anyone's second."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def acquire(self, caller: str) -> None:
        """Take a place; `caller` is whatever tells those apart who are to have equal shares."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                # It was given just before: to the next one.
                self.release()
            elif place in self._waiting.get(caller, ()):
                self._forget(caller, place)
            raise

    def release(self) -> None:
        """Give a place back."""
        while self._waiting:
            caller, places = self._waiting.popitem(last=False)
            place = places.popleft()
            if places:
                self._waiting[caller] = places
            # One that was given up in this very moment is not forgotten yet.
            if not place.done():
                place.set_result(None)
                return
        self._free += 1

    def _forget(self, caller: str, place: asyncio.Future[None]) -> None:
        self._waiting[caller].remove(place)
        if not self._waiting[caller]:
            del self._waiting[caller]
