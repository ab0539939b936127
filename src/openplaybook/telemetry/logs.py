"""How logs look: JSON lines for machines, colours for people; one form for our loggers and those of libraries.

Rooms log through the standard library, `logging.getLogger(__name__)`, with details in `extra`, and need not
import this module; only who starts a process does.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.telemetry.log_lines import WithAccessLines, beginning_of, current_log_context
from openplaybook.telemetry.redaction import mask_event

if TYPE_CHECKING:
    from structlog.dev import ConsoleRenderer

_OWN_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "grpc", "asyncio")
"""Loggers of libraries that may bring handlers of their own, which would print each line a second time."""

_QUOTING = ("sqlglot",)
"""Loggers of libraries that quote the statements they read, with all that stands in them."""


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What would end a line, or steer a terminal."""
_OF_EVERY_RECORD = {*vars(logging.makeLogRecord({})), "message", "asctime"}
_TRACEBACK = "exception"
_COLOURED = "color_message"
"""A copy of the message with colours that uvicorn adds."""

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
    text = _Lines(_Text(has_colours=stream.isatty()))
    handler.setFormatter(text if form == "text" else WithAccessLines(_Lines(_json)))
    for name in _OWN_HANDLERS:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
    for name in _QUOTING:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    log_few_lines()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(threshold)
    return handler


class _Lines(logging.Formatter):
    """Formats a line: what each has, its details, and the log context beneath what the line itself says.

    Secrets are masked, also in tracebacks, which hold messages, and those may hold anything.
    """

    def __init__(self, render: Callable[[JsonObject], str]) -> None:
        super().__init__()
        self._render = render

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        details = {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        details.pop(_COLOURED, None)
        first = {**beginning_of(record), "event": record.getMessage()}
        # Named twice: it comes first, and no detail can take its place.
        event = {**first, **current_log_context(), **details, **first}
        if record.stack_info:
            event["stack_info"] = record.stack_info
        if record.exc_info and record.exc_info[0] is not None:
            event[_TRACEBACK] = self.formatException(record.exc_info)
        return self._render(mask_event(event))


def _json(event: JsonObject) -> str:
    return json.dumps(event, default=str, ensure_ascii=False, separators=(",", ":"))


class _Text:
    """Renders lines for people."""

    def __init__(self, *, has_colours: bool) -> None:
        self._has_colours = has_colours

    def __call__(self, event: JsonObject) -> str:
        """The line; whoever wrote its values, each is in one line, but for tracebacks."""
        return self._renderer(None, "", {name: _shown(event[name], name == _TRACEBACK) for name in event})

    @cached_property
    def _renderer(self) -> "ConsoleRenderer":
        # Imported with the first line: it brings all of rich, a tenth of a server's start, and few servers write text.
        from structlog.dev import ConsoleRenderer, plain_traceback

        return ConsoleRenderer(colors=self._has_colours, exception_formatter=plain_traceback)


def _shown(value: JsonValue, keeps_lines: bool) -> JsonValue:
    if not isinstance(value, str):
        return value
    lines = value.split("\n") if keeps_lines else [value]
    return "\n".join(_CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", line) for line in lines)


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
