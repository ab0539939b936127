"""Runs of one call: each within what is left of its time, each on record."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openplaybook.sandbox.base import CodeFile, Ended, Execution, ExecutionLimits, Executor, Request, SandboxFailed
from openplaybook.telemetry.redaction import mask_text
from openplaybook.tools.base import Exchange, ToolContext

_SLACK_S = 1.0
"""Beyond the wall limit, for the way there and back."""
_MAX_CHARS = 8_000
_ANSWERED = 200


@dataclass(slots=True)
class ProgramRunner:
    """Runs programs for one call."""

    executor: Executor
    context: ToolContext
    files: Sequence[CodeFile]
    limits: ExecutionLimits
    deadline: float
    """By the monotonic clock, in seconds."""
    tenant: str
    session: str

    def left_s(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    async def run(self, code: str) -> Execution:
        """Run a program.

        Raises `TimeoutError` where the time is over before it begins or its turn does not come; `InvalidRequest`,
        `SandboxUnavailable`, `SandboxFailed`.
        """
        left = self.left_s()
        if left <= 0:
            raise TimeoutError("there was no time left to run the code")
        limits = replace(self.limits, wall_s=min(self.limits.wall_s, left))
        request = Request(code=code, files=self.files, limits=limits, tenant=self.tenant, session=self.session)
        started = time.perf_counter()
        try:
            async with asyncio.timeout(left + _SLACK_S):
                execution = await self._executed(request)
        except TimeoutError:
            raise TimeoutError("there was no free place in the sandbox in time") from None
        self.context.exchanged.append(_exchange(code, execution, time.perf_counter() - started))
        return execution

    async def _executed(self, request: Request) -> Execution:
        try:
            return await self.executor.execute(request)
        except SandboxFailed:
            # It reached nothing outside: doing it again in a new one is as good.
            return await self.executor.execute(request)


def _exchange(code: str, execution: Execution, elapsed_s: float) -> Exchange:
    how = f"exit code {execution.exit_code}" if execution.ended is Ended.EXIT else execution.ended.value
    return recorded(
        "RUN",
        "sandbox",
        code,
        f"{execution.stdout}\n{execution.stderr}".strip("\n"),
        elapsed_s,
        error="" if execution.succeeded else how,
    )


def recorded(method: str, whom: str, question: str, answer: str, elapsed_s: float, *, error: str = "") -> Exchange:
    """A question and its answer, secrets masked and texts cut. `method`: GENERATE or RUN."""
    return Exchange(
        method=method,
        url=whom,
        request_headers={},
        request_body=_shown(question),
        status=_ANSWERED if answer or not error else 0,
        response_headers={},
        response_body=_shown(answer),
        elapsed_ms=round(elapsed_s * 1000, 3),
        error=error,
    )


def _shown(text: str) -> str:
    masked = mask_text(text)
    return masked if len(masked) <= _MAX_CHARS else f"{masked[:_MAX_CHARS]}…"
