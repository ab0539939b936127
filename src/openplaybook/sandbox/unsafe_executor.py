"""`unsafe-subprocess`: code in a plain child process, for machines without a sandbox and code that is trusted.

It has the rights of the server: its files, its network, its secrets. Limits keep mistakes small and stop nobody.
"""

import asyncio
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import mkdtemp

from openplaybook.jsonvalues import dumps
from openplaybook.sandbox.base import (
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    ExecutorReport,
    InvalidRequest,
    Request,
    SandboxUnavailable,
    Skipped,
    ToolCaller,
)
from openplaybook.sandbox.inside.file_transfer import collect
from openplaybook.sandbox.local.execution_queue import ExecutionQueue
from openplaybook.sandbox.local.interpreters import interpreter
from openplaybook.sandbox.request_check import check_request

NAME = "unsafe-subprocess"
WARNING = (
    "code runs WITHOUT a sandbox, with the rights of the server: its files, its network, its secrets. Use it for code "
    "that you trust only"
)
_FOLDER = Path(__file__).parent
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from unsafe_child import main; main(*sys.argv[2:])"
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC", "MPLBACKEND": "Agg"}
_LAST_WORDS_S = 0.2
_LOG = logging.getLogger("openplaybook.sandbox")


@dataclass(frozen=True, slots=True)
class _Ran:
    """A child process that is over."""

    status: int
    stdout: bytes
    stderr: bytes
    dropped: int
    is_late: bool
    wall_s: float


class _Capture(asyncio.Protocol):
    """The first bytes that come out of a pipe, and how many came after them.

    Not a pipe of `asyncio.subprocess`, whose `wait` waits for all who hold it, daemons of the code included.
    """

    def __init__(self, most: int, entrance: int) -> None:
        self.data = bytearray()
        self.dropped = 0
        self.entrance = entrance
        self._most = most
        self._end = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        taken = data[: self._most - len(self.data)]
        self.data += taken
        self.dropped += len(data) - len(taken)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end.set()

    def close_entrance(self) -> None:
        """Ours; children have their own."""
        if self.entrance >= 0:
            os.close(self.entrance)
            self.entrance = -1

    async def ends(self) -> None:
        """Wait until all is read, and no longer than a daemon may hold us up."""
        self.close_entrance()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), _LAST_WORDS_S)


@asynccontextmanager
async def _pipe(most: int) -> AsyncGenerator[_Capture]:
    way_out, entrance = os.pipe()
    capture = _Capture(most, entrance)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: capture, os.fdopen(way_out, "rb"))
    try:
        yield capture
    finally:
        capture.close_entrance()
        transport.close()


class UnsafeExecutor:
    """An `Executor` without walls. Keeps no sessions and makes no calls of tools."""

    keeps_sessions = False

    def __init__(self, limits: ExecutionLimits, *, python: str = sys.executable, concurrency: int = 4) -> None:
        self.limits = limits
        self._python = python
        self._admission = ExecutionQueue(concurrency)
        _LOG.warning("%s: %s", NAME, WARNING)

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """As `Executor.execute`."""
        check_request(request, self.limits)
        if request.tools:
            raise InvalidRequest(f"tools: code cannot call any in {NAME}")
        if sys.platform == "win32":
            raise SandboxUnavailable(f"{NAME} runs on Linux and macOS only")
        async with self._admission.admitted(request.tenant, request.limits.wall_s):
            place = Path(mkdtemp(prefix="openplaybook-code-"))
            try:
                return await self._execute(request, place)
            finally:
                await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)

    async def prepare(self, tenant: str = "") -> None:
        """There is nothing to warm."""

    async def report(self) -> ExecutorReport:
        """As `Executor.report`."""
        return ExecutorReport(NAME, [await interpreter(self._python, ())], note=WARNING)

    async def aclose(self) -> None:
        """What runs ends with the tasks that wait for it."""

    async def _execute(self, request: Request, place: Path) -> Execution:
        workspace = place / "workspace"
        code = place / "code.json"
        await asyncio.to_thread(_prepare, request, workspace, code)
        known = (await asyncio.to_thread(collect, str(workspace), request.limits, {})).known
        ran = await self._run(request.limits, workspace, code)
        collected = await asyncio.to_thread(collect, str(workspace), request.limits, known)
        ended = _ended(ran)
        return Execution(
            ended=ended,
            exit_code=ran.status if ended is Ended.EXIT else None,
            stdout=ran.stdout.decode(errors="replace"),
            stderr=ran.stderr.decode(errors="replace"),
            files=[CodeFile(name, data) for name, data in collected.files],
            skipped=[Skipped(name, reason) for name, reason in collected.skipped],
            dropped=ran.dropped,
            wall_s=ran.wall_s,
        )

    async def _run(self, limits: ExecutionLimits, workspace: Path, code: Path) -> _Ran:
        begun = time.monotonic()
        async with _pipe(limits.stdout_bytes) as output, _pipe(limits.stderr_bytes) as errors:
            child = await asyncio.create_subprocess_exec(
                *(self._python, "-I", "-c", _PROGRAM, str(_FOLDER), str(code), dumps(asdict(limits)).decode()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output.entrance,
                stderr=errors.entrance,
                cwd=workspace,
                env={**_ENVIRONMENT, "HOME": str(workspace), "MPLCONFIGDIR": str(workspace.parent)},
                start_new_session=True,
            )
            is_late = False
            try:
                await asyncio.wait_for(asyncio.shield(child.wait()), limits.wall_s)
            except TimeoutError:
                is_late = True
                child.send_signal(signal.SIGXCPU)
                await asyncio.wait([asyncio.ensure_future(child.wait())], timeout=_LAST_WORDS_S)
            finally:
                _kill(child.pid)
                status = await child.wait()
            await output.ends()
            await errors.ends()
        dropped = output.dropped + errors.dropped
        return _Ran(status, bytes(output.data), bytes(errors.data), dropped, is_late, time.monotonic() - begun)


def _prepare(request: Request, workspace: Path, code: Path) -> None:
    workspace.mkdir(mode=0o700)
    code.write_bytes(dumps({"code": request.code, "context": request.context}))
    for file in request.files:
        target = workspace / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


def _kill(group: int) -> None:
    """Whatever is left of it, its children included."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _ended(ran: _Ran) -> Ended:
    if ran.is_late:
        return Ended.TIME
    return Ended.CPU if ran.status == -signal.SIGXCPU else Ended.EXIT
