"""`RemoteExecutor`: each execution on a machine that is lent for it, or for its session."""

import asyncio
import secrets

from openplaybook.sandbox.base import (
    Ended,
    Execution,
    ExecutionLimits,
    ExecutorReport,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    ToolCaller,
)
from openplaybook.sandbox.remote.base import START_S, MachineLost, RemoteMachine, RemoteMachines
from openplaybook.sandbox.remote.job_archive import largest_result, packed, unpacked
from openplaybook.sandbox.remote.kept_machines import KeptMachines, SessionMachine
from openplaybook.sandbox.remote.leftovers import Leftovers
from openplaybook.sandbox.request_check import check_request

IDLE_S = 600.0
"""How long a session's machine waits for the next execution."""
MOST_KEPT = 16
CONCURRENCY = 16
"""Executions at once, where nobody says."""
_TRANSFER_S = 120.0
"""What bringing files there and back may take beyond the execution."""
_MAX_WORDS = 300
_NOTE = "the machine is the wall: child processes and threads of the code are limited by it alone"


class RemoteExecutor:
    """Knows no vendor: `machines` does. No machine ever serves two sessions, or two executions without one."""

    def __init__(
        self, machines: RemoteMachines, limits: ExecutionLimits, *, keeps_sessions: bool, concurrency: int = 0
    ) -> None:
        self._machines = machines
        self._limits = limits
        self._keeps_sessions = keeps_sessions
        self._concurrency = concurrency or CONCURRENCY
        self._places = asyncio.Semaphore(self._concurrency)
        self._leftovers = Leftovers()
        self._kept = KeptMachines(MOST_KEPT, IDLE_S, self._release)

    @property
    def limits(self) -> ExecutionLimits:
        """What an execution gets unless it asks for less."""
        return self._limits

    @property
    def keeps_sessions(self) -> bool:
        """Whether executions of one conversation keep their variables."""
        return self._keeps_sessions

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """Run code on a machine; see `Executor.execute`. It is never run twice: what is lost is `SandboxFailed`."""
        check_request(request, self._limits)
        if request.tools:
            raise InvalidRequest(
                f"code cannot call tools where it runs ({self._machines.name}); the local sandbox lets it"
            )
        await self._place(request.limits.wall_s)
        try:
            if request.session and self._keeps_sessions:
                return await self._in_session(request)
            return await self._alone(request)
        except MachineLost as error:
            raise SandboxFailed(str(error)) from error
        finally:
            self._places.release()

    async def prepare(self, tenant: str = "") -> None:
        """Nothing: the service keeps machines warm."""

    async def report(self) -> ExecutorReport:
        """What the service is found to be."""
        return ExecutorReport(self._machines.name, await self._machines.layers(), _NOTE)

    async def aclose(self) -> None:
        """Give back every machine."""
        self._kept.close()
        await self._leftovers.aclose()
        await self._machines.aclose()

    async def _place(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._places.acquire()
        except TimeoutError as error:
            raise SandboxUnavailable(
                f"the most executions allowed are running ({self._concurrency}), and none ended within {seconds:g} s"
            ) from error

    async def _alone(self, request: Request) -> Execution:
        machine, job = await self._lent(request, _lifetime_s(request), keep=False)
        try:
            return await self._run(machine, request, job)
        finally:
            self._release(machine)

    async def _in_session(self, request: Request) -> Execution:
        session = self._kept.of((request.tenant, request.session))
        session.users += 1
        try:
            async with session.lock:
                return await self._alone_in(session, request)
        finally:
            session.users -= 1

    async def _alone_in(self, session: SessionMachine, request: Request) -> Execution:
        try:
            execution = await self._with_kept(session, request)
        except BaseException:
            self._kept.drop(session)
            raise
        if execution.ended is not Ended.EXIT:
            self._kept.drop(session)
        return execution

    async def _with_kept(self, session: SessionMachine, request: Request) -> Execution:
        seconds = _lifetime_s(request) + IDLE_S
        if session.machine is not None:
            try:
                await session.machine.keep(seconds)
                job = await self._sent(session.machine, request, keep=True)
            except MachineLost:
                # Nothing has run yet: the session goes on, on another machine and without its variables.
                self._kept.drop(session)
            else:
                return await self._run(session.machine, request, job)
        session.machine, job = await self._lent(request, seconds, keep=True)
        return await self._run(session.machine, request, job)

    async def _lent(self, request: Request, seconds: float, *, keep: bool) -> tuple[RemoteMachine, str]:
        """A new machine to which the request was brought, and the name of its archive there."""
        try:
            return await self._tried(request, seconds, keep=keep)
        except MachineLost:
            # Machines die young: nothing has run yet, so another one will do.
            return await self._tried(request, seconds, keep=keep)

    async def _tried(self, request: Request, seconds: float, *, keep: bool) -> tuple[RemoteMachine, str]:
        machine = await self._machines.acquire(seconds)
        try:
            return machine, await self._sent(machine, request, keep=keep)
        except BaseException:
            self._release(machine)
            raise

    async def _sent(self, machine: RemoteMachine, request: Request, *, keep: bool) -> str:
        job = secrets.token_hex(8)
        await machine.put(f"{job}.zip", await asyncio.to_thread(packed, request, keep=keep))
        return job

    async def _run(self, machine: RemoteMachine, request: Request, job: str) -> Execution:
        ran = await machine.run(f"{job}.zip", request.limits.wall_s + START_S)
        if ran.exit_code != 0:
            words = ran.stderr.strip()[-_MAX_WORDS:]
            raise MachineLost(f"the sandbox ended with exit status {ran.exit_code} and left no result: {words}")
        result = await machine.get(f"{job}.result", largest_result(request.limits))
        return await asyncio.to_thread(unpacked, result, request.limits)

    def _release(self, machine: RemoteMachine) -> None:
        self._leftovers.add(machine.release(), f"giving back {machine.name}")


def _lifetime_s(request: Request) -> float:
    return request.limits.wall_s + START_S + _TRANSFER_S
