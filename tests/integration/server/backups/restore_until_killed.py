"""A program: restore a backup, and die by SIGKILL before the N-th change to a folder or wait for the disk.

Arguments: the backup, the data directory, N. Exit code 0 when there are fewer such steps than N.
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
    backup, data_dir, steps = sys.argv[1:]
    countdown = Countdown(int(steps))
    for name in _STEPS:
        setattr(os, name, countdown.before(getattr(os, name)))
    asyncio.run(restore(Settings(data_dir=Path(data_dir)), Path(backup), force=True))


if __name__ == "__main__":
    main()
