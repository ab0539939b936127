"""Measures durable turns: `python -m benchmarks.durability [--seconds 5] [--rounds 3] [--quick]`."""

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack

from benchmarks.durability.dbos_system import Dbos
from benchmarks.durability.postgres import Databases, running_databases
from benchmarks.environments import environment, ours, versions
from benchmarks.processes import cores
from benchmarks.rows import NO_GOAL, Goal, Row, cost, report
from benchmarks.turns.adk import Adk
from benchmarks.turns.base import System
from benchmarks.turns.ours import Ours
from benchmarks.turns.rounds import Extent, Windows, measure

TOOL_CALLS = 3
_UNJOURNALED = Goal(times_at_most=1.3)
_PEERS = Goal(ratio_at_least=5)


def systems(databases: Databases) -> Mapping[str, Sequence[System]]:
    """Ours over each store, and the peers over the same one."""
    binaries, adk, dbos = ours(), environment("adk-tuned"), environment("dbos")
    version = str(versions(binaries, ["openplaybook"])["openplaybook"])
    adk_version = str(versions(adk, ["google-adk"])["google-adk"])
    dbos_version = str(versions(dbos, ["dbos"])["dbos"])

    def over(store: str, *, is_postgres: bool) -> Sequence[System]:
        def url(owner: str) -> str:
            return databases.url(f"{owner}_{store}".lower()) if is_postgres else ""

        return (
            Ours(binaries, version, database_url=url("ours")),
            Ours(binaries, version, is_journaled=False),
            Adk(adk, adk_version, is_database=True, is_tuned=True, database_url=url("adk")),
            Dbos(dbos, dbos_version, url("dbos")),
            Dbos(dbos, dbos_version, "none"),
        )

    return {"SQLite": over("SQLite", is_postgres=False), "PostgreSQL": over("PostgreSQL", is_postgres=True)}


def rows(store: str, chosen: Sequence[System], measured: Mapping[str, Windows]) -> Iterable[Row]:
    """Rows of ours over one store against what was measured over it."""
    own, unjournaled, *_ = (measured[system.name] for system in chosen)
    goals = (_UNJOURNALED if store == "SQLite" else NO_GOAL, _PEERS, _PEERS)
    for system, goal in zip(chosen[1:4], goals, strict=False):
        for at_once, window in own.items():
            other = measured[system.name][at_once]
            name = f"durability: CPU of a turn with {TOOL_CALLS} tool calls, {store}, {at_once} at once"
            yield cost(name, "ms", window.cpu_ms, other.cpu_ms, system.title, goal)
            yield cost(
                f"durability: p99 of it, {store}, {at_once} at once", "ms", window.p99_ms, other.p99_ms, system.title
            )
    if len(chosen) > 3:
        by_hand, plain = (measured[system.name] for system in chosen[3:])
        for at_once, window in own.items():
            added = window.cpu_ms - unjournaled[at_once].cpu_ms
            peers = by_hand[at_once].cpu_ms - plain[at_once].cpu_ms
            name = f"durability: CPU that durability adds to it, {store}, {at_once} at once"
            yield cost(name, "ms", max(added, 0.01), peers, chosen[3].title)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="aimed length of a window (default 5)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the medians of (default 3)")
    parser.add_argument("--quick", action="store_true", help="without the peers")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        databases = stack.enter_context(running_databases(cores()[1]))
        stores = systems(databases)
        if arguments.quick:
            stores = {store: chosen[:2] for store, chosen in stores.items()}
        os.sched_setaffinity(0, {cores()[1]})
        extent = Extent(arguments.rounds, arguments.seconds, TOOL_CALLS)
        every = {system.name: system for chosen in stores.values() for system in chosen}
        measured = measure(list(every.values()), extent)
        for store, chosen in stores.items():
            for row in rows(store, chosen, measured):
                report(row)


if __name__ == "__main__":
    main()
