"""How precisely limits end an execution, on a machine that does nothing else."""

import time
from collections.abc import AsyncIterator

import pytest

from openplaybook.sandbox.base import MIB, Ended, ExecutionLimits, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

LATE_S = 0.3
LOOK_S = 0.05
SPINNING = {
    "sleeps": "import time\ntime.sleep(60)",
    "spins": "while True: pass",
    "prints": "while True: print('x' * 1000)",
    "ignores signals": "import signal, time\nfor n in range(1, 32):\n try: signal.signal(n, signal.SIG_IGN)\n"
    " except (OSError, ValueError): pass\nwhile True: time.sleep(1)",
}
GROWING = """
import os, time
held = []
while True:
    held.append(b"x" * (1 << 20))
    os.write(1, b"%d %f\\n" % (len(held), time.monotonic()))
"""


@pytest.fixture
async def server() -> AsyncIterator[ForkServer]:
    started = await ForkServer.start(ForkServerConfig(preload=("numpy",)))
    yield started
    await started.aclose()


@pytest.mark.proof
@pytest.mark.timeout(300)
async def test_the_limit_of_time_is_kept_within_three_tenths_of_a_second(server: ForkServer) -> None:
    late: dict[str, float] = {}
    for title, code in SPINNING.items():
        for wall_s in (0.5, 1.0, 2.0, 3.0):
            started = time.monotonic()
            execution = await server.execute(Request(code=code, limits=ExecutionLimits(wall_s=wall_s)))
            late[f"{title} {wall_s}"] = time.monotonic() - started - wall_s
            assert execution.ended in (Ended.TIME, Ended.OUTPUT)
    print(f"\nlatest {max(late.values()):.3f} s after the limit")
    assert {title: lateness for title, lateness in late.items() if lateness > LATE_S} == {}


@pytest.mark.proof
@pytest.mark.timeout(300)
async def test_the_limit_of_memory_is_kept_within_a_tenth_or_one_look(server: ForkServer) -> None:
    worst = longest = 0.0
    for limit in (64, 128, 256, 512):
        execution = await server.execute(Request(code=GROWING, limits=ExecutionLimits(memory_bytes=limit * MIB)))
        steps = [line.split() for line in execution.stdout.splitlines()[:-1]]
        most, last = int(steps[-1][0]), float(steps[-1][1])
        crossed = next((float(at) for held, at in steps if int(held) >= limit), last)
        worst, longest = max(worst, most / limit), max(longest, last - crossed)
        assert execution.ended is Ended.MEMORY
        assert most <= limit * 1.1 or last - crossed <= LOOK_S
    print(f"\nat most {worst:.2f} times the limit of memory, for {longest * 1000:.0f} ms at most")
