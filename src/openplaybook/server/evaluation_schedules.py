"""The job that starts scheduled runs of evaluations when they are due.

Every server of a deployment looks for them, each at its own times; the first to see one starts it.
"""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from openplaybook.server.evaluation_runs import EvaluationTrials
from openplaybook.services.ces.run_schedules import DueRuns
from openplaybook.services.errors import translated
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CES
from openplaybook.storage.errors import StoreError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage

PERIOD_S = 20.0
"""Between two looks, half as much more or less, so that servers started together do not keep step."""

_LOG = logging.getLogger("openplaybook.evaluations")


class EvaluationSchedules:
    """Starts what is due, look by look."""

    def __init__(self, parts: ServiceParts, trials: EvaluationTrials) -> None:
        self._trials = trials
        self._due = DueRuns(parts, self._start)

    async def look(self) -> list[str]:
        """Start what is due now; names of the schedules. Raises `StoreError`."""
        return await self._due.start_due()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """A look at once and then every few seconds, inside the block."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _run(self) -> None:
        while True:
            try:
                for schedule in await self.look():
                    _LOG.info("scheduled evaluations run", extra={"schedule": schedule})
            except (StoreError, RpcError) as error:
                # The next look meets the same store in a better state, or says so again.
                _LOG.warning("no more evaluations were started this time", extra={"error": str(error)})
            await asyncio.sleep(PERIOD_S * random.uniform(0.5, 1.5))

    async def _start(self, request: ApiMessage, schedule: str) -> None:
        context = RpcContext(f"{CES}EvaluationService.RunEvaluation", "v1beta", "grpc")
        try:
            await translated(partial(self._trials.start, schedule=schedule))(request, context)
        except RpcError as error:
            # Whoever looks at the runs finds it, with the reason.
            await self._trials.note_failure(request, schedule, error.message)
