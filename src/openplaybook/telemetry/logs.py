"""How logs look: JSON lines for machines, colours for people; one form for our loggers and those of libraries.

Rooms log through the standard library, `logging.getLogger(__name__)`, with details in `extra`, and need not
import this module; only who starts a process does.
"""

import logging
import re
import sys
import time
from collections.abc import Callable
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from openplaybook.telemetry.log_lines import WithAccessLines, current_log_context
from openplaybook.telemetry.redaction import mask_event

_OWN_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "grpc", "asyncio")
"""Loggers of libraries that may bring handlers of their own, which would print each line a second time."""


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What would end a line, or steer a terminal."""
_MANY_LINES = ("exception", "stack")
_FIRST = ("timestamp", "level", "logger", "event")

LINES, WINDOW_S = 20, 60.0
"""Lines that strangers can cause at will are logged so often in so many seconds: a line costs a millisecond of the
event loop, and bytes that are no UTF-8 in a request make one for each header."""
LIBRARIES = ("grpc._cython.cygrpc", "uvicorn.error")
"""Loggers that write a line for each malformed request."""


def configure_logging(level: str = "info", *, form: str = "", stream: TextIO = sys.stderr) -> logging.Handler:
    """Send all log lines of at least `level` to `stream`; the handler is returned so that it can be removed.

    `form` is `json` or `text`; where it is empty, text when the stream is a terminal, else JSON. JSON is one object
    a line: `timestamp` (ISO 8601, UTC), `level`, `logger`, `event`, the log context, and the details. Text has
    colours on a terminal. Secrets are masked. Raises `ValueError` for a level that does not exist.
    """
    threshold = logging.getLevelNamesMapping().get(level.upper())
    if threshold is None:
        raise ValueError(f"log level {level!r} is not one of debug, info, warning, error, critical")
    handler = logging.StreamHandler(stream)
    form = form or ("text" if stream.isatty() else "json")
    text = structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)
    machine = structlog.processors.JSONRenderer(default=str, ensure_ascii=False, separators=(",", ":"))
    of_text = _formatter(_harmless, text)
    handler.setFormatter(of_text if form == "text" else WithAccessLines(_formatter(_in_order, machine)))
    for name in _OWN_HANDLERS:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
    log_few_lines()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(threshold)
    return handler


def _formatter(*render: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.ExtraAdder(),
            _with_context,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            # Before the masking, for a traceback holds messages, and those may hold anything.
            structlog.processors.format_exc_info,
            _masked,
            *render,
        ],
    )


def _in_order(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """What each line has comes first: people read raw lines, too."""
    return {**{name: event[name] for name in _FIRST if name in event}, **event}


def _with_context(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Adds the log context, beneath what the line itself says; drops the copy with colours that uvicorn adds."""
    event.pop("color_message", None)
    for name, value in current_log_context().items():
        event.setdefault(name, value)
    return event


def _harmless(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Values as text shows them: in one line, whoever wrote them, but for tracebacks."""
    return {name: _shown(value, keeps_lines=name in _MANY_LINES) for name, value in event.items()}


def _shown(value: object, *, keeps_lines: bool) -> object:
    if not isinstance(value, str):
        return value
    lines = value.split("\n") if keeps_lines else [value]
    return "\n".join(_CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", line) for line in lines)


def _masked(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    return mask_event(dict(event))


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
