"""What every log line of a piece of work says: its session, its turn, and the trace of who asked for it."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
_CONTEXT: ContextVar[Mapping[str, str]] = ContextVar("openplaybook_log_context", default=_NOTHING)

_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


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
    found = _TRACE_PARENT.fullmatch(trace_parent) if trace_parent else None
    return "" if found is None or set(found[1]) == {"0"} else found[1]


def trace_context(trace_parent: str) -> dict[str, str]:
    """What log lines of such a request say of it."""
    trace = trace_id_of(trace_parent)
    return {"trace": trace} if trace else {}
