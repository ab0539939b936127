"""Programs started as an ordinary user, with a view of the machine in which that user may read the interpreter."""

import os
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ORDINARY = 61234
"""A user and a group that own nothing."""
REPOSITORY = Path(__file__).parents[3]


def is_root() -> bool:
    """Whether programs can be started as another user."""
    return os.geteuid() == 0


def as_ordinary(command: Sequence[str], user: int = ORDINARY) -> list[str]:
    """The command that runs `command` as an ordinary user; needs root."""
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--bounding-set=-all", *command]
    return in_open_view(drop)


def in_open_view(command: Sequence[str]) -> list[str]:
    """The command that runs `command` where every user may read the interpreter and this repository; needs root.

    Folders that are closed to others (such as /root) are covered, in a mount namespace of the command's own, by empty
    ones in which only what is needed is shown.
    """
    return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", _opening() + 'exec "$@"', "sh", *command]


def in_own_processes(command: Sequence[str]) -> list[str]:
    """The command that runs `command` in a pid namespace, whose first process adopts orphans; needs root. What is left
    of them ends with it."""
    first = 'exec 3<&0; "$@" <&3 & wait $!'
    return ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", first, "sh", *command]


def _opening() -> str:
    lines = ["stage=$(mktemp -d)", 'mount -t tmpfs -o mode=755 stage "$stage"']
    closed = _closed_folders((Path(sys.base_prefix), Path(sys.prefix), REPOSITORY))
    shown = [(cover, path) for cover, paths in closed.items() for path in paths]
    for number, (_, path) in enumerate(shown):
        lines += [f'mkdir "$stage/{number}"', f'mount --rbind {shlex.quote(str(path))} "$stage/{number}"']
    lines += [f"mount -t tmpfs -o mode=755 view {shlex.quote(str(cover))}" for cover in closed]
    for number, (_, path) in enumerate(shown):
        where = shlex.quote(str(path))
        lines += [f"mkdir -p {where}", f'mount --rbind "$stage/{number}" {where}']
    lines += ['umount -l "$stage"', 'rmdir "$stage"']
    return "\n".join(lines) + "\n"


def _closed_folders(paths: Sequence[Path]) -> Mapping[Path, Sequence[Path]]:
    """Outermost folders that others may not enter, and which of the paths lie in them."""
    closed: dict[Path, list[Path]] = {}
    for path in paths:
        real = path.resolve()
        cover = next((each for each in reversed(real.parents) if not each.stat().st_mode & stat.S_IXOTH), None)
        if cover is not None:
            closed.setdefault(cover, []).append(real)
    return closed
