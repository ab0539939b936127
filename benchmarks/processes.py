"""Processes that a benchmark starts, and what they use, read from /proc (Linux)."""

import contextlib
import http.client
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_READY_LIMIT_S = 90.0
_STOP_LIMIT_S = 15.0
_POLL_S = 0.005
_LOG_SHOWN = 2000

_KEPT_VARIABLES = ("PATH", "LANG", "TMPDIR")


def cores() -> tuple[int, int]:
    """The core for what is measured and the core for everything else; the same one where there is but one."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[-1]


def ticks_of(stat: str) -> int:
    """CPU ticks in a text of `/proc/PID/stat`: user and system time, of children waited for as well."""
    # The name, second in the line, may hold blanks and parentheses of its own.
    fields = stat.rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def peak_mb_of(status: str) -> float:
    """Peak resident memory in MiB in a text of `/proc/PID/status`."""
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def rss_mb_of(status: str) -> float:
    """Resident memory in MiB in a text of `/proc/PID/status`."""
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def cpu_s(pid: int) -> float:
    """CPU seconds of a process so far, with all its threads and descendants; 0 when it is gone."""
    try:
        own = ticks_of(Path(f"/proc/{pid}/stat").read_text())
        return own / _TICKS_PER_S + sum(map(cpu_s, _children(pid)))
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def _children(pid: int) -> Iterable[int]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            yield from map(int, (thread / "children").read_text().split())


class Process:
    """A process of ours with a log of what it prints."""

    def __init__(
        self,
        arguments: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        core: int | None,
        folder: Path | None = None,
    ) -> None:
        """Start it pinned to `core` (any, when None), in `folder` (its home as well; that of the log when None)."""
        home = folder or log.parent
        kept = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
        with log.open("ab") as out:
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=home,
                env={**kept, "HOME": str(log.parent), "NO_PROXY": "127.0.0.1", **environment},
                start_new_session=True,
            )
        self.pid = self._process.pid
        self._log = log
        if core is not None:
            os.sched_setaffinity(self.pid, {core})

    def wait_ready(self, port: int, path: str) -> float:
        """Seconds from the start until `path` answers 200. `RuntimeError` with the log's end when it will not."""
        while (waited := time.monotonic() - self._started) < _READY_LIMIT_S and self._process.poll() is None:
            if answers(port, path):
                return time.monotonic() - self._started
            time.sleep(_POLL_S)
        raise RuntimeError(f"not ready after {waited:.0f} s, status {self._process.poll()}: {self.log_end()}")

    def cpu_s(self) -> float:
        """CPU seconds so far, descendants included."""
        return cpu_s(self.pid)

    def peak_mb(self) -> float:
        """Most memory it has held so far, in MiB."""
        return peak_mb_of(Path(f"/proc/{self.pid}/status").read_text())

    def rss_mb(self) -> float:
        """Memory it holds now, in MiB."""
        return rss_mb_of(Path(f"/proc/{self.pid}/status").read_text())

    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def end(self, signal_number: int, limit_s: float) -> float | None:
        """Seconds that it took to end after a signal; None when it had not after `limit_s`."""
        begun = time.monotonic()
        self._process.send_signal(signal_number)
        try:
            self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - begun

    def status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._process.poll()

    def log_end(self) -> str:
        """The last of what it printed."""
        return self._log.read_text(errors="replace")[-_LOG_SHOWN:]

    def stop(self) -> None:
        """End it, kindly first; returns when it is gone."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)  # its own session, which this object started
            self._process.wait()


def answers(port: int, path: str) -> bool:
    """Whether a server on loopback answers 200, within two seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
