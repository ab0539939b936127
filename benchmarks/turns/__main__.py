"""Measures turns: `python -m benchmarks.turns [--seconds 6] [--rounds 3] [--all] [SYSTEM …]`."""

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.environments import environment, ours, versions
from benchmarks.processes import cores
from benchmarks.rows import NO_GOAL, Goal, Row, cost, rate, report
from benchmarks.turns.adk import Adk
from benchmarks.turns.base import System
from benchmarks.turns.ours import Ours
from benchmarks.turns.rounds import Extent, Windows, measure

_CPU_GOALS = {"adk-database": Goal(ratio_at_least=5), "adk-database-tuned": Goal(ratio_at_least=4)}
_P99_GOALS = {"adk-database": Goal(ratio_at_least=5)}


def systems(names: Sequence[str], *, is_all: bool) -> Sequence[System]:
    """The systems to measure, ours first; environments of peers are made where they are missing."""
    binaries = ours()
    own = Ours(binaries, str(versions(binaries, ["openplaybook"])["openplaybook"]))
    peers: list[System] = []
    for is_tuned in (False, True):
        folder = environment("adk-tuned" if is_tuned else "adk")
        version = str(versions(folder, ["google-adk"])["google-adk"])
        stores = (True, False) if is_all or names else (True,)
        peers += [Adk(folder, version, is_database=store, is_tuned=is_tuned) for store in stores]
    return [own, *(peer for peer in peers if not names or peer.name in names)]


def rows(own: Windows, title: str, peer: Windows, goals: tuple[Goal, Goal]) -> Iterable[Row]:
    """Rows against one peer; `goals` are for the CPU of a turn and for the p99 of sixteen at once."""
    for concurrency, window in own.items():
        other, at_once = peer[concurrency], f"{concurrency} at once"
        is_busy = concurrency > 1
        yield cost(f"turns: server CPU a turn, {at_once}", "ms", window.cpu_ms, other.cpu_ms, title, goals[0])
        p99_goal = goals[1] if is_busy else NO_GOAL
        yield cost(f"turns: p99 of a turn, {at_once}", "ms", window.p99_ms, other.p99_ms, title, p99_goal)
        if is_busy:
            yield rate(
                f"turns: turns a second of one core, {at_once}", "/s", window.turns_per_s, other.turns_per_s, title
            )


def print_rows(measured: Mapping[str, Windows], own: str, peers: Sequence[System]) -> None:
    """Print all rows."""
    for peer in peers:
        goals = _CPU_GOALS.get(peer.name, NO_GOAL), _P99_GOALS.get(peer.name, NO_GOAL)
        for row in rows(measured[own], peer.title, measured[peer.name], goals):
            report(row)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", help="peers to measure instead of the usual: adk-memory, adk-database, …")
    parser.add_argument("--seconds", type=float, default=6.0, help="aimed length of a window (default 6)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the medians of (default 3)")
    parser.add_argument("--all", action="store_true", help="adk's sessions in memory as well")
    arguments = parser.parse_args()
    chosen = systems(arguments.systems, is_all=arguments.all)
    os.sched_setaffinity(0, {cores()[1]})
    measured = measure(chosen, Extent(arguments.rounds, arguments.seconds))
    print_rows(measured, chosen[0].name, chosen[1:])


if __name__ == "__main__":
    main()
