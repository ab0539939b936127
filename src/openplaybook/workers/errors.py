"""What can keep work from being done.

WorkError
├── WorkersBusy     as much waits already as may wait
├── WorkTimedOut    the time for it is over, waiting included
└── WorkEnded       the child process that did it has died
"""

from enum import StrEnum
from typing import ClassVar


class WorkError(Exception):
    """Work that was not done, for reasons that lie in its cost."""

    code: ClassVar[str] = "WORK_ERROR"


class WorkersBusy(WorkError):
    """Too much waits already; the work was not begun."""

    code = "WORKERS_BUSY"

    def __init__(self, message: str, retry_after_s: float) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        """Seconds after which it may be tried again."""


class WorkTimedOut(WorkError):
    """The deadline passed, waiting included; what the work gives later is dropped."""

    code = "WORK_TIMED_OUT"

    def __init__(self, message: str, seconds: float, *, was_begun: bool = True) -> None:
        super().__init__(message)
        self.seconds = seconds
        """The time that was allowed."""
        self.was_begun = was_begun
        """Whether it may have been begun; else nothing of it was done."""


class ExitReason(StrEnum):
    """What a child process died of."""

    CRASH = "crash"
    MEMORY = "memory"
    PROCESSOR_TIME = "processor time"


class WorkEnded(WorkError):
    """The child process died under the work."""

    code = "WORK_ENDED"

    def __init__(self, message: str, ending: ExitReason) -> None:
        super().__init__(message)
        self.ending = ending
        """What it died of."""
