"""The executor of this machine: a fork server a tenant, a queue before them, and a probe of what they stand on."""

import logging
from dataclasses import replace

from openplaybook.sandbox.base import (
    Execution,
    ExecutionLimits,
    ExecutorReport,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    ToolCaller,
)
from openplaybook.sandbox.local.cgroup import find_tree
from openplaybook.sandbox.local.execution_queue import ExecutionQueue, SessionTurns
from openplaybook.sandbox.local.interpreters import interpreter
from openplaybook.sandbox.local.local_settings import DEFAULT_SETTINGS, LocalSettings, default_concurrency
from openplaybook.sandbox.local.probe import probe
from openplaybook.sandbox.local.warm_servers import WarmServer, WarmServers
from openplaybook.sandbox.request_check import check_request

NAME = "forkserver"
_DEATH_S = 0.5
"""That a process ended is known a moment after its sockets did."""
_LOG = logging.getLogger("openplaybook.sandbox")


class LocalExecutor:
    """An `Executor` that starts nothing before somebody needs it."""

    def __init__(self, settings: LocalSettings = DEFAULT_SETTINGS) -> None:
        self._settings = settings
        self._concurrency = settings.concurrency or default_concurrency()
        self.admission = ExecutionQueue(self._concurrency)
        self.warm = WarmServers(self._started, settings.schedule)
        self._sessions = SessionTurns()

    @property
    def limits(self) -> ExecutionLimits:
        """As `Executor.limits`."""
        return self._settings.limits

    @property
    def keeps_sessions(self) -> bool:
        """As `Executor.keeps_sessions`."""
        return self._settings.keeps_sessions

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """As `Executor.execute`. The limit of time begins when the code does, not when it is asked for."""
        check_request(request, self.limits)
        if not self.keeps_sessions:
            request = replace(request, session="")
        async with (
            self._sessions.alone(request.tenant, request.session),
            self.admission.admitted(request.tenant, request.limits.wall_s),
        ):
            try:
                return await self._executed(request, caller)
            except _Died:
                # Nothing of an execution without tools has reached anybody, so it may run again.
                return await self._executed(request, caller)

    async def prepare(self, tenant: str = "") -> None:
        """As `Executor.prepare`."""
        try:
            async with self.warm.using(tenant):
                return
        except SandboxUnavailable as error:
            _LOG.warning("no sandbox to run code in: %s", error)

    async def report(self) -> ExecutorReport:
        """As `Executor.report`."""
        used = await interpreter(self._settings.python, self._settings.preload)
        return ExecutorReport(NAME, [*await probe(), used, find_tree().layer])

    async def aclose(self) -> None:
        """As `Executor.aclose`."""
        await self.warm.aclose()

    async def _executed(self, request: Request, caller: ToolCaller | None) -> Execution:
        async with self.warm.using(request.tenant) as server:
            try:
                return await server.execute(request, caller)
            except SandboxFailed as error:
                if request.tools or not await server.dies(_DEATH_S):
                    raise
                raise _Died(*error.args) from error

    async def _started(self) -> WarmServer:
        """A fork server. The walls are tried first, so that what is missing is said in words."""
        missing = ExecutorReport(NAME, await probe()).reason
        if missing:
            raise SandboxUnavailable(missing)
        # Made of calls that only the systems have which pass the probe.
        from openplaybook.sandbox.local.grouped_fork_server import start

        return await start(self._settings, self._concurrency)


class _Died(SandboxFailed):
    """The warm interpreter died under an execution."""
