"""How code is run on this machine, as an operator says it."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.sandbox.base import DEFAULT_LIMITS, ExecutionLimits

PRELOAD = ("numpy", "pandas", "matplotlib.pyplot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How long a warm interpreter may be kept."""

    tenants: int = 4
    """Of so many tenants at once; the one that was not used for longest goes."""
    executions: int = 2000
    """Then another takes its place: what code learns of the layout of its memory is of no use for longer."""
    age_s: float = 3600.0
    """The same by time."""
    idle_s: float = 1800.0
    """Then it goes."""


DEFAULT_SCHEDULE = Schedule()


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSettings:
    """What a `LocalExecutor` is told."""

    python: str = sys.executable
    """The interpreter, and by it the libraries, that code gets."""
    preload: Sequence[str] = PRELOAD
    """Modules that are imported ahead of time; those that are not installed are passed over."""
    ready: int = 2
    """Sandboxes that are kept waiting for code, a tenant."""
    limits: ExecutionLimits = DEFAULT_LIMITS
    concurrency: int = 0
    """Executions at once; 0: `default_concurrency`."""
    keeps_sessions: bool = False
    schedule: Schedule = DEFAULT_SCHEDULE


DEFAULT_SETTINGS = LocalSettings()


def default_concurrency() -> int:
    """Twice as many executions as there are CPUs for us, at least 4: some wait for tools or sleep."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(4, 2 * cpus)
