"""Rounds: in each, every system is started anew, warmed up and measured, one after the other."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from benchmarks.figures import median
from benchmarks.processes import Process, cores
from benchmarks.turns.base import System
from benchmarks.turns.client import Connection
from benchmarks.turns.load import Load, Window
from benchmarks.turns.peers import Peers, free_port, running_peers

CONCURRENCIES = (1, 16)
_WARM_UP_TURNS = 96
_TRIAL_TURNS = 48
_LEAST_TURNS, _MOST_TURNS = 100, 5000

Windows = Mapping[int, Window]
"""A window for each number of turns at once."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How long to measure."""

    rounds: int
    seconds: float
    """Aimed length of a window; its turns stay between 100 and 5000."""
    pets_a_turn: int = 1
    """Tool calls of a turn."""


def measure(systems: Sequence[System], extent: Extent) -> Mapping[str, Windows]:
    """The medians of each system, by its name."""
    server_core, other_core = cores()
    measured: dict[str, list[Windows]] = {system.name: [] for system in systems}
    with running_peers(other_core) as peers:
        for number in range(1, extent.rounds + 1):
            for system in systems:
                windows = _round(system, peers, extent, server_core)
                measured[system.name].append(windows)
                _show(f"round {number} of {extent.rounds}, {system.title}", windows)
    return {name: merged(rounds) for name, rounds in measured.items()}


def _round(system: System, peers: Peers, extent: Extent, core: int) -> Windows:
    with TemporaryDirectory(prefix="turns-") as name:
        folder, port = Path(name), free_port()
        start = system.start(port, peers.addresses, folder)
        server = Process(start.arguments, folder / "server.log", start.environment, core)
        try:
            server.wait_ready(port, system.ready_path)
            return uvloop.run(_windows(Load(system, server, port, peers, extent.pets_a_turn), extent))
        finally:
            server.stop()


async def _windows(load: Load, extent: Extent) -> Windows:
    connection = await Connection.open(load.port)
    await load.system.prepare(connection, load.peers.addresses)
    connection.close()
    await load.window(16, _WARM_UP_TURNS)
    windows: dict[int, Window] = {}
    for concurrency in CONCURRENCIES:
        trial = await load.window(concurrency, _TRIAL_TURNS)
        turns = min(max(int(trial.turns_per_s * extent.seconds), _LEAST_TURNS), _MOST_TURNS)
        windows[concurrency] = await load.window(concurrency, turns)
    for failure in load.failures[:3]:
        sys.stderr.write(f"  failed: {failure}\n")
    return windows


def merged(rounds: Sequence[Windows]) -> Windows:
    """The medians of each figure over the rounds; turns and failures are summed."""
    return {concurrency: _merged([windows[concurrency] for windows in rounds]) for concurrency in rounds[0]}


def _merged(windows: Sequence[Window]) -> Window:
    medians = {each.name: median([getattr(window, each.name) for window in windows]) for each in fields(Window)}
    turns, failed = sum(window.turns for window in windows), sum(window.failed for window in windows)
    return replace(windows[0], **{**medians, "turns": turns, "failed": failed})


def _show(title: str, windows: Windows) -> None:
    sys.stderr.write(f"{title}\n" + "".join(_lines(windows)))
    sys.stderr.flush()


def _lines(windows: Windows) -> Iterable[str]:
    for concurrency, w in windows.items():
        yield (
            f"  {concurrency:2} at once: CPU {w.cpu_ms:.2f} ms, p50 {w.p50_ms:.1f} ms, p99 {w.p99_ms:.1f} ms, "
            f"{w.turns_per_s:.0f}/s, {w.failed} of {w.turns + w.failed} failed, "
            f"calls {w.model_calls:g}+{w.tool_calls:g}, cores {w.server_share:.0%}/{w.other_share:.0%}\n"
        )
