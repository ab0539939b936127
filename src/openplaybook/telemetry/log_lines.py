"""What lines of the log say: every line of a piece of work, its session, turn and trace; and one line for each RPC that
was answered, the access log.

The fields of the access log are names and numbers of our own, so in JSON they are written as they are: what other lines
go through to have secrets masked would cost more than all else that a request's line does.
"""

import logging
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType

from openplaybook.jsonvalues import JsonObject, dumps

_NOTHING: Mapping[str, str] = MappingProxyType({})
_CONTEXT: ContextVar[Mapping[str, str]] = ContextVar("openplaybook_log_context", default=_NOTHING)

_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")

_LOG = logging.getLogger("openplaybook.access")
_FIELDS = ("rpc", "code", "ms", "transport", "session", "response_id", "trace", "principal", "principal_kind", "client")


@contextmanager
def log_context(**values: str) -> Generator[None, None, None]:
    """Put values (`session`, `turn`, `rpc`, …) on every log line within, also in tasks started there."""
    token = _CONTEXT.set({**_CONTEXT.get(), **values})
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def current_log_context() -> Mapping[str, str]:
    """The values that hold here."""
    return _CONTEXT.get()


def trace_id_of(trace_parent: str) -> str:
    """The trace id in a `traceparent`; empty where there is none that can be read."""
    match = _TRACE_PARENT.fullmatch(trace_parent) if trace_parent else None
    return "" if match is None or set(match[1]) == {"0"} else match[1]


def trace_context(trace_parent: str) -> dict[str, str]:
    """What log lines of such a request say of it."""
    trace = trace_id_of(trace_parent)
    return {"trace": trace} if trace else {}


def log_rpc(
    *,
    rpc: str,
    code: str,
    seconds: float,
    transport: str,
    session: str = "",
    response_id: str = "",
    trace: str = "",
    principal: str = "",
    principal_kind: str = "",
    client: str = "",
) -> None:
    """Write the line of an RPC: full name, name of its google.rpc.Code, and what is known of the rest.

    `trace` is a W3C trace id, `principal` who called, never a key or a token, `principal_kind` how it was told, and
    `client` the address it called from.
    """
    level = logging.DEBUG if rpc.startswith("grpc.health.") else logging.INFO
    if not _LOG.isEnabledFor(level):
        return
    known = {
        "session": session,
        "response_id": response_id,
        "trace": trace,
        "principal": principal,
        "principal_kind": principal_kind,
        "client": client,
    }
    details = {name: value for name, value in known.items() if value}
    fields = {"rpc": rpc, "code": code, "ms": round(seconds * 1000, 2), "transport": transport, **details}
    # `Logger.log` would look for the line of code that logs, which costs more than all else here.
    record = logging.LogRecord(_LOG.name, level, __file__, 0, "answered", (), None)
    vars(record).update(fields)
    _LOG.handle(record)


def beginning_of(record: logging.LogRecord) -> JsonObject:
    """What every line begins with: its time (ISO 8601, UTC), level and logger."""
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds")
    return {
        "timestamp": f"{at.removesuffix('+00:00')}Z",
        "level": record.levelname.lower(),
        "logger": record.name,
    }


class WithAccessLines(logging.Formatter):
    """Formats the lines of the access log as JSON, and leaves all others to another formatter."""

    def __init__(self, others: logging.Formatter) -> None:
        super().__init__()
        self._others = others

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        if record.name != _LOG.name:
            return self._others.format(record)
        attributes = vars(record)
        line: JsonObject = {
            **beginning_of(record),
            "event": record.msg,
            **{name: attributes[name] for name in _FIELDS if name in attributes},
        }
        return dumps(line).decode()
