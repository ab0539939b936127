"""Hostile programs run and judged in a process of their own, as the user and in the profile that a test asks for."""

import asyncio
import ctypes
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass

from openplaybook.sandbox.base import Execution, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.sandbox import benign, plain
from tests.kit.sandbox.benign import Task
from tests.kit.sandbox.canaries import Canaries, canaries
from tests.kit.sandbox.cases import Case
from tests.kit.sandbox.judge import Judge, Runs, Verdict
from tests.kit.sandbox.ordinary import REPOSITORY, as_ordinary, in_open_view, in_own_processes, is_root

_BE_ADOPTER = 36
"""PR_SET_CHILD_SUBREAPER: orphans become this process's children and can be seen, and ended."""


@dataclass(frozen=True, slots=True)
class Way:
    """How programs are run."""

    executor: str
    """`forkserver` or `plain`."""
    ordinary: bool = False
    """By a server that an ordinary user started; as root otherwise."""
    processes: bool = False
    """With child processes allowed."""

    def __str__(self) -> str:
        user = "ordinary user" if self.ordinary else "root"
        return f"{self.executor}, started by {user}, {'with' if self.processes else 'without'} child processes"


def run_suite(way: Way, cases: Sequence[Case], *, timeout_s: float) -> Sequence[Verdict]:
    """Run and judge hostile programs, one after the other."""
    lines = _run(way, {"cases": [asdict(case) for case in cases]}, timeout_s)
    return [Verdict(**json.loads(line)) for line in lines]


def run_tasks(way: Way, wanted: Sequence[Task], *, timeout_s: float) -> Mapping[str, Sequence[str]]:
    """Run programs that mean well: by their ids what is wrong with how they came out."""
    return dict(json.loads(line) for line in _run(way, {"tasks": [asdict(task) for task in wanted]}, timeout_s))


def _run(way: Way, work: Mapping[str, object], timeout_s: float) -> Sequence[str]:
    here = [sys.executable, "-m", "tests.kit.sandbox.suite"]
    command = here
    if is_root():
        # What a plain process leaves behind must not be left to this machine.
        command = as_ordinary(here) if way.ordinary else in_open_view(here)
        command = in_own_processes(command) if way.executor == "plain" else command
    told = json.dumps({"way": asdict(way), **work})
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "src:.", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, input=told, capture_output=True, text=True, cwd=REPOSITORY, env=environment, timeout=timeout_s
    )
    if done.returncode != 0:
        raise RuntimeError(f"{way}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


class _Sandbox:
    """A fork server, as the judge uses it: it leaves nothing to sweep."""

    def __init__(self, server: ForkServer) -> None:
        self._server = server

    async def execute(self, request: Request) -> Execution:
        return await self._server.execute(request)

    def sweep(self) -> None:
        return


@asynccontextmanager
async def _started(way: Way, found: Canaries, top: int) -> AsyncGenerator[Runs]:
    if way.executor == "plain":
        yield plain.PlainProcess(top, spared=lambda: found.victim.pid)
        return
    server = await ForkServer.start(ForkServerConfig())
    try:
        sandbox = _Sandbox(server)
        for _ in range(3):
            await sandbox.execute(Request(code="1"))
        yield sandbox
    finally:
        await server.aclose()


def _victims_user(way: Way) -> int | None:
    if way.executor == "plain":
        return plain.USER
    return ForkServerConfig().uid if is_root() else None


async def _work(way: Way, cases: Sequence[Case], wanted: Sequence[Task]) -> None:
    with canaries(_victims_user(way)) as found:
        top = 1 if way.executor == "plain" else os.getpid()
        async with _started(way, found, top) as executor:
            await asyncio.sleep(0.2)
            judge = Judge(executor, found, way.processes, top)
            for case in cases:
                print(json.dumps(asdict(await judge.judge(case))), flush=True)  # noqa: T201
            for task in wanted:
                wrong = await benign.faults(executor, task, processes=way.processes)
                print(json.dumps((task.id, wrong)), flush=True)  # noqa: T201


def main() -> None:
    """Read the work from stdin, write a verdict a line."""
    work = json.load(sys.stdin)
    ctypes.CDLL(None).prctl(_BE_ADOPTER, 1, 0, 0, 0)
    cases = [Case(**each) for each in work.get("cases", [])]
    wanted = benign.read_tasks(json.dumps(work.get("tasks", [])))
    asyncio.run(_work(Way(**work["way"]), cases, wanted))


if __name__ == "__main__":
    main()
