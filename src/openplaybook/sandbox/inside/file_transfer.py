"""Files that cross the wall: a caller's are put into a workspace, and new or changed ones are given back.

Hostile code may have been in the workspace before. Nothing is opened but through the descriptor of its folder, links
are never followed, and what is not a regular file is never opened.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from .execution_limits import ExecutionLimits
from .frames import write_all

Known: TypeAlias = dict[str, tuple[int, int, int]]
"""Files by name as they were: time of change in nanoseconds, size, inode."""
_LONGEST_SHOWN = 120
_MOST_SHOWN = 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
LONGEST = 255
DEEPEST = 8
"""Folders beneath the workspace."""


def is_safe(name: str) -> bool:
    """Whether a name stays in the workspace, whoever reads it: relative, without `..`, and made of characters that
    show themselves (no control characters, none that turn the direction of text, no halves of surrogate pairs)."""
    if not 0 < len(name) <= LONGEST or not name.isprintable() or "\\" in name:
        return False
    parts = name.split("/")
    return len(parts) <= DEEPEST + 1 and all(part not in ("", ".", "..") for part in parts)


def place(workspace: str, name: str, data: bytes, known: Known) -> None:
    """Write a file and note it as known, in place of one of that name. Links are not followed, nor is anything opened
    that stands there: what leads out of the workspace is an `OSError`."""
    if not is_safe(name):
        raise ValueError(f"a file named {name!a}")
    *folders, last = name.split("/")
    at = os.open(workspace, _FOLDER)
    try:
        for folder in folders:
            with suppress(FileExistsError):
                os.mkdir(folder, 0o700, dir_fd=at)
            inner = os.open(folder, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        _write(at, last, data)
        status = os.stat(last, dir_fd=at, follow_symlinks=False)
    finally:
        os.close(at)
    known[name] = status.st_mtime_ns, status.st_size, status.st_ino


def _write(at: int, name: str, data: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=at)
    descriptor = os.open(name, _NEW_FILE, 0o644, dir_fd=at)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


@dataclass(slots=True)
class CollectedFiles:
    """What there was to give back."""

    files: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    skipped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Names, made harmless to show, and reasons; the first twenty."""
    known: Known = field(default_factory=Known)
    """All regular files as they are now, for the next time."""

    def skip(self, name: str, reason: str) -> None:
        """Tell that a file is left out."""
        if len(self.skipped) < _MOST_SHOWN:
            self.skipped.append((ascii(name)[1:-1][:_LONGEST_SHOWN], reason))


def collect(folder: str, limits: ExecutionLimits, known: Known) -> CollectedFiles:
    """What is in a folder and not in `known`. Whoever wrote there is dead or stopped."""
    collected = CollectedFiles()
    # Its owner may have closed it, and we are its owner.
    os.chmod(folder, 0o700)
    opened = os.open(folder, _FOLDER)
    try:
        for name, place, at in _entries(opened, "", 0, collected):
            _take(name, place, at, limits, known, collected)
    finally:
        os.close(opened)
    return collected


def _entries(folder: int, prefix: str, depth: int, collected: CollectedFiles) -> Iterator[tuple[str, str, int]]:
    """Each entry that is no folder: its name from the workspace on, its name in its folder, the folder."""
    for entry in sorted(os.listdir(folder)):
        name = prefix + entry
        if not stat.S_ISDIR(os.stat(entry, dir_fd=folder, follow_symlinks=False).st_mode):
            yield name, entry, folder
        elif depth == DEEPEST:
            collected.skip(name, "too deep")
        else:
            os.chmod(entry, 0o700, dir_fd=folder)
            inner = os.open(entry, _FOLDER, dir_fd=folder)
            try:
                yield from _entries(inner, f"{name}/", depth + 1, collected)
            finally:
                os.close(inner)


def _take(name: str, entry: str, folder: int, limits: ExecutionLimits, known: Known, collected: CollectedFiles) -> None:
    status = os.stat(entry, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        collected.skip(name, "not a regular file")
        return
    state = status.st_mtime_ns, status.st_size, status.st_ino
    collected.known[name] = state
    if known.get(name) == state:
        return
    reason = _refusal(name, status.st_size, limits, collected)
    if reason:
        collected.skip(name, reason)
        return
    collected.files.append((name, _read(entry, folder, status, limits.file_bytes)))


def _refusal(name: str, size: int, limits: ExecutionLimits, collected: CollectedFiles) -> str:
    if not is_safe(name):
        return "unsafe name"
    if len(collected.files) >= limits.files:
        return "too many files"
    if size > limits.file_bytes:
        return f"too large: at most {limits.file_bytes:,} bytes"
    total = sum(len(data) for _, data in collected.files)
    return f"too large: all together at most {limits.files_bytes:,} bytes" if total + size > limits.files_bytes else ""


def _read(entry: str, folder: int, status: os.stat_result, most: int) -> bytes:
    if not status.st_mode & stat.S_IRUSR:
        os.chmod(entry, 0o600, dir_fd=folder)
    descriptor = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(most)
