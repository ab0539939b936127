"""Measures pauses: `python -m benchmarks.pauses [--paused 10000] [--rounds 5]`."""

import argparse
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import uvloop

from benchmarks.environments import environment, ours, versions
from benchmarks.figures import median, quantile
from benchmarks.pauses.load import PauseLoad
from benchmarks.pauses.long import TURNS, WINDOW, Scripted, early_and_late_ms
from benchmarks.pauses.systems import AdkPauses, OurPauses, Pausing
from benchmarks.processes import Process, cores
from benchmarks.rows import Goal, cost, rate, report
from benchmarks.turns.base import System
from benchmarks.turns.client import Connection
from benchmarks.turns.ours import Ours
from benchmarks.turns.peers import Peers, free_port, running_peers

RESUMED = 100
_WARM_UP = 200
_PEER_SHARE = 20
"""The peer holds so many times fewer sessions, since it would need a quarter of an hour for all."""

T = TypeVar("T")

Body = Callable[[Process, int], Coroutine[None, None, T]]
"""What is done with a running server and its port."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one system."""

    growth_mb: float
    """Of resident memory, for all the sessions asked for."""
    capacity_per_s: float
    """Resumes a second, 16 at once."""
    p99_ms: float
    """Of resumes begun at half that rate."""


def served(system: System, peers: Peers, body: Body[T]) -> T:
    """What `body` gives for a running server."""
    with TemporaryDirectory(prefix="pauses-") as name:
        folder, port = Path(name), free_port()
        start = system.start(port, peers.addresses, folder)
        server = Process(start.arguments, folder / "server.log", start.environment, cores()[0])
        try:
            server.wait_ready(port, system.ready_path)
            return uvloop.run(body(server, port))
        finally:
            server.stop()


def measure(system: Pausing, peers: Peers, paused: int, rounds: int) -> Figures:
    """The figures of a system; `paused` is how many it really holds."""

    async def body(server: Process, port: int) -> Figures:
        connection = await Connection.open(port)
        await system.prepare(connection, peers.addresses)
        connection.close()
        load = PauseLoad(system, port)
        await load.closed(await load.pause(_WARM_UP))
        before = server.rss_mb()
        waiting = await load.pause(paused)
        growth = server.rss_mb() - before
        capacity = median([await load.closed([waiting.pop() for _ in range(RESUMED)]) for _ in range(3)])
        p99 = [
            quantile(await load.open([waiting.pop() for _ in range(RESUMED)], capacity / 2), 0.99)
            for _ in range(min(rounds, len(waiting) // RESUMED))
        ]
        return Figures(growth, capacity, median(p99) * 1000)

    return served(system, peers, body)


def long_conversation(system: Ours, peers: Peers) -> tuple[float, float]:
    """CPU of an early and of a late turn of one conversation, in ms."""

    async def body(server: Process, port: int) -> tuple[float, float]:
        connection = await Connection.open(port)
        await system.prepare(connection, peers.addresses)
        connection.close()
        return await early_and_late_ms(system, server, port)

    return served(system, peers, body)


def main() -> None:
    """Measure and print rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paused", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15, help="open loops of 100 resumes (default 15)")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {cores()[1]})
    binaries, adk = ours(), environment("adk-tuned")
    version = str(versions(binaries, ["openplaybook"])["openplaybook"])
    adk_version = str(versions(adk, ["google-adk"])["google-adk"])
    with running_peers(cores()[1]) as peers:
        own = measure(OurPauses(binaries, version), peers, arguments.paused, arguments.rounds)
        rival = AdkPauses(adk, adk_version, is_database=True, is_tuned=True)
        peer = measure(rival, peers, max(arguments.paused // _PEER_SHARE, 1000), arguments.rounds)
        scaled = peer.growth_mb * arguments.paused / max(arguments.paused // _PEER_SHARE, 1000)
        early, late = long_conversation(Scripted(binaries, version), peers)
    name = f"pauses: memory that {arguments.paused:,} paused sessions add"
    report(cost(name, "MB", max(own.growth_mb, 0.1), scaled, f"{rival.title}, scaled up", Goal(ours_at_most=50)))
    report(rate("pauses: resumes a second, 16 at once", "/s", own.capacity_per_s, peer.capacity_per_s, rival.title))
    title = f"pauses: p99 of {RESUMED} resumes at half that rate"
    report(cost(title, "ms", own.p99_ms, peer.p99_ms, rival.title, Goal(ours_at_most=20)))
    title = f"pauses: CPU of a turn without its prompt, the last {WINDOW} of {TURNS} of a conversation"
    report(cost(title, "ms", late, early, f"its turns {WINDOW + 1} to {2 * WINDOW}", Goal(times_at_most=1.15)))


if __name__ == "__main__":
    main()
