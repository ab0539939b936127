"""Processes below one, in whatever pid namespaces they are."""

import asyncio
import os
from collections.abc import Callable


def descendants(of: int | None = None) -> set[int]:
    """Living processes below one (or this), in whatever pid namespace they are."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        state, parent = state_of(name) if name.isdigit() else ("", 0)
        if state and state != "Z":
            children.setdefault(parent, []).append(int(name))
    found: set[int] = set()
    open_ends = [os.getpid() if of is None else of]
    while open_ends:
        below = children.get(open_ends.pop(), [])
        found.update(below)
        open_ends += below
    return found


async def wait_until(holds: Callable[[], bool]) -> None:
    """Until something holds that no event tells; AssertionError after thirty seconds."""
    for _ in range(3000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to hold")


async def wait_until_gone(processes: set[int]) -> None:
    """Until none of them lives."""
    await wait_until(lambda: all(state_of(str(process))[0] in ("", "Z") for process in processes))


def state_of(process: str) -> tuple[str, int]:
    """State (proc_pid_stat(5)) and parent; an empty one when it is gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as told:
            state, parent = told.read().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "", 0
    return state, int(parent)
