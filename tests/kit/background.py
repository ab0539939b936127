"""An event loop beside the tests: Google's blocking clients and our asyncio peers run side by side."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

T = TypeVar("T")

_LONGEST_S = 60


class Background:
    """A loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="background")

    def start(self) -> None:
        """Let the loop run."""
        self._thread.start()

    def run(self, work: Coroutine[None, None, T]) -> T:
        """What the coroutine comes to."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_LONGEST_S)

    def call_soon(self, act: Callable[[], None]) -> None:
        """Act on the loop."""
        self._loop.call_soon_threadsafe(act)

    @contextmanager
    def entered(self, context: AbstractAsyncContextManager[T]) -> Generator[T]:
        """An asynchronous context, held open for as long as this one."""
        value = self.run(context.__aenter__())
        try:
            yield value
        finally:
            self.run(_exit(context))

    def stop(self) -> None:
        """End the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_LONGEST_S)
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


async def _exit(context: AbstractAsyncContextManager[T]) -> None:
    await context.__aexit__(None, None, None)
