"""Durable journal appends of the SQLite store against the same appends with a commit each.

The peer does what a plain program does: the standard library's sqlite3 in one worker thread, the same schema,
statements and safety (write-ahead log, synchronous FULL), and a transaction for every write. Both append rows
of 1 KiB to as many sessions as there are writers at once.

Prints a row per measure (see `benchmarks.rows`).
"""

import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import uvloop

from benchmarks.rows import cost, rate
from benchmarks.rows import report as print_row
from openplaybook.storage.base import BeginTurn, Lease, Started
from openplaybook.storage.sqlite import SqliteStore, journal
from openplaybook.storage.sqlite.file_connections import connect_writer, prepare_for_writing

WRITERS = (1, 16, 64)
ROUNDS = 7
WRITES = 1920
"""A round; a multiple of every number of writers."""
PAYLOAD = os.urandom(1024)
FAR_US = 2**60

Append = Callable[[Lease], Awaitable[None]]


async def main() -> None:
    """Measure both in turn, round by round, on one database each."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        ours, peer = Path(folder) / "ours.db", Path(folder) / "peer.db"
        store = SqliteStore(ours)
        await store.open()
        our_leases, peer_leases = await leases(store), await _peer_leases(peer)
        connection = connect_writer(peer)
        prepare_for_writing(connection)
        for writers in WRITERS:
            both: list[list[tuple[float, float]]] = [[], []]
            for _ in range(ROUNDS):
                both[0].append(await measured(partial(_append, store), our_leases[:writers]))
                both[1].append(await measured(partial(_append_alone, pool, connection), peer_leases[:writers]))
            report(writers, *both)
        connection.close()
        await store.close()


async def _append(store: SqliteStore, lease: Lease) -> None:
    await store.append(lease, [("row", PAYLOAD)])


async def _append_alone(pool: ThreadPoolExecutor, connection: sqlite3.Connection, lease: Lease) -> None:
    await asyncio.get_running_loop().run_in_executor(pool, _commit_one, connection, lease)


def _commit_one(connection: sqlite3.Connection, lease: Lease) -> None:
    connection.execute("BEGIN IMMEDIATE")
    journal.append(connection, lease, [("row", PAYLOAD)], time.time_ns() // 1000)
    connection.execute("COMMIT")


async def leases(store: SqliteStore) -> Sequence[Lease]:
    """The leases of running turns, one for each writer."""
    found: list[Lease] = []
    for number in range(max(WRITERS)):
        begun = await store.begin_turn(BeginTurn(f"s{number}", "a", f"t{number}", "k", "", "o", FAR_US, FAR_US))
        assert isinstance(begun, Started)
        found.append(begun.lease)
    return found


async def _peer_leases(path: Path) -> Sequence[Lease]:
    store = SqliteStore(path)
    await store.open()
    found = await leases(store)
    await store.close()
    return found


async def measured(append: Append, leases: Sequence[Lease]) -> tuple[float, float]:
    """(appends a second, CPU microseconds of the whole process for each) of one round."""
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_write(append, lease, WRITES // len(leases)) for lease in leases))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return WRITES / wall, cpu / WRITES * 1e6


async def _write(append: Append, lease: Lease, times: int) -> None:
    for _ in range(times):
        await append(lease)


def report(writers: int, ours: list[tuple[float, float]], peer: list[tuple[float, float]]) -> None:
    """Medians of the rounds."""
    (our_rate, our_cpu), (peer_rate, peer_cpu) = (
        [statistics.median(column) for column in zip(*rounds, strict=True)] for rounds in (ours, peer)
    )
    against = f"sqlite3 {sqlite3.sqlite_version}, a commit each"
    print_row(rate(f"storage: durable appends, {writers} at once", "/s", our_rate, peer_rate, against))
    print_row(cost(f"storage: CPU of an append, {writers} at once", "µs", our_cpu, peer_cpu, against))


if __name__ == "__main__":
    uvloop.run(main())
