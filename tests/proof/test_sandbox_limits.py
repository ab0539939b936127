"""How precisely limits end an execution, on a machine that does nothing else."""

import time

import pytest

from openplaybook.sandbox.base import MIB, Ended, Limits, Request
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


@pytest.mark.proof
@pytest.mark.timeout(300)
async def test_the_limit_of_time_is_kept_within_three_tenths_of_a_second() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=("numpy",)))
    late: dict[str, float] = {}
    for title, code in SPINNING.items():
        for wall_s in (0.5, 1.0, 2.0, 3.0):
            started = time.monotonic()
            execution = await server.execute(Request(code=code, limits=Limits(wall_s=wall_s)))
            late[f"{title} {wall_s}"] = time.monotonic() - started - wall_s
            assert execution.ended in (Ended.TIME, Ended.OUTPUT)
    await server.aclose()
    print(f"\nlatest {max(late.values()):.3f} s after the limit")
    assert {title: lateness for title, lateness in late.items() if lateness > LATE_S} == {}


@pytest.mark.proof
@pytest.mark.timeout(300)
async def test_the_limit_of_memory_is_kept_within_a_tenth_or_one_look() -> None:
    server = await ForkServer.start(ForkServerConfig(preload=("numpy",)))
    worst = 0.0
    for limit in (64, 128, 256, 512):
        execution = await server.execute(Request(code=GROWING, limits=Limits(memory_bytes=limit * MIB)))
        steps = [line.split() for line in execution.stdout.splitlines()[:-1]]
        crossed = next(float(at) for held, at in steps if int(held) >= limit)
        most, last = int(steps[-1][0]), float(steps[-1][1])
        worst = max(worst, most / limit)
        assert execution.ended is Ended.MEMORY
        assert most <= limit * 1.1 or last - crossed <= LOOK_S
    await server.aclose()
    print(f"\nat most {worst:.2f} times the limit of memory, for less than one look")
