"""Holds the processes of a kept session still between its executions."""

import os
import select
import signal
import time

_MONITOR = 1
_PATIENCE_S = 0.5
_STILL = "TtZXx"
"""States of a task that does nothing (proc_pid_stat(5))."""


def stop_all(guest: int) -> bool:
    """Stop every process of this pid namespace but this one; False when they cannot be brought to a stand."""
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        # Again each time: a fork may have been on its way.
        os.kill(-1, signal.SIGSTOP)
        if not os.path.isdir(f"/proc/{guest}"):
            return False
        # Twice: while the first look went on, one that was not looked at yet may have woken one that was, by its end.
        if _all_still() and _all_still():
            return True
        select.select([], [], [], 0.0005)
    return False


def _all_still() -> bool:
    return all(_is_still(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != _MONITOR)


def _is_still(process: str) -> bool:
    try:
        tasks = os.listdir(f"/proc/{process}/task")
        return all(_state(f"/proc/{process}/task/{task}/stat") in _STILL for task in tasks)
    except (FileNotFoundError, ProcessLookupError):
        return True


def _state(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as told:
        return told.read().rpartition(")")[2].split()[0]
