"""A limit on the time of a block: `asyncio.timeout`, for less than half its cost to every call."""

import asyncio
from types import TracebackType
from typing import cast


class Alarm:
    """Cancels what its block awaits after some seconds, and raises `TimeoutError` in place of the cancellation.

    A cancellation from elsewhere passes as it is.
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
