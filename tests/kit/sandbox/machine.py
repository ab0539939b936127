"""What can be seen of a sandbox from outside: its processes, their memory, mounts and descriptors."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def descendants(of: int) -> Sequence[int]:
    """All living processes beneath one; orphans in a pid namespace stay beneath its first process."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        parent = _parent(entry) if entry.isdigit() else None
        if parent is not None:
            children.setdefault(parent, []).append(int(entry))
    found: list[int] = []
    left = [of]
    while left:
        born = children.get(left.pop(), [])
        found += born
        left += born
    return found


def _parent(pid: str) -> int | None:
    """None for one that is gone, or dead and not yet waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[1])


def memory(pids: Sequence[int]) -> int:
    """Bytes of memory of these processes, shared pages counted once among those who share them."""
    return sum(_proportional(pid) for pid in pids)


def _proportional(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        # Gone meanwhile, or hidden from an ordinary user.
        return 0
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def resident(pid: int) -> int:
    """Bytes of resident memory of one process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def mounts() -> Sequence[str]:
    """What is mounted in this mount namespace."""
    return [line.split(" ", 3)[3] for line in Path("/proc/self/mountinfo").read_text().splitlines()]


def descriptors(pid: int) -> Counter[str]:
    """What kinds of descriptors a process has open, and how many of each."""
    kinds: Counter[str] = Counter()
    for entry in os.listdir(f"/proc/{pid}/fd"):
        try:
            kinds[os.readlink(f"/proc/{pid}/fd/{entry}").split(":")[0]] += 1
        except FileNotFoundError:
            # The one that lists them.
            continue
    return kinds


def threads(pid: int) -> int:
    """How many threads a process has."""
    return len(os.listdir(f"/proc/{pid}/task"))
