"""Control groups (cgroup v2) besides the other limits, where this server was given a part of the tree.

Delegation is what systemd means by it (systemd.io/CGROUP_DELEGATION): a folder with the attribute `user.delegate`, or
the root of what a container sees, that we can write. Processes of ours then have to live in leaves of it (kernel
documentation, admin-guide/cgroup-v2, "no internal process constraint").
"""

import asyncio
import errno
import itertools
import logging
import os
from dataclasses import dataclass
from pathlib import Path

from openplaybook.sandbox.base import Layer

OWN_LEAF = "openplaybook-server"
"""Where the server itself goes; `DelegateSubgroup=` of a unit may say so from the start."""
NEEDED = ("memory", "pids")
_REMEDY = (
    "in addition only: with systemd, `Delegate=memory pids` and `DelegateSubgroup=openplaybook-server` in the unit; in "
    "containers, a writable cgroup v2 of the container's own"
)
_LOG = logging.getLogger("openplaybook.sandbox")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class CgroupTree:
    """The part of the tree that is ours, or why there is none."""

    folder: Path | None
    reason: str
    """What was found, in words."""

    @property
    def layer(self) -> Layer:
        """As it is reported: a layer that is not required."""
        is_there = self.folder is not None
        return Layer("cgroup", is_there, self.reason, required=False, remedy="" if is_there else _REMEDY)


def find_tree(mounts: str | None = None, own: str | None = None) -> CgroupTree:
    """What was given to us; changes nothing. `mounts` and `own` are /proc/self/mountinfo and /proc/self/cgroup."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text() if mounts is None else mounts
        own = Path("/proc/self/cgroup").read_text() if own is None else own
    except OSError as error:
        return CgroupTree(None, f"/proc cannot be read: {error.strerror}")
    folder = _own_folder(mounts, own)
    if folder is None:
        return CgroupTree(None, "cgroup v2 is not mounted")
    folder = folder.parent if folder.name == OWN_LEAF else folder
    if not _is_delegated(folder, own):
        return CgroupTree(None, f"{folder} is not delegated to this server")
    try:
        controllers = (folder / "cgroup.controllers").read_text().split()
    except OSError as error:
        return CgroupTree(None, f"{folder}: {error.strerror}")
    missing = [each for each in NEEDED if each not in controllers]
    if missing:
        return CgroupTree(None, f"{folder} has no controller for {' and '.join(missing)}")
    return CgroupTree(folder, f"memory and processes of each warm interpreter are limited in {folder}")


def _own_folder(mounts: str, own: str) -> Path | None:
    path = next((line[3:] for line in own.splitlines() if line.startswith("0::")), None)
    for line in mounts.splitlines():
        mounted, _, kind = line.partition(" - ")
        if path is not None and kind.startswith("cgroup2 "):
            root, place = mounted.split(" ")[3:5]
            if (path == root or path.startswith(root.rstrip("/") + "/")) and "/.." not in path:
                return Path(place) / path[len(root.rstrip("/")) :].lstrip("/")
    return None


def _is_delegated(folder: Path, own: str) -> bool:
    if not os.access(folder, os.W_OK) or not os.access(folder / "cgroup.procs", os.W_OK):
        return False
    if any(line in ("0::/", f"0::/{OWN_LEAF}") for line in own.splitlines()):
        return True
    for name in ("user.delegate", "trusted.delegate"):
        try:
            if os.getxattr(folder, name) == b"1":
                return True
        except OSError:
            # No such attribute, or none that we may read.
            continue
    return False


class ControlGroup:
    """A folder of the tree for one warm interpreter and all that runs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def make(cls, tree: Path, *, memory_bytes: int, processes: int) -> "ControlGroup":
        """With these limits. `OSError` where the kernel refuses."""
        _enable(tree)
        group = cls.bare(tree)
        (group.folder / "memory.max").write_text(str(memory_bytes))
        (group.folder / "pids.max").write_text(str(processes))
        return group

    @classmethod
    def bare(cls, tree: Path) -> "ControlGroup":
        """Without limits: its processes can be counted and ended together."""
        folder = tree / f"openplaybook-code-{os.getpid()}-{next(_numbers)}"
        folder.mkdir()
        return cls(folder)

    async def remove(self, seconds: float = 5.0) -> None:
        """End what is left in it, and it."""
        kill = self.folder / "cgroup.kill"
        if kill.exists():
            kill.write_text("1")
        delay = 0.001
        while True:
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError as error:
                # The dead are in it until somebody has waited for them.
                if error.errno != errno.EBUSY or seconds <= 0:
                    _LOG.warning("a control group stays: %s", error)
                    return
                await asyncio.sleep(delay)
                seconds, delay = seconds - delay, delay * 2
                continue
            return


def _enable(tree: Path) -> None:
    wanted = " ".join(f"+{name}" for name in NEEDED)
    try:
        (tree / "cgroup.subtree_control").write_text(wanted)
    except OSError as error:
        if error.errno != errno.EBUSY or (tree / "cgroup.procs").read_text().split() != [str(os.getpid())]:
            raise
        # We stand in the way ourselves, and nobody else does.
        leaf = tree / OWN_LEAF
        leaf.mkdir(exist_ok=True)
        (leaf / "cgroup.procs").write_text(str(os.getpid()))
        (tree / "cgroup.subtree_control").write_text(wanted)
