"""The peers as processes of their own, and what they were asked."""

import contextlib
import http.client
import socket
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.environments import ROOT
from benchmarks.processes import Process
from benchmarks.turns.base import Addresses
from benchmarks.turns.loopback import STATS, Stats
from openplaybook.jsonvalues import loads


def free_port() -> int:
    """A port of 127.0.0.1 that is free right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Peer:
    """One running peer."""

    process: Process
    port: int

    def stats(self) -> Stats:
        """What it was asked so far."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", STATS)
        figures = loads(connection.getresponse().read())
        connection.close()
        return Stats(**figures)


@dataclass(frozen=True, slots=True)
class Peers:
    """The model and the API behind the tool."""

    model: Peer
    pets: Peer

    @property
    def addresses(self) -> Addresses:
        """Where they are."""
        return Addresses(f"http://127.0.0.1:{self.model.port}", f"http://127.0.0.1:{self.pets.port}")

    def cpu_s(self) -> float:
        """CPU seconds of both so far."""
        return self.model.process.cpu_s() + self.pets.process.cpu_s()


@contextlib.contextmanager
def running_peers(core: int | None) -> Generator[Peers]:
    """Both peers, on `core` (any, when None), for as long as the context lasts."""
    with TemporaryDirectory(prefix="peers-") as folder, contextlib.ExitStack() as stack:
        started: list[Peer] = []
        for module in ("model_peer", "pets_peer"):
            port = free_port()
            command = [sys.executable, "-m", f"benchmarks.turns.{module}", str(port)]
            environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}
            process = Process(command, Path(folder) / f"{module}.log", environment, core)
            stack.callback(process.stop)
            process.wait_ready(port, STATS)
            started.append(Peer(process, port))
        yield Peers(*started)
