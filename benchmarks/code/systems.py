"""Whoever runs code, asked one program at a time."""

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.code.programs import EXPECTED, PROGRAMS
from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.executor import LocalExecutor

_WORKER = Path(__file__).parent / "workers" / "adk.py"


@dataclass(frozen=True, slots=True)
class Run:
    """One program, run."""

    wall_ms: float
    cpu_ms: float
    """Of the processes that ran it; 0 where it is not known."""


class System(Protocol):
    """Runs one of `PROGRAMS`."""

    title: str

    async def run(self, program: str) -> Run:
        """Run it, named by its name. `RuntimeError` when the output is not the right one."""
        ...


class Ours:
    """The sandbox as it is shipped."""

    title = "openplaybook"

    def __init__(self, executor: LocalExecutor) -> None:
        self._executor = executor

    async def run(self, program: str) -> Run:
        begun = time.perf_counter()
        done = await self._executor.execute(Request(code=PROGRAMS[program]))
        wall = time.perf_counter() - begun
        _must_be_right(program, done.stdout, done.error())
        return Run(wall * 1000, done.cpu_s * 1000)


class Plain:
    """`python -c`, in the environment of ours and an empty folder: no walls, no limits."""

    def __init__(self, folder: Path) -> None:
        self.title = "a plain process"
        self._folder = folder

    async def run(self, program: str) -> Run:
        # By `posix_spawn` from a thread: a large asking process must not count against it.
        return await asyncio.to_thread(self._run, program)

    def _run(self, program: str) -> Run:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        command = [sys.executable, "-c", PROGRAMS[program]]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        _must_be_right(program, done.stdout, done.stderr)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(wall * 1000, cpu * 1000)


class Adk:
    """google-adk's `UnsafeLocalCodeExecutor`, in a process of its own that times itself."""

    def __init__(self, binaries: Path, version: str, folder: Path) -> None:
        self.title = f"google-adk {version}, UnsafeLocalCodeExecutor"
        self._worker = subprocess.Popen(
            [str(binaries / "python"), str(_WORKER)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    async def run(self, program: str) -> Run:
        told = await asyncio.to_thread(self._ask, PROGRAMS[program])
        _must_be_right(program, str(told["stdout"]), str(told["stderr"]))
        return Run(float(str(told["wall_ms"])), float(str(told["cpu_ms"])))

    def _ask(self, code: str) -> Mapping[str, object]:
        assert self._worker.stdin is not None, "it was asked for"
        assert self._worker.stdout is not None, "it was asked for"
        self._worker.stdin.write(json.dumps(code) + "\n")
        self._worker.stdin.flush()
        return json.loads(self._worker.stdout.readline())

    def close(self) -> None:
        """End the worker."""
        self._worker.kill()
        self._worker.wait()


def _must_be_right(program: str, stdout: str, stderr: str) -> None:
    if not stdout.startswith(EXPECTED[program]):
        raise RuntimeError(f"{program}: {stdout[:200]!r} {stderr[-500:]!r}")
