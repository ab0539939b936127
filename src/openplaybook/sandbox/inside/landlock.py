"""Landlock: the files a guest may open, whatever is mounted (kernel documentation, userspace-api/landlock)."""

import os
import stat
from collections.abc import Sequence

from . import kernel

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_TRUNCATE = 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
# By version: 1 has thirteen rights, 2 adds links and renames across folders, 3 truncation, 5 ioctl on devices.
_FILES_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6


def handled(version: int) -> tuple[int, ...]:
    """All that this version of Landlock can forbid: accesses to files, to the network, across scopes."""
    files = max(rights for since, rights in _FILES_BY_VERSION.items() if since <= version)
    if version < _NETWORK_SINCE:
        return (files,)
    if version < _SCOPES_SINCE:
        return files, _BIND_AND_CONNECT
    return files, _BIND_AND_CONNECT, _ABSTRACT_SOCKETS_AND_SIGNALS


def restrict(readable: Sequence[str], writable: Sequence[str]) -> None:
    """From now on this process may read and execute beneath `readable` and do everything but execute beneath
    `writable`; paths that are not there are passed over. `OSError` without Landlock."""
    version = kernel.landlock_version()
    if version == 0:
        raise OSError("this kernel has no Landlock")
    accesses = handled(version)
    opened = [(_READ & accesses[0], path) for path in readable]
    opened += [(accesses[0] & ~_EXECUTE, path) for path in writable]
    rules: list[tuple[int, int]] = []
    for access, path in opened:
        if os.path.lexists(path):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rules.append((access if stat.S_ISDIR(os.fstat(descriptor).st_mode) else access & _OF_FILES, descriptor))
    kernel.landlock(accesses, rules)
    for _, descriptor in rules:
        os.close(descriptor)
