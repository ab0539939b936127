"""How fast code runs in our sandbox, against a plain process and google-adk's local executor, neither of which has one.

    python -m benchmarks.code [--runs 40]

Programs are run in turns. A first one of each, in which byte code is compiled and caches are filled, does not count.
Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.code.memory import descendants, pss_mb
from benchmarks.code.programs import IMPORTED, IMPORTS, PROGRAMS, RESTING
from benchmarks.code.served import serving
from benchmarks.code.systems import Adk, Ours, Plain, Run, System
from benchmarks.environments import environment, versions
from benchmarks.figures import median, quantile
from benchmarks.rows import NO_GOAL, Goal, cost, rate, report
from openplaybook.sandbox.base import Execution, Request
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

_PLAIN_GOALS = {
    "print": Goal(times_at_most=1.2),
    "numpy and pandas": Goal(ratio_at_least=15),
    "a plot as PNG": Goal(ratio_at_least=5),
}
_ADK_GOALS = {"numpy and pandas": Goal(ratio_at_least=20)}
_SHARES = {"print": 1.0, "numpy and pandas": 0.5, "a plot as PNG": 0.25}
"""Of the runs that were asked for."""
_LIVE = 8
_SETTLED_S = 3.0
_CALLERS = (2, 16)


async def one_at_a_time(ours: System, peers: Sequence[System], runs: int) -> None:
    """Rows of wall time and of CPU, a program at a time."""
    for program in PROGRAMS:
        found: dict[str, list[Run]] = {each.title: [] for each in (ours, *peers)}
        count = max(int(runs * _SHARES[program]), 5)
        sys.stderr.write(f"{program}: {count} runs and one before them\n")
        for number in range(count + 1):
            for system in (ours, *peers):
                run = await system.run(program)
                if number:
                    found[system.title].append(run)
        for peer in peers:
            goals = _PLAIN_GOALS if isinstance(peer, Plain) else _ADK_GOALS
            _report_runs(program, found[ours.title], found[peer.title], peer.title, goals.get(program, NO_GOAL))


def _report_runs(program: str, ours: Sequence[Run], peer: Sequence[Run], against: str, goal: Goal) -> None:
    own, theirs = [each.wall_ms for each in ours], [each.wall_ms for each in peer]
    report(cost(f"code: {program}, p50", "ms", median(own), median(theirs), against, goal))
    report(cost(f"code: {program}, p99", "ms", quantile(own, 0.99), quantile(theirs, 0.99), against))
    cpu = median([each.cpu_ms for each in ours]), median([each.cpu_ms for each in peer])
    report(cost(f"code: CPU of the code's own processes, {program}", "ms", *cpu, against))


async def through_the_server(served: System, plain: System, runs: int) -> None:
    """Rows of what a caller of the API waits."""
    for program in PROGRAMS:
        pairs = [(await served.run(program), await plain.run(program)) for _ in range(max(runs // 4, 5))]
        waits = median([own.wall_ms for own, _ in pairs]), median([other.wall_ms for _, other in pairs])
        report(cost(f"code: {program}, p50 through the server's API", "ms", *waits, plain.title))


async def many_at_once(ours: System, plain: System, seconds: float) -> None:
    """Rows of executions a second, and of how long the slowest wait."""
    for callers in _CALLERS:
        own, per_second = await _loaded(ours, callers, seconds)
        _, plain_per_second = await _loaded(plain, callers, seconds)
        goal = Goal(ours_at_least=40)
        what = f"code: numpy and pandas, {callers} at once"
        report(rate(what, "/s", per_second, plain_per_second, plain.title, goal))
        waits = quantile(own, 0.99), median(own)
        report(cost(f"{what}, p99", "ms", *waits, "the p50 of the same", Goal(times_at_most=3)))


async def _loaded(system: System, callers: int, seconds: float) -> tuple[Sequence[float], float]:
    """Milliseconds of each run that began within so many seconds, and how many ended a second."""
    start = time.perf_counter()
    end = start + seconds
    done: list[float] = []

    async def caller() -> None:
        while time.perf_counter() < end:
            begun = time.perf_counter()
            await system.run("numpy and pandas")
            done.append((time.perf_counter() - begun) * 1000)

    await asyncio.gather(*(caller() for _ in range(callers)))
    return done, len(done) / (time.perf_counter() - start)


async def memory_and_start() -> None:
    """Rows of what a warm interpreter takes, what each execution adds, and how long it takes to get warm."""
    against = "a plain process"
    start, idle = 0.0, 0.0
    for program, code in RESTING.items():
        start, idle, live = await _resting(code)
        plain = await asyncio.to_thread(_plain_resting, code)
        what = f"code: memory an execution adds (PSS), {program}"
        report(cost(what, "MB", live, plain, against, Goal(ours_at_most=12)))
    plain_start, plain_idle = await asyncio.to_thread(_plain_start), await asyncio.to_thread(_plain_resting, IMPORTED)
    what = "code: memory of the warm interpreter (PSS)"
    report(cost(what, "MB", idle, plain_idle, f"{against} with the same imports", Goal(ours_at_most=110)))
    report(
        cost("code: until the first interpreter is warm", "s", start, plain_start, f"{against} that imports the same")
    )


async def _resting(code: str) -> tuple[float, float, float]:
    """Of a fork server of its own: seconds until it is warm, MiB that it takes, MiB that one more execution adds."""
    before = descendants(os.getpid())
    begun = time.perf_counter()
    server = await ForkServer.start(ForkServerConfig(ready=0))
    start = time.perf_counter() - begun
    tasks: list[asyncio.Task[Execution]] = []
    try:
        taken: list[float] = []
        for count in (1, _LIVE):
            # The first has a place that waits already.
            tasks += [asyncio.create_task(server.execute(Request(code=code))) for _ in range(count)]
            await asyncio.sleep(_SETTLED_S)
            taken.append(pss_mb(descendants(os.getpid()) - before))
        live = (taken[1] - taken[0]) / _LIVE
        return start, taken[0] - live, live
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.aclose()


def _plain_start() -> float:
    """Seconds that a plain process needs for its imports."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", IMPORTS], check=True)
    return time.perf_counter() - begun


def _plain_resting(code: str) -> float:
    """MiB that a plain process takes while it rests."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL) as process:
        time.sleep(_SETTLED_S)
        taken = pss_mb([process.pid])
        process.kill()
    return taken


async def measure(runs: int, seconds: float, folder: Path) -> None:
    """Print all rows."""
    binaries = environment("adk-code")
    adk = Adk(binaries, str(versions(binaries, ["google-adk"])["google-adk"]), folder)
    plain = Plain(folder)
    executor = LocalExecutor()
    try:
        await executor.prepare()
        ours = Ours(executor)
        await one_at_a_time(ours, [plain, adk], runs)
        await many_at_once(ours, plain, seconds)
        async with serving(folder) as served:
            await through_the_server(served, plain, runs)
        await memory_and_start()
    finally:
        adk.close()
        await executor.aclose()


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="of print; half as many of pandas, a quarter of plots")
    parser.add_argument("--seconds", type=float, default=10, help="of each load (default 10)")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="code-") as folder:
        asyncio.run(measure(asked.runs, asked.seconds, Path(folder)))


if __name__ == "__main__":
    main()
