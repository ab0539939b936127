"""Limits that hold while an exchange waits: of its time, and of how fast large answers are read."""

import asyncio
from types import TracebackType
from typing import cast

_LARGE = 2**20
"""Bytes of an answer that are read as they come."""


class Alarm:
    """`asyncio.timeout` for less than half its cost to every call.

    Cancels what its block awaits after some seconds, and raises `TimeoutError` in place of the cancellation. A
    cancellation from elsewhere passes as it is.
    """

    __slots__ = ("_cancelling", "_handle", "_rang", "_task")

    def __init__(self, seconds: float) -> None:
        # Only coroutines of a task come here.
        self._task = cast("asyncio.Task[object]", asyncio.current_task())
        self._cancelling = self._task.cancelling()
        self._rang = False
        self._handle = asyncio.get_running_loop().call_later(max(seconds, 0.0), self._ring)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.cancel()
        if self._rang and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _ring(self) -> None:
        self._rang = True
        self._task.cancel()


class Pace:
    """Lets one piece of a large answer pass in each round of the event loop, whichever it belongs to.

    What is not read meanwhile waits in the network: a connection stops receiving when its buffer is full.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def keep(self, size: int) -> None:
        """Return when the next piece of an answer of which `size` bytes are read may be taken."""
        if size > _LARGE:
            async with self._turn:
                await asyncio.sleep(0)
