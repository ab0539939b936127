"""How code is run on this machine, as an operator says it."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.sandbox.base import DEFAULT_LIMITS, ExecutionLimits
from openplaybook.sandbox.local.warm_servers import DEFAULT_SCHEDULE, Schedule

PRELOAD = ("numpy", "pandas", "matplotlib.pyplot")


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
