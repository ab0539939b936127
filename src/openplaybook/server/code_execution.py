"""Running the code of tools: the executor that the settings name, counted, and what is told of it."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import (
    DEFAULT_LIMITS,
    Ended,
    Execution,
    ExecutionLimits,
    Executor,
    ExecutorReport,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    ToolCaller,
)
from openplaybook.sandbox.executor_settings import OFF, ExecutorSettings, create_executor
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.own_paths import without_own_paths

_LOG = logging.getLogger("openplaybook.server")
_MIB = 1024 * 1024
_SETTLED_S = 1.0
"""After the start: who waits for the server to be ready does not wait for the probe."""
_REMEMBERED_S = 30.0
"""How long a report serves those who ask for health."""


def executor_settings(settings: Settings) -> ExecutorSettings:
    """What the server's settings say of code."""
    limits = replace(
        DEFAULT_LIMITS,
        wall_s=float(settings.code_timeout),
        cpu_s=float(settings.code_timeout),
        memory_bytes=settings.code_memory_mb * _MIB,
        processes=settings.code_processes,
        threads=max(DEFAULT_LIMITS.threads, 2 * settings.code_processes),
    )
    return ExecutorSettings(
        kind=settings.code_executor,
        python=str(settings.code_python or sys.executable),
        preload=[name.strip() for name in settings.code_preload.split(",") if name.strip()],
        limits=limits,
        concurrency=settings.code_concurrency,
        interpreters=settings.code_interpreters,
        keeps_sessions=settings.code_sessions == "conversation",
        kubernetes=settings.code_kubernetes,
        e2b=settings.code_e2b,
    )


def executor_of(settings: Settings, environment: Mapping[str, str], transport: Transport) -> Executor | None:
    """The executor that the settings name; None where code is switched off. Raises `SettingsError`."""
    try:
        return create_executor(executor_settings(settings), environment, transport)
    except ValueError as error:
        raise SettingsError(f"code_executor={settings.code_executor}: {error}") from error


class CodeExecution:
    """An executor, or none, and what is known of it."""

    def __init__(self, executor: Executor | None, metrics: Metrics, *, is_required: bool = False) -> None:
        """`is_required`: rather no server than one that cannot run code."""
        self.executor = None if executor is None else MeasuredExecutor(executor, metrics)
        self._is_required = is_required
        self._report: tuple[float, ExecutorReport] | None = None
        self._one_looks = asyncio.Lock()
        if isinstance(executor, LocalExecutor):
            _add_gauges(executor, metrics)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Soon after the start, what the executor stands on is looked at and logged; at the end of the block all that
        it runs is ended. Raises `SettingsError` where code is required and cannot be run."""
        if self.executor is None:
            yield
            return
        if self._is_required:
            await self._require()
        looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            await self.executor.aclose()

    async def health(self) -> JsonObject:
        """`{executor, ok, reason}`, no older than half a minute."""
        if self.executor is None:
            return {"executor": OFF, "ok": False, "reason": "switched off by code_executor"}
        # Anybody may ask, and each look starts processes.
        async with self._one_looks:
            if self._report is None or time.monotonic() - self._report[0] > _REMEMBERED_S:
                self._report = (time.monotonic(), await self.executor.report())
            report = self._report[1]
        return {"executor": report.executor, "ok": report.ok, "reason": without_own_paths(report.reason or report.note)}

    async def _require(self) -> None:
        health = await self.health()
        if not health["ok"]:
            raise SettingsError(f"code_executor={health['executor']}: {health['reason']}")

    async def _look(self) -> None:
        await asyncio.sleep(_SETTLED_S)
        health = await self.health()
        details = {"executor": health["executor"]}
        if health["ok"]:
            _LOG.info("code can be run", extra=details)
        else:
            _LOG.warning("code cannot be run: %s", health["reason"], extra=details)


class MeasuredExecutor:
    """An executor whose executions are counted by how they ended."""

    def __init__(self, executor: Executor, metrics: Metrics) -> None:
        self._executor = executor
        self._metrics = metrics

    @property
    def limits(self) -> ExecutionLimits:
        """As `Executor.limits`."""
        return self._executor.limits

    @property
    def keeps_sessions(self) -> bool:
        """As `Executor.keeps_sessions`."""
        return self._executor.keeps_sessions

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """As `Executor.execute`."""
        begun, outcome = time.perf_counter(), "FAULT"
        try:
            execution = await self._executor.execute(request, caller)
            outcome = _outcome(execution)
        except InvalidRequest:
            outcome = "INVALID"
            raise
        except SandboxUnavailable:
            outcome = "UNAVAILABLE"
            raise
        except SandboxFailed:
            outcome = "SANDBOX_FAILED"
            raise
        except asyncio.CancelledError:
            outcome = Ended.CANCELLED.name
            raise
        finally:
            self._metrics.code_executed(outcome, time.perf_counter() - begun)
        return execution

    async def prepare(self, tenant: str = "") -> None:
        """As `Executor.prepare`."""
        await self._executor.prepare(tenant)

    async def report(self) -> ExecutorReport:
        """As `Executor.report`."""
        return await self._executor.report()

    async def aclose(self) -> None:
        """As `Executor.aclose`."""
        await self._executor.aclose()


def _outcome(execution: Execution) -> str:
    if execution.succeeded:
        return "OK"
    return "FAILED" if execution.ended is Ended.EXIT else execution.ended.name


def _add_gauges(executor: LocalExecutor, metrics: Metrics) -> None:
    admission, warm = executor.admission, executor.warm
    metrics.add_gauge("openplaybook_code_running", "Executions of code under way", lambda: admission.running)
    metrics.add_gauge("openplaybook_code_waiting", "Executions that wait for a place", lambda: admission.waiting)
    metrics.add_gauge("openplaybook_code_interpreters", "Warm interpreters", lambda: warm.standing)
    metrics.add_gauge(
        "openplaybook_code_interpreters_started", "Warm interpreters since the start", lambda: warm.started
    )
