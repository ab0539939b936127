"""Faults that tests ask for: a process that dies at a point of its turns, or lists the points that it passes.

`TESTED_FAULT` asks for one in a server that is started by `python -m tests.faults serve …`; the product knows none:

    commit.after:3          the process kills itself at the third passing of that point
    commit.after:3:S        …counting only what belongs to the session with the id S
    list:/a/file            every point that is passed is written to that file, a line each

`points` says what the points are.
"""

import os
import signal
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

VARIABLE = "TESTED_FAULT"


class Fault(Protocol):
    """Told of every point."""

    async def passed(self, point: str, session: str) -> None:
        """The point is passed, for a session (its resource name; empty where it is nobody's)."""
        ...


class Death:
    """Kills this process when a point is passed for the n-th time."""

    def __init__(self, point: str, passing: int, session_id: str = "") -> None:
        self._point = point
        self._left = passing
        self._session_id = session_id

    async def passed(self, point: str, session: str) -> None:
        """As `Fault.passed`; does not return where the process dies."""
        if point == self._point and self._session_id in ("", session.rsplit("/", 1)[-1]):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class Listing:
    """Writes down what is passed: point, number of the passing and session id, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._passings: Counter[tuple[str, str]] = Counter()

    async def passed(self, point: str, session: str) -> None:
        """As `Fault.passed`."""
        session_id = session.rsplit("/", 1)[-1]
        self._passings[point, session_id] += 1
        with self._path.open("a") as written:
            written.write(f"{point}:{self._passings[point, session_id]}:{session_id}\n")


def fault_of(environment: Mapping[str, str]) -> Fault | None:
    """The fault that the environment asks for. Raises `ValueError` for what is none."""
    given = environment.get(VARIABLE)
    if not given:
        return None
    point, _, rest = given.partition(":")
    if point == "list":
        return Listing(Path(rest))
    passing, _, session_id = rest.partition(":")
    if not passing.isdigit() or int(passing) < 1:
        raise ValueError(f"{VARIABLE} is {given!r}; write POINT:N, POINT:N:SESSION or list:FILE")
    return Death(point, int(passing), session_id)
