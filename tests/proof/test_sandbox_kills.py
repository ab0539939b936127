"""A sandbox whose processes are killed at random moments, and a server that is: calls go on, and nothing is left."""

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openplaybook.sandbox.base import Execution, ExecutionLimits, Request, SandboxFailed
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.local.local_settings import LocalSettings
from tests.kit.sandbox.machine import descendants

KILLS, SERVER_KILLS = 100, 20
SEED = 20261122
RIGHT_WITHIN_S = 5.0
GONE_WITHIN_S = 2.0

SERVER = """
import asyncio
from openplaybook.sandbox.base import Request
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.local.local_settings import LocalSettings

async def main():
    executor = LocalExecutor(LocalSettings(preload=(), keeps_sessions=True))
    print((await executor.execute(Request(code="print(6*7)"))).stdout, end="", flush=True)
    await asyncio.gather(
        executor.execute(Request(code="while True: pass")),
        executor.execute(Request(code="import time; time.sleep(60)", session="kept")),
    )

asyncio.run(main())
"""


def zygote(of: int) -> int:
    """The warm interpreter beneath a process: the first of those that share a command line with what they forked."""
    # Of a monitor and of a guest too the line is the zygote's, but they are younger.
    return min((pid for pid in descendants(of) if _is_of_zygote(pid)), key=_birth)


def _is_of_zygote(pid: int) -> bool:
    try:
        return b"inside.zygote" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def _birth(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    except (FileNotFoundError, ProcessLookupError):
        return sys.maxsize


def family(of: int) -> dict[int, int]:
    """The processes beneath one, and when each was born: numbers come again."""
    return {pid: _birth(pid) for pid in descendants(of)}


def until_gone(processes: dict[int, int], within_s: float) -> dict[int, str]:
    """Those of the processes that are still there after that time, and what they are."""
    deadline = time.monotonic() + within_s
    left = processes
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = {pid: born for pid, born in left.items() if _birth(pid) == born != sys.maxsize}
    return {pid: Path(f"/proc/{pid}/status").read_text() for pid in left}


@pytest.mark.proof
@pytest.mark.timeout(1800)
async def test_the_call_after_a_killed_warm_interpreter_is_right_within_five_seconds() -> None:
    rng, slowest, broken = random.Random(SEED), 0.0, 0
    idle = set(descendants(os.getpid()))
    executor = LocalExecutor(LocalSettings(preload=("numpy",)))
    request = Request(code="import time; time.sleep(0.02); print(6*7)", limits=ExecutionLimits(wall_s=10.0))
    await executor.execute(request)
    for _ in range(KILLS):
        running = [asyncio.create_task(executor.execute(request)) for _ in range(3)]
        await asyncio.sleep(rng.random() * 0.08)
        os.kill(zygote(os.getpid()), 9)
        started = time.monotonic()
        after = await executor.execute(request)
        slowest = max(slowest, time.monotonic() - started)
        assert (after.stdout, after.succeeded) == ("42\n", True)
        for outcome in await asyncio.gather(*running, return_exceptions=True):
            broken += isinstance(outcome, SandboxFailed)
            assert isinstance(outcome, SandboxFailed) or (isinstance(outcome, Execution) and outcome.stdout == "42\n")
    await executor.aclose()
    print(f"\n{KILLS} kills: the next call right after {slowest:.2f} s at most; {broken} of {3 * KILLS} calls broke")
    assert slowest <= RIGHT_WITHIN_S
    ours = {pid: born for pid, born in family(os.getpid()).items() if pid not in idle}
    assert until_gone(ours, GONE_WITHIN_S) == {}


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_nothing_outlives_a_killed_server() -> None:
    rng = random.Random(SEED)
    for _ in range(SERVER_KILLS):
        with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"42\n"
            time.sleep(rng.random() * 0.5)
            processes = family(server.pid)
            server.kill()
        assert len(processes) > 5
        assert until_gone(processes, GONE_WITHIN_S) == {}
