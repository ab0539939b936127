"""Memory of processes as it is shared: proportional set size, from /proc (Linux)."""

import contextlib
from collections.abc import Iterable
from pathlib import Path


def descendants(pid: int) -> set[int]:
    """All processes below one."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                stat = (folder / "stat").read_text()
                parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    found, left = set[int](), [pid]
    while left:
        above = left.pop()
        born = {child for child, parent in parents.items() if parent == above}
        left += born - found
        found |= born
    return found


def pss_mb(pids: Iterable[int]) -> float:
    """MiB that they take together, each page counted once; a process that is gone takes none."""
    return sum(map(_pss_mb, pids))


def _pss_mb(pid: int) -> float:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
