"""What every log line of a piece of work should say, such as its session and its turn."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
_CONTEXT: ContextVar[Mapping[str, str]] = ContextVar("openplaybook_log_context", default=_NOTHING)


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
