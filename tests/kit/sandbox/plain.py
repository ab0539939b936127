"""What a sandbox is compared with: a plain child process of an unprivileged user, with resource limits.

Never as root: the programs that it is given are hostile.
"""

import asyncio
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from openplaybook.sandbox.base import MIB, CodeFile, Ended, Execution, Request
from tests.kit.sandbox.machine import descendants

USER = 61235
_PATIENCE_S = 5.0
"""How long it waits for the end of output that nobody but strays can write."""


class PlainProcess:
    """Runs code as many a program does: a child process, its output through pipes, its files in a folder."""

    def __init__(self, top: int, spared: Callable[[], int]) -> None:
        """`top` is the process beneath which all that it starts will be found, `spared` one that it did not start."""
        if os.geteuid() != 0:
            raise RuntimeError("hostile programs run outside a sandbox only as a user of their own, which needs root")
        self._top, self._spared = top, spared
        self._idle = set(descendants(top))

    async def execute(self, request: Request) -> Execution:
        """Run it, in a new folder."""
        folder = Path(tempfile.mkdtemp(prefix="plain", dir="/var/tmp"))
        os.chown(folder, USER, USER)
        try:
            return await self._run(request, folder)
        finally:
            # Not `shutil.rmtree`, which folders in folders break.
            remove = await asyncio.create_subprocess_exec("rm", "-rf", str(folder))
            await remove.wait()

    def sweep(self) -> None:
        """Kill what is left, until nothing is: each look may find children born meanwhile."""
        strays = set[int]()
        for _ in range(200):
            strays = set(descendants(self._top)) - self._idle - {self._spared()}
            if not strays:
                return
            for kind in (signal.SIGSTOP, signal.SIGKILL):
                for pid in strays:
                    _signal(pid, kind)
            time.sleep(0.005)
        raise RuntimeError(f"these do not end: {sorted(strays)}")

    async def _run(self, request: Request, folder: Path) -> Execution:
        started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", request.code),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "HOME": "/var/tmp", "MPLBACKEND": "Agg", "OPENBLAS_NUM_THREADS": "1"},
            preexec_fn=_limit,
            user=USER,
            group=USER,
            extra_groups=[],
        )
        output = asyncio.ensure_future(process.communicate())
        done, _ = await asyncio.wait([output], timeout=request.limits.wall_s)
        if not done:
            _signal(process.pid, signal.SIGKILL)
            done, _ = await asyncio.wait([output], timeout=_PATIENCE_S)
        if not done:
            # Strays hold the pipes open.
            self.sweep()
        stdout, stderr = await output
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        files, trouble = _collected(folder)
        return Execution(
            ended=Ended.EXIT if process.returncode != -signal.SIGKILL else Ended.TIME,
            exit_code=process.returncode,
            stdout=stdout.decode("utf-8", "replace") + trouble,
            stderr=stderr.decode("utf-8", "replace"),
            files=files,
            cpu_s=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            wall_s=time.monotonic() - started,
        )


def _collected(folder: Path) -> tuple[list[CodeFile], str]:
    """As a program does that fears nothing; and whether that went well."""
    try:
        paths = [Path(root, name) for root, _, names in os.walk(folder) for name in names]
        wanted = [path for path in paths if path.is_file() and path.stat().st_size < 64 * MIB]
        return [CodeFile(str(path.relative_to(folder)), path.read_bytes()) for path in wanted], ""
    except (RecursionError, OSError) as error:
        return [], f"\nESCAPED collecting its files ended with {type(error).__name__}"


def _limit() -> None:
    """So that this machine survives; far above what an execution is allowed."""
    for rule, most in (
        (resource.RLIMIT_AS, 3072 * MIB),
        (resource.RLIMIT_CPU, 20),
        (resource.RLIMIT_FSIZE, 512 * MIB),
        (resource.RLIMIT_NPROC, 256),
        (resource.RLIMIT_NOFILE, 4096),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(rule, (most, most))


def _signal(pid: int, kind: int) -> None:
    try:
        os.kill(pid, kind)
    except ProcessLookupError:
        return
