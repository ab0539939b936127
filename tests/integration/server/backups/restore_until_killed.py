"""A program: restore a backup, and die by SIGKILL before the N-th change to a folder or wait for the disk.

Argument: the backup. For each line `N FOLDER` of its input a fork restores into that data directory, and the exit code
is written: 0 when there are fewer such steps than N, else the signal's number, negative.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from openplaybook.server.backups.restoration import restore
from openplaybook.server.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

_STEPS = ("replace", "link", "unlink", "mkdir", "rmdir", "open", "fsync")


class Countdown:
    """Kills this process when it is over."""

    def __init__(self, left: int) -> None:
        self._left = left

    def before(self, act: Callable[P, R]) -> Callable[P, R]:
        def counted(*arguments: P.args, **named: P.kwargs) -> R:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*arguments, **named)

        return counted


def main() -> None:
    backup = Path(sys.argv[1])
    for line in sys.stdin:
        steps, _, data_dir = line.rstrip("\n").partition(" ")
        child = os.fork()
        if child == 0:
            _restore(backup, Path(data_dir), int(steps))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _restore(backup: Path, data_dir: Path, steps: int) -> None:
    """Ends the process, either way."""
    countdown = Countdown(steps)
    for name in _STEPS:
        setattr(os, name, countdown.before(getattr(os, name)))
    code = 1
    try:
        asyncio.run(restore(Settings(data_dir=data_dir), backup, force=True))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
