"""Puts a caller's files into a workspace in which hostile code may have been before."""

import os
from contextlib import suppress

from .collecting import Known
from .frames import write_all
from .paths import is_safe

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def place(workspace: str, name: str, data: bytes, known: Known) -> None:
    """Write a file and note it as known, in place of one of that name. Links are not followed, nor is anything opened
    that stands there: what leads out of the workspace is an `OSError`."""
    if not is_safe(name):
        raise ValueError(f"a file named {name!a}")
    *folders, last = name.split("/")
    at = os.open(workspace, _FOLDER)
    try:
        for folder in folders:
            at = _inner(at, folder)
        _write(at, last, data)
        found = os.stat(last, dir_fd=at, follow_symlinks=False)
    finally:
        os.close(at)
    known[name] = found.st_mtime_ns, found.st_size, found.st_ino


def _inner(at: int, folder: str) -> int:
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700, dir_fd=at)
    inner = os.open(folder, _FOLDER, dir_fd=at)
    os.close(at)
    return inner


def _write(at: int, name: str, data: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=at)
    descriptor = os.open(name, _NEW_FILE, 0o644, dir_fd=at)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)
