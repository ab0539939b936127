"""Lines that strangers can cause at will are logged a few times a minute: a line costs a millisecond of the event loop,
and bytes that are no UTF-8 in a request make one for each header."""

import logging
import time
from collections.abc import Callable

LINES, WINDOW_S = 20, 60.0
LIBRARIES = ("grpc._cython.cygrpc", "uvicorn.error")
"""Loggers that write a line for each malformed request."""


class FewLines(logging.Filter):
    """Lets so many lines of a logger through in a while. The first one after it tells how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._until = 0.0
        self._seen = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged."""
        if self._clock() >= self._until:
            left_out, self._seen, self._until = self._seen - LINES, 0, self._clock() + WINDOW_S
            if left_out > 0:
                record.msg = f"{record.getMessage()} ({left_out:,} more such lines were left out)"
                record.args = None
        self._seen += 1
        return self._seen <= LINES


def log_few_lines() -> None:
    """Have the libraries' loggers log few lines."""
    for name in LIBRARIES:
        library = logging.getLogger(name)
        for known in [each for each in library.filters if isinstance(each, FewLines)]:
            library.removeFilter(known)
        library.addFilter(FewLines())
