"""A worker as the benchmark sees it: a process on a core of its own that makes calls when told to."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import ROOT

_SCRIPTS = Path(__file__).parent / "workers"
_TRIAL_CALLS = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """What workers are told to do."""

    call: str
    """`get` or `post`."""
    concurrency: int


class Worker:
    """Calls the service through one library."""

    def __init__(self, binaries: Path, script: str, variables: Mapping[str, str], core: int) -> None:
        """Start `workers/SCRIPT.py` with the Python of `binaries`, pinned to `core`."""
        self._process = subprocess.Popen(
            [str(binaries / "python"), str(_SCRIPTS / f"{script}.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **variables},
        )
        self._script = script
        os.sched_setaffinity(self._process.pid, {core})

    def calls_for(self, kind: Kind, seconds: float) -> int:
        """About how many calls take so many seconds of CPU."""
        return max(int(seconds * 1e6 / self.cpu_us(kind, _TRIAL_CALLS)), _TRIAL_CALLS)

    def cpu_us(self, kind: Kind, calls: int) -> float:
        """Microseconds of CPU a call; `RuntimeError` when a call did not give the right answer."""
        assert self._process.stdin is not None, "it was asked for"
        assert self._process.stdout is not None, "it was asked for"
        order = {"kind": kind.call, "calls": calls, "concurrency": kind.concurrency}
        self._process.stdin.write(f"{json.dumps(order)}\n")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._script} ended with status {self._process.wait()}; its last words are above")
        return float(line)

    def stop(self) -> None:
        """End it; returns when it is gone."""
        self._process.kill()
        self._process.wait()
