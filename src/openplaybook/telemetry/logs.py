"""How logs look: JSON lines for machines, colours for people; one form for our loggers and those of libraries.

Rooms log through the standard library, `logging.getLogger(__name__)`, with details in `extra`, and need not
import this module; only who starts a process does.
"""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from openplaybook.telemetry.context import current_log_context
from openplaybook.telemetry.redaction import mask_event

_OWN_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "grpc", "asyncio")
"""Loggers of libraries that may bring handlers of their own, which would print each line a second time."""


def configure_logging(level: str = "info", *, stream: TextIO = sys.stderr) -> logging.Handler:
    """Send all log lines of at least `level` to `stream`; the handler is returned so that it can be removed.

    Colours when the stream is a terminal, else one JSON object a line: `timestamp` (ISO 8601, UTC), `level`,
    `logger`, `event`, the log context, and the details. Secrets are masked. Raises `ValueError` for a level
    that does not exist.
    """
    threshold = logging.getLevelNamesMapping().get(level.upper())
    if threshold is None:
        raise ValueError(f"log level {level!r} is none of debug, info, warning, error, critical")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(pretty=stream.isatty()))
    for name in _OWN_HANDLERS:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(threshold)
    return handler


def _formatter(*, pretty: bool) -> logging.Formatter:
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
            _for_people() if pretty else _for_machines(),
        ],
    )


def _for_people() -> Processor:
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)


def _for_machines() -> Processor:
    return structlog.processors.JSONRenderer(default=str, ensure_ascii=False)


def _with_context(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Adds the log context, beneath what the line itself says; drops the copy with colours that uvicorn adds."""
    event.pop("color_message", None)
    for name, value in current_log_context().items():
        event.setdefault(name, value)
    return event


def _masked(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    return mask_event(dict(event))
