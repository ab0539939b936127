"""The processes of a run, as their parent sees them: what they print, line by line."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence

from benchmarks.environments import ROOT
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads


class Player:
    """A module of this package that runs as a process of its own."""

    def __init__(self, module: str, *arguments: str, heard: Callable[[JsonValue], None]) -> None:
        """`heard` is given every line it prints, in a thread of this object's."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.hostile.{module}", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "GRPC_VERBOSITY": "NONE"},
        )
        self._heard = heard
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def say(self, value: JsonValue) -> None:
        """Give it a line."""
        assert self._process.stdin is not None, "it was asked for"
        self._process.stdin.write(dumps(value) + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None, "it was asked for"
        for line in self._process.stdout:
            self._heard(loads(line))


class Attacker:
    """A player that plays cases."""

    def __init__(self, *arguments: str) -> None:
        """Returns when it has made what it attacks; `RuntimeError` when the server does not let it."""
        self._lines: queue.Queue[JsonObject] = queue.Queue()
        self._player = Player("attacker", *arguments, heard=self._lines.put)
        if self._next(60) is None:
            self.close()
            raise RuntimeError("the attacker could not make its agent")

    def begin(self, cases: Sequence[str], *, at_once: int = 1, seconds: float = 0.0) -> None:
        """Have it play."""
        self._player.say({"cases": list(cases), "at_once": at_once, "seconds": seconds})

    def played(self, limit_s: float) -> list[JsonObject]:
        """What came of the cases, when it is through; what there is of it after `limit_s` without a line."""
        found: list[JsonObject] = []
        while (line := self._next(limit_s)) is not None and "over" not in line:
            found.append(line)
        return found

    def close(self) -> None:
        """End it."""
        self._player.close()

    def _next(self, limit_s: float) -> JsonObject | None:
        try:
            return self._lines.get(timeout=limit_s)
        except queue.Empty:
            return None
