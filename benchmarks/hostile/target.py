"""The server under attack: started as it is shipped, watched from outside, told to stop at the end."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import ours
from benchmarks.processes import Process, answers, peak_mb_of
from benchmarks.turns.peers import free_port

DRAIN_S = 10
_SAMPLED_EVERY_S = 0.05
_SHARED_EVERY_S = 1.0
_MOST_MB = 4000.0
"""A server that takes more is killed before it takes the machine down."""
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1024**2


@dataclass(frozen=True, slots=True)
class Sample:
    """What the server and all processes below it hold at one moment."""

    at: float
    memory_mb: float
    """Each page counted once (proportional set size)."""
    threads: int
    descriptors: int
    """Of the server alone."""
    children: int


class Target:
    """One running server, on the offline model, SQLite and a data folder of its own."""

    def __init__(self, folder: Path, core: int | None = None) -> None:
        self.http, self.grpc = free_port(), free_port()
        self.samples: list[Sample] = []
        self.was_killed = False
        """Whether it took so much memory that this object killed it."""
        places = ["--port", str(self.http), "--grpc-port", str(self.grpc), "--data-dir", str(folder / "data")]
        command = [str(ours() / "openplaybook"), "serve", *places, "--model", "offline"]
        settings = {
            "OPENPLAYBOOK_MASTER_KEY": "A" * 43 + "=",
            "OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8",
            "OPENPLAYBOOK_DRAIN_SECONDS": str(DRAIN_S),
            "OPENPLAYBOOK_LOG_LEVEL": "error",
        }
        self.process = Process(command, folder / "server.log", settings, core)
        self.process.wait_ready(self.http, "/healthz")
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self.process.is_alive()

    def is_answering(self) -> bool:
        """Whether it answers at all, asked ten times where it must."""
        return any(answers(self.http, "/livez") for _ in range(10))

    def peak_mb(self, since: float = 0.0, until: float = float("inf")) -> float:
        """Most memory of server and children in the samples of a time; 0 without one."""
        return max((each.memory_mb for each in self.samples if since <= each.at <= until), default=0.0)

    def own_peak_mb(self) -> float:
        """Most that the server's own process ever held, as the kernel counts; 0 when it is gone."""
        try:
            return peak_mb_of(Path(f"/proc/{self.process.pid}/status").read_text())
        except (OSError, IndexError):
            return 0.0

    def end(self) -> float | None:
        """Seconds from SIGTERM to its end; None when it outlasted its drain by more than five seconds."""
        taken = self.process.end(signal.SIGTERM, DRAIN_S + 5)
        self.close()
        return taken

    def close(self) -> None:
        """End it by whatever it takes, with all that it started."""
        self._is_over.set()
        below = tree(self.process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session, which `Process` started
        for child in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.stop()
        self._watcher.join()

    def _watch(self) -> None:
        shared_at = 0.0
        while not self._is_over.wait(_SAMPLED_EVERY_S):
            pids = [self.process.pid, *tree(self.process.pid)]
            now, memory = time.monotonic(), sum(map(_resident_mb, pids))
            if now - shared_at > _SHARED_EVERY_S or memory > 2 * self.peak_mb(since=now - 1):
                shared_at = now
                self.samples.append(_sample(now, pids))
            if memory > _MOST_MB and self.is_alive:
                self.was_killed = True
                self.process.end(signal.SIGKILL, 10)


def tree(pid: int) -> Sequence[int]:
    """All processes below one."""
    found: list[int] = []
    left = [pid]
    while left:
        below = list(_children(left.pop()))
        found += below
        left += below
    return found


def _children(pid: int) -> Iterable[int]:
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            yield from map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return


def _sample(now: float, pids: Sequence[int]) -> Sample:
    threads, descriptors = 0, 0
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        threads = len(os.listdir(f"/proc/{pids[0]}/task"))
        descriptors = len(os.listdir(f"/proc/{pids[0]}/fd"))
    return Sample(now, sum(map(_shared_mb, pids)), threads, descriptors, len(pids) - 1)


def _resident_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_MB
    except (OSError, IndexError):
        return 0.0


def _shared_mb(pid: int) -> float:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        return 0.0
    return 0.0
