"""The file system of a sandbox: a root of its own, read-only, made of binds of what an interpreter needs."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from . import kernel

WORKSPACE, TEMPORARY = "/workspace", "/tmp"
PROGRAMS = "/rt"
"""Where our own code and a virtual environment are shown."""
_DEVICES = ("null", "zero", "urandom", "random")
_NOTHING_SPECIAL = kernel.NO_SUID | kernel.NO_DEVICES
_DATA_ONLY = _NOTHING_SPECIAL | kernel.NO_EXEC
_COVERED = ("/tmp", "/mnt", "/media", "/var")
_ETC = {
    "passwd": "root:x:0:0::/:/bin/false\nsandbox:x:1000:1000::/workspace:/bin/false\n",
    "group": "root:x:0:\nsandbox:x:1000:\n",
    "hosts": "127.0.0.1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


@dataclass(frozen=True, slots=True)
class ShownPath:
    """A file or folder of the machine that is shown, read-only, in the sandbox."""

    source: str
    target: str


def build(paths: Sequence[ShownPath]) -> None:
    """Make the root of this mount namespace, with a fresh /proc of this pid namespace, and leave the old one."""
    kernel.mount("", "/", flags=kernel.RECURSIVE | kernel.PRIVATE)
    # Held open before the new root covers a folder that one of them may lie in.
    opened = [(os.open(each.source, os.O_PATH), each) for each in paths if os.path.lexists(each.source)]
    devices = [(os.open(f"/dev/{name}", os.O_PATH), name) for name in _DEVICES]
    new = next(folder for folder in _COVERED if os.path.isdir(folder))
    os.umask(0o022)
    kernel.mount("root", new, "tmpfs", _NOTHING_SPECIAL, "size=1m,mode=755")
    for descriptor, each in opened:
        _show(descriptor, each, new)
    for folder in ("proc", "dev", "etc", "old", WORKSPACE[1:], TEMPORARY[1:]):
        os.makedirs(f"{new}/{folder}", exist_ok=True)
    _make_devices(devices, f"{new}/dev")
    _write_etc(f"{new}/etc")
    kernel.mount("tmp", new + TEMPORARY, "tmpfs", _DATA_ONLY, "size=32m,mode=1777")
    kernel.mount("proc", f"{new}/proc", "proc", _DATA_ONLY)
    for descriptor, _ in [*opened, *devices]:
        os.close(descriptor)
    kernel.pivot_root(new, "old")
    os.rmdir("/old")
    kernel.mount("", "/", flags=kernel.REMOUNT | kernel.BIND | 1 | _NOTHING_SPECIAL)


def mount_proc(options: str = "") -> None:
    """Show the processes of this pid namespace, and those only."""
    kernel.mount("proc", "/proc", "proc", _DATA_ONLY, options)


def mount_scratch(disk_bytes: int, inodes: int, *, again: bool = False) -> None:
    """Give an execution its workspace and its /tmp, or set the sizes of those it has."""
    options = f"size={disk_bytes},nr_inodes={inodes},mode=700"
    for folder in (WORKSPACE, TEMPORARY):
        kernel.mount("scratch", folder, "tmpfs", _DATA_ONLY | (kernel.REMOUNT if again else 0), options)


def _show(descriptor: int, each: ShownPath, new: str) -> None:
    target = new + each.target
    os.makedirs(os.path.dirname(target), exist_ok=True)
    link = os.readlink(each.source) if os.path.islink(each.source) else ""
    if link and not link.startswith("/") and ".." not in link.split("/"):
        # /lib → usr/lib and its like stay links.
        os.symlink(link, target)
        return
    if os.path.isdir(f"/proc/self/fd/{descriptor}"):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(f"/proc/self/fd/{descriptor}", target, flags=kernel.BIND | kernel.RECURSIVE)
    kernel.make_read_only(target)


def _make_devices(devices: Sequence[tuple[int, str]], folder: str) -> None:
    for descriptor, name in devices:
        os.close(os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY, 0o644))
        kernel.mount(f"/proc/self/fd/{descriptor}", f"{folder}/{name}", flags=kernel.BIND)
    os.symlink("/proc/self/fd", f"{folder}/fd")
    # Shared memory with a name is files, charged to the execution like others.
    os.symlink(TEMPORARY, f"{folder}/shm")


def _write_etc(folder: str) -> None:
    for name, text in _ETC.items():
        with open(f"{folder}/{name}", "w", encoding="ascii") as written:
            written.write(text)
