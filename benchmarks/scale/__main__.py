"""Measures scale: `python -m benchmarks.scale [--sessions 100000,300000,1000000] [--seconds 10]`.

Needs some 15 GB of disk and a quarter of an hour; writes the table in docs/scale.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
import uvloop

from benchmarks.document import with_table
from benchmarks.environments import ROOT
from benchmarks.machine import this_machine
from benchmarks.scale.filling import TURNS, fill
from benchmarks.scale.measuring import PARTS, Sizes, Turns, deleted_per_s, hold_turns, sizes
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.postgres import Cluster, running_cluster

_DOCUMENT = ROOT / "docs" / "scale.md"
_GB = 1e9


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything at one size."""

    sessions: int
    sizes: Sizes
    turns: Turns
    deleted_per_s: float


def measure(cluster: Cluster, counts: Sequence[int], seconds: float) -> Sequence[Measured]:
    """The figures at each number of sessions, which grow."""
    found: list[Measured] = []
    there = 0
    with psycopg.connect(cluster.url()) as connection:
        for count in counts:
            begun = time.perf_counter()
            # A month from now on: none of them has expired but those that retention is measured with.
            fill(connection, there + 1, count, time.time_ns() // 1000)
            there = count
            size = sizes(connection)
            _say(f"{count:,} sessions after {time.perf_counter() - begun:.0f} s: {size.total / _GB:.2f} GB")
            turns, deleted = uvloop.run(_work(cluster, connection, count, seconds))
            found.append(Measured(count, size, turns, deleted))
            _say(f"  {turns}, {deleted:.0f} deleted a second")
    return found


async def _work(cluster: Cluster, connection: psycopg.Connection, count: int, seconds: float) -> tuple[Turns, float]:
    store = PostgresStore(read_address(cluster.url()), connections=16)
    await store.open()
    await hold_turns(store, count, 2, _postmaster(cluster))  # pages are read, statements are prepared
    turns = await hold_turns(store, count, seconds, _postmaster(cluster))
    connection.execute(
        "UPDATE openplaybook.session SET expires_us = 1, expires_hour = 0"
        " WHERE id IN (SELECT id FROM openplaybook.session ORDER BY id DESC LIMIT 2000)"
    )
    connection.commit()
    deleted = await deleted_per_s(store)
    await store.close()
    return turns, deleted


def _postmaster(cluster: Cluster) -> int:
    """The process whose children do the work."""
    return int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0])


def table(found: Sequence[Measured]) -> str:
    """As it stands in the document."""
    head = f"| | {' | '.join(f'{each.sessions:,} sessions' for each in found)} |"
    lines = [f"Measured {this_machine().words()}; {TURNS} turns a session, one of them with a tool call.", "", head]
    lines.append("|---|" + "---:|" * len(found))
    for part in PARTS:
        lines.append(_line(f"table `{part}`", [f"{each.sizes.tables[part] / _GB:.2f} GB" for each in found]))
        lines.append(_line(f"indexes of `{part}`", [f"{each.sizes.indexes[part] / _GB:.2f} GB" for each in found]))
    lines.append(_line("all of them", [f"{each.sizes.total / _GB:.2f} GB" for each in found]))
    lines.append(_line("a session", [f"{each.sizes.total / each.sessions / 1000:.1f} kB" for each in found]))
    lines.append(_line("turns a second, 16 at once", [f"{each.turns.per_s:,.0f}" for each in found]))
    lines.append(_line("store time of a turn, p50", [f"{each.turns.p50_ms:.1f} ms" for each in found]))
    lines.append(_line("store time of a turn, p99", [f"{each.turns.p99_ms:.1f} ms" for each in found]))
    lines.append(_line("CPU of PostgreSQL a turn", [f"{each.turns.database_cpu_ms:.2f} ms" for each in found]))
    lines.append(_line("expired sessions deleted a second", [f"{each.deleted_per_s:,.0f}" for each in found]))
    return "\n".join(lines)


def _line(what: str, cells: Sequence[str]) -> str:
    return f"| {what} | {' | '.join(cells)} |"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", default="100000,300000,1000000")
    parser.add_argument("--seconds", type=float, default=10.0, help="for which turns are held at each size")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.sessions.split(",")]
    with running_cluster() as cluster:
        uvloop.run(_made(cluster))
        text = table(measure(cluster, counts, arguments.seconds))
    _say(text)
    _DOCUMENT.write_text(with_table(_DOCUMENT.read_text(encoding="utf-8"), "scale", text), encoding="utf-8")


async def _made(cluster: Cluster) -> None:
    store = PostgresStore(read_address(cluster.url()))
    await store.open()
    await store.close()


if __name__ == "__main__":
    main()
