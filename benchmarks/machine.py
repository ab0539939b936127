"""What a figure was measured on."""

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from benchmarks.environments import ROOT


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything that a reader needs to judge a figure, and nothing that names the machine."""

    openplaybook: str
    """Our version."""
    commit: str
    """Short id, with a `+` when files differ from it; empty outside of a repository."""
    date: str
    """Day of the run, UTC, such as 2026-11-21."""
    system: str
    python: str
    cores: int
    """Cores that processes may use."""
    load: float
    """Processes that wanted a core in the minute before the run; what is above 0 was not ours."""

    def words(self) -> str:
        """As it stands above a table."""
        commit = f" at {self.commit}" if self.commit else ""
        return (
            f"{self.date}, openplaybook {self.openplaybook}{commit}, Python {self.python}, {self.system}, "
            f"{self.cores} cores, load before the run {self.load:.1f}"
        )


def this_machine() -> Machine:
    """The machine this runs on, as it is now."""
    return Machine(
        openplaybook=version("openplaybook"),
        commit=_commit(),
        date=datetime.now(UTC).date().isoformat(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        cores=len(os.sched_getaffinity(0)),
        load=os.getloadavg()[0],
    )


def _commit() -> str:
    # Fails in a copy without a repository, and before the first commit: then there is none to name.
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if found.returncode != 0:
        return ""
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    return found.stdout.strip() + ("+" if changed.stdout.strip() else "")
