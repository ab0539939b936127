"""Work that is to be done although whoever wanted it may be gone."""

import asyncio
import logging
from collections.abc import Coroutine

_LOG = logging.getLogger("openplaybook.sandbox")
_CLOSE_S = 10.0


class Leftovers:
    """Tasks that nobody waits for; used by one event loop."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, work: Coroutine[None, None, None], name: str) -> None:
        """Begin `work`; its failure is logged under `name`."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def aclose(self) -> None:
        """Wait for what is under way, some seconds at most."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_S)
        for task in tuple(self._tasks):
            task.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.warning("%s failed: %s", task.get_name(), type(error).__name__)
