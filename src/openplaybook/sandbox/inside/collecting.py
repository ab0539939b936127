"""The files of a workspace that are given back: new or changed ones, regular, under names that are safe to use.

Reads a folder that hostile code has written. Nothing is opened but through the descriptor of its folder, links are
never followed, and what is not a regular file is never opened.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from .limits import Limits
from .paths import DEEPEST, is_safe

Known: TypeAlias = dict[str, tuple[int, int, int]]
"""Files by name as they were: time of change in nanoseconds, size, inode."""
_LONGEST_TOLD = 120
_MOST_TOLD = 20


@dataclass(slots=True)
class Collected:
    """What there was to give back."""

    files: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    skipped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Names, made harmless to show, and reasons; the first twenty."""
    known: Known = field(default_factory=Known)
    """All regular files as they are now, for the next time."""

    def skip(self, name: str, reason: str) -> None:
        """Tell that a file is left out."""
        if len(self.skipped) < _MOST_TOLD:
            self.skipped.append((ascii(name)[1:-1][:_LONGEST_TOLD], reason))


def collect(folder: str, limits: Limits, known: Known) -> Collected:
    """What is in a folder and not in `known`. Whoever wrote there is dead or stopped."""
    collected = Collected()
    # Its owner may have closed it, and we are its owner.
    os.chmod(folder, 0o700)
    opened = _open_folder(folder)
    try:
        for name, place, at in _entries(opened, "", 0, collected):
            _take(name, place, at, limits, known, collected)
    finally:
        os.close(opened)
    return collected


def _open_folder(name: str, at: int | None = None) -> int:
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)


def _entries(folder: int, prefix: str, depth: int, collected: Collected) -> Iterator[tuple[str, str, int]]:
    """Each entry that is no folder: its name from the workspace on, its name in its folder, the folder."""
    for entry in sorted(os.listdir(folder)):
        name = prefix + entry
        if not stat.S_ISDIR(os.stat(entry, dir_fd=folder, follow_symlinks=False).st_mode):
            yield name, entry, folder
        elif depth == DEEPEST:
            collected.skip(name, "too deep")
        else:
            os.chmod(entry, 0o700, dir_fd=folder)
            inner = _open_folder(entry, folder)
            try:
                yield from _entries(inner, f"{name}/", depth + 1, collected)
            finally:
                os.close(inner)


def _take(name: str, entry: str, folder: int, limits: Limits, known: Known, collected: Collected) -> None:
    found = os.stat(entry, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        collected.skip(name, "not a regular file")
        return
    state = found.st_mtime_ns, found.st_size, found.st_ino
    collected.known[name] = state
    if known.get(name) == state:
        return
    reason = _refusal(name, found.st_size, limits, collected)
    if reason:
        collected.skip(name, reason)
        return
    collected.files.append((name, _read(entry, folder, found, limits.file_bytes)))


def _refusal(name: str, size: int, limits: Limits, collected: Collected) -> str:
    if not is_safe(name):
        return "unsafe name"
    if len(collected.files) >= limits.files:
        return "too many files"
    if size > limits.file_bytes:
        return f"too large: at most {limits.file_bytes:,} bytes"
    total = sum(len(data) for _, data in collected.files)
    return f"too large: all together at most {limits.files_bytes:,} bytes" if total + size > limits.files_bytes else ""


def _read(entry: str, folder: int, found: os.stat_result, most: int) -> bytes:
    if not found.st_mode & stat.S_IRUSR:
        os.chmod(entry, 0o600, dir_fd=folder)
    descriptor = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(most)
