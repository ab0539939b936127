"""How long it takes until the server answers, and until the command says what it can do.

    python -m benchmarks.startup [--runs 5]

Ready is the first 200 from the health path. The peer is `adk` as it is shipped, over a database of sessions. Ours
starts on an empty data directory, and again on one that has been used. Runs take turns; a first one of each, in which
byte code is compiled, does not count. Prints a row per measure (see `benchmarks.rows`).
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.environments import environment, ours, versions
from benchmarks.figures import median
from benchmarks.processes import Process, cores
from benchmarks.rows import NO_GOAL, Goal, cost, report
from benchmarks.turns.adk import Adk
from benchmarks.turns.base import Addresses, System
from benchmarks.turns.ours import Ours
from benchmarks.turns.peers import free_port

_READY = Goal(ours_at_most=1.5)
_HELP = Goal(ours_at_most=0.3)

_NOBODY = Addresses("http://127.0.0.1:9", "http://127.0.0.1:9")
"""The servers are started and asked for nothing but their health."""

Used = tuple[float, float]
"""Seconds of wall time and of CPU."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is timed for ours and for the peer."""

    name: str
    ours: Callable[[], Used]
    peer: Callable[[], Used]
    goal: Goal


def ready(system: System, folder: Path) -> Used:
    """Start a server in `folder` until it answers."""
    port = free_port()
    start = system.start(port, _NOBODY, folder)
    process = Process(start.arguments, folder / "log", start.environment, cores()[0])
    try:
        return process.wait_ready(port, system.ready_path), process.cpu_s()
    finally:
        process.stop()


def ready_anew(system: System) -> Used:
    """As `ready`, in a folder of its own."""
    with TemporaryDirectory(prefix="startup-") as folder:
        return ready(system, Path(folder))


def help_text(command: Path) -> Used:
    """Run `command --help`."""
    begun = time.perf_counter()
    with subprocess.Popen([str(command), "--help"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        process.wait()
    if process.returncode != 0:
        raise RuntimeError(f"{command} --help ended with status {process.returncode}")
    return time.perf_counter() - begun, 0.0


def measure(measures: Sequence[Measure], runs: int, against: str) -> None:
    """Print the rows: wall time of each measure, and CPU where it is known."""
    for each in measures:
        sys.stderr.write(f"{each.name}: {runs} runs and one before them\n")
        each.ours()
        each.peer()
        pairs = [(each.ours(), each.peer()) for _ in range(runs)]
        (our_wall, our_cpu), (peer_wall, peer_cpu) = (
            (median([pair[side][0] for pair in pairs]), median([pair[side][1] for pair in pairs])) for side in (0, 1)
        )
        report(cost(f"startup: {each.name}", "s", our_wall, peer_wall, against, each.goal))
        if our_cpu:
            report(cost(f"startup: CPU until {each.name}", "s", our_cpu, peer_cpu, against, NO_GOAL))


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs to take the medians of (default 5)")
    runs = parser.parse_args().runs
    binaries = environment("adk")
    own = Ours(ours(), "")
    version = str(versions(binaries, ["google-adk"])["google-adk"])
    peer = Adk(binaries, version, is_database=True, is_tuned=False)
    with TemporaryDirectory(prefix="startup-") as used:
        ready(own, Path(used))
        measures = (
            Measure("ready, empty data directory", lambda: ready_anew(own), lambda: ready_anew(peer), _READY),
            Measure("ready, used data directory", lambda: ready(own, Path(used)), lambda: ready_anew(peer), _READY),
            Measure("--help", lambda: help_text(ours() / "openplaybook"), lambda: help_text(binaries / "adk"), _HELP),
        )
        measure(measures, runs, f"google-adk {version}")


if __name__ == "__main__":
    main()
