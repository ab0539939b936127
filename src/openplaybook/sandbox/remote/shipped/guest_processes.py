"""What a guest and its children use, and their end."""

import contextlib
import os
import signal
import time
from collections.abc import Generator, Iterator

_WARNED_S = 0.1
"""What the runtime's handler of SIGXCPU, which writes out stdout, may take."""


def memory_bytes(guest: int) -> int:
    """Resident memory of all processes of the guest's session that no file stands behind."""
    return sum(_resident(process) for process in _processes(guest))


def end(guest: int, *, warned: bool) -> None:
    """Kill the guest and its children; when `warned`, the guest may first write out what it has printed."""
    if warned:
        with contextlib.suppress(OSError):
            os.kill(guest, signal.SIGXCPU)
        _wait(guest)
    for _ in range(3):
        _signal(guest, signal.SIGKILL)


@contextlib.contextmanager
def stop(guest: int) -> Generator[None]:
    """The guest and its children stand still in the block."""
    _signal(guest, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(guest, signal.SIGCONT)


def _signal(guest: int, number: signal.Signals) -> None:
    for process in _processes(guest):
        with contextlib.suppress(OSError):
            os.kill(process, number)


def _wait(guest: int) -> None:
    deadline = time.monotonic() + _WARNED_S
    while time.monotonic() < deadline and any(process == guest for process in _processes(guest)):
        time.sleep(0.005)


def _processes(guest: int) -> Iterator[int]:
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                if os.getsid(int(name)) == guest:
                    yield int(name)


def _resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return 0
    named = [lines[name] for name in ("RssAnon", "RssShmem") if name in lines] or [lines.get("VmRSS", "0 kB")]
    return sum(int(value.split()[0]) * 1024 for value in named)
