"""CPU of one call through an OpenAPI tool, against plain aiohttp by hand, google-adk and fastmcp.

    python -m benchmarks.openapi_call [--rounds 7] [--seconds 0.5]

Each has a process of its own on one core; the service, which answers at once, has the other. All make the same
requests, on connections that stay open, under uvloop; the service refuses a wrong request, and a worker a wrong
answer. In every round each measure is taken of all of them, one after the other. Prints a row per measure (see
`benchmarks.rows`).
"""

import argparse
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from benchmarks.environments import ROOT, environment, ours, versions
from benchmarks.figures import median
from benchmarks.openapi_call.pets import ANSWER, PET, TARGET, document
from benchmarks.openapi_call.worker import Kind, Worker
from benchmarks.processes import Process, cores
from benchmarks.rows import Goal, cost, report
from benchmarks.turns.peers import free_port
from openplaybook.jsonvalues import dumps

KINDS = tuple(Kind(call, concurrency) for call in ("get", "post") for concurrency in (1, 64))
_OURS, _TRACED, _BY_HAND, _ADK, _FASTMCP = "ours", "ours_traced", "aiohttp_by_hand", "adk", "fastmcp_tools"
_AGAINST_HAND = Goal(times_at_most=1.5)
_AGAINST_TOOLS = Goal(ratio_at_least=3)


@contextmanager
def workers(environments: Mapping[str, Path]) -> Generator[Mapping[str, Worker]]:
    """A worker for each script, by its name, and the service, while the context lasts."""
    own_core, other_core = cores()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    variables = {
        "BENCH_URL": url,
        "BENCH_DOCUMENT": dumps(document(url)).decode(),
        "BENCH_ANSWER": dumps(ANSWER).decode(),
        "BENCH_PET": dumps(PET).decode(),
    }
    with TemporaryDirectory(prefix="calls-") as folder:
        command = [str(ours() / "python"), "-m", "benchmarks.openapi_call.service", str(port)]
        service = Process(command, Path(folder) / "log", {}, other_core, ROOT)
        started: dict[str, Worker] = {}
        try:
            service.wait_ready(port, TARGET)
            for script, binaries in environments.items():
                started[script] = Worker(binaries, script, variables, own_core)
            yield started
        finally:
            for worker in started.values():
                worker.stop()
            service.stop()


def measure(running: Mapping[str, Worker], rounds: int, seconds: float) -> Mapping[tuple[str, Kind], float]:
    """Microseconds of CPU a call, the median of the rounds, by worker and kind."""
    calls = {(name, kind): worker.calls_for(kind, seconds) for name, worker in running.items() for kind in KINDS}
    taken: dict[tuple[str, Kind], list[float]] = {key: [] for key in calls}
    for number in range(1, rounds + 1):
        for kind in KINDS:
            for name, worker in running.items():
                taken[name, kind].append(worker.cpu_us(kind, calls[name, kind]))
        _show(number, taken)
    return {key: median(values) for key, values in taken.items()}


def _show(number: int, taken: Mapping[tuple[str, Kind], Sequence[float]]) -> None:
    sys.stderr.write(f"round {number}\n")
    for (name, kind), values in taken.items():
        sys.stderr.write(f"  {name:16} {kind.call:5} {kind.concurrency:3} at once: {values[-1]:7.1f} µs\n")
    sys.stderr.flush()


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the medians of (default 7)")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of a measure (default 0.5)")
    arguments = parser.parse_args()
    adk, fastmcp = environment("adk-tuned"), environment("fastmcp")
    environments = {_OURS: ours(), _TRACED: ours(), _BY_HAND: ours(), _ADK: adk, _FASTMCP: fastmcp}
    with workers(environments) as running:
        figures = measure(running, arguments.rounds, arguments.seconds)
    adk_version = versions(adk, ["google-adk"])["google-adk"]
    peers = {
        _BY_HAND: (f"aiohttp {aiohttp.__version__} by hand", _AGAINST_HAND),
        _ADK: (f"google-adk {adk_version}, one kept client", _AGAINST_TOOLS),
        _FASTMCP: (f"fastmcp {versions(fastmcp, ['fastmcp'])['fastmcp']}", _AGAINST_TOOLS),
    }
    for name, (against, goal) in peers.items():
        for kind in KINDS:
            _print(kind, "", figures[_OURS, kind], figures[name, kind], against, goal)
    against, _ = peers[_BY_HAND]
    for kind in KINDS:
        _print(kind, " with its trace", figures[_TRACED, kind], figures[_BY_HAND, kind], against, _AGAINST_HAND)


def _print(kind: Kind, more: str, own: float, peer: float, against: str, goal: Goal) -> None:
    what = f"openapi_call: CPU of a {kind.call.upper()}{more}, {kind.concurrency} at once"
    report(cost(what, "µs", own, peer, against, goal))


if __name__ == "__main__":
    main()
