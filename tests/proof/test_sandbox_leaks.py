"""Ten thousand executions of all kinds leave nothing behind."""

import asyncio
import os
import random
import time
from collections import Counter

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import MIB, Execution, ExecutionLimits, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig
from tests.kit.sandbox.machine import descendants, descriptors, memory, mounts, resident, threads

WARM_UP, EXECUTIONS, AT_ONCE, SESSIONS = 500, 10_000, 4, 8
GROWTH = 1.05
SEED = 20261122
SCRATCH = ("/tmp", "/var/tmp", "/dev/shm", "/run")

PRINT = "print(6*7)"
KINDS = {
    "print": (60, PRINT),
    "pandas": (20, "import pandas as pd\nprint(int(pd.DataFrame({'a': range(42)}).a.count()))"),
    "plot": (1, "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig('p.png'); print(42)"),
    "files": (4, "for n in range(5): open(f'f{n}', 'wb').write(bytes(100000))\nprint(42)"),
    "session": (5, "seen = globals().get('seen', 0) + 1\nprint(42)"),
    "tool": (4, "print(tools.look({'a': 1})['found'])"),
    "raises": (2, "print(42)\n1/0"),
    "crashes": (1, "import ctypes\nprint(42, flush=True)\nctypes.string_at(0)"),
    "bombs": (1, "print(42, flush=True)\nx = [bytes(1 << 20) for _ in range(10**6)]"),
    "forks": (1, "import os, time\nprint(42, flush=True)\ntry:\n while True: os.fork()\nexcept OSError: pass"),
    "hangs": (1, "import time\nprint(42, flush=True)\ntime.sleep(60)"),
}
"""Of a hundred, how many; and what. Each prints 42 before it does harm."""


async def found(name: str, arguments: JsonObject) -> JsonValue:
    """What `tools.look` gives."""
    return {"found": 42}


async def run(server: ForkServer, kind: str, number: int) -> Execution:
    request = Request(
        code=KINDS[kind][1],
        tools=["look"] if kind == "tool" else (),
        session=f"s{number % SESSIONS}" if kind == "session" else "",
        limits=ExecutionLimits(
            wall_s=0.5 if kind in ("hangs", "forks") else 20.0, memory_bytes=150 * MIB, processes=number % 2 * 8
        ),
    )
    return await server.execute(request, found if kind == "tool" else None)


async def run_many(server: ForkServer, numbers: range) -> Counter[str]:
    """Run them, some at once; how many of each kind came out wrong."""
    rng, wrong, left = random.Random(SEED), Counter[str](), iter(numbers)
    names, weights = list(KINDS), [weight for weight, _ in KINDS.values()]

    async def work() -> None:
        for number in left:
            kind = rng.choices(names, weights)[0]
            execution = await run(server, kind, number)
            wrong[kind] += execution.stdout != "42\n"

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    # So that as many are kept each time.
    for number in range(SESSIONS):
        wrong["session"] += (await run(server, "session", number)).stdout != "42\n"
    return +wrong


def quiet(most: int) -> int:
    """Wait until there are no more processes than that; how many there are."""
    deadline = time.monotonic() + 5
    while (count := len(descendants(os.getpid()))) > most and time.monotonic() < deadline:
        time.sleep(0.05)
    return count


def scratch() -> set[str]:
    """What the user as whom code runs owns where programs leave things."""
    user = ForkServerConfig().uid if os.geteuid() == 0 else os.getuid()
    entries = [entry for folder in SCRATCH if os.access(folder, os.R_OK) for entry in os.scandir(folder)]
    return {entry.path for entry in entries if entry.stat(follow_symlinks=False).st_uid == user}


@pytest.mark.proof
@pytest.mark.proves("B5")
@pytest.mark.timeout(1800)
async def test_ten_thousand_executions_leave_nothing_behind() -> None:
    server = await ForkServer.start(ForkServerConfig(sessions=SESSIONS))
    me = os.getpid()
    assert await run_many(server, range(WARM_UP)) == Counter()
    await asyncio.sleep(1)
    processes = len(descendants(me))
    before = mounts(), threads(me), sum(descriptors(me).values()), scratch()
    ours, theirs = resident(me), memory(descendants(me))
    started = time.monotonic()
    assert await run_many(server, range(WARM_UP, WARM_UP + EXECUTIONS)) == Counter()
    seconds = time.monotonic() - started
    assert quiet(processes) <= processes
    await asyncio.sleep(1)
    after = mounts(), threads(me), sum(descriptors(me).values()), scratch()
    ours_after, theirs_after = resident(me), memory(descendants(me))
    await server.aclose()
    print(
        f"\n{EXECUTIONS} executions in {seconds:.0f} s: server {ours / 1e6:.1f} -> {ours_after / 1e6:.1f} MB, "
        f"sandbox {theirs / 1e6:.1f} -> {theirs_after / 1e6:.1f} MB, {processes} processes, {before[2]} descriptors"
    )
    assert after == before
    assert ours_after <= ours * GROWTH
    assert theirs_after <= theirs * GROWTH
