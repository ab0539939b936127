"""The job that forgets: conversations when their retention is over, and old snapshots of agents.

Every server of a deployment runs it, each at its own times; what one has forgotten the others do not find.
"""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from openplaybook.storage.base import Store
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.session.stored_sessions import forget_expired, forget_snapshots

PERIOD_S = 300.0
"""Between two rounds, half as much more or less, so that servers started together do not keep step."""
_BREATH_S = 0.05
"""Between two batches: a round gives way to turns."""

_LOG = logging.getLogger("openplaybook.expiry")


class Expiry:
    """Forgets what is due, round by round."""

    def __init__(self, store: Store, metrics: Metrics, *, retention_s: int, clock: Callable[[], int]) -> None:
        """`retention_s`: seconds that a conversation is kept after its session has expired; `clock`: microseconds
        since the epoch."""
        self._store = store
        self._metrics = metrics
        self._kept_us = retention_s * 1_000_000
        self._clock = clock

    async def round(self) -> None:
        """Forget what is due now. Raises `StoreError`."""
        conversations = 0
        async for gone in forget_expired(self._store, kept_us=self._kept_us):
            conversations += gone
            self._metrics.conversations_forgotten(gone)
            await asyncio.sleep(_BREATH_S)
        snapshots = await forget_snapshots(self._store, kept_us=self._kept_us, now_us=self._clock())
        if conversations or snapshots:
            _LOG.info("forgotten", extra={"conversations": conversations, "snapshots": snapshots})

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """A round at once and then every few minutes, inside the block."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _run(self) -> None:
        while True:
            try:
                await self.round()
            except StoreError as error:
                # The next round meets the same store in a better state, or says so again.
                _LOG.warning("nothing more was forgotten this time", extra={"error": str(error)})
            await asyncio.sleep(PERIOD_S * random.uniform(0.5, 1.5))
