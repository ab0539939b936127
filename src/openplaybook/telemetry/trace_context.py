"""The `traceparent` header (W3C Trace Context), as far as logs need it."""

import re

_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


def trace_id_of(trace_parent: str) -> str:
    """The trace id in a `traceparent`; empty where there is none that can be read."""
    found = _TRACE_PARENT.fullmatch(trace_parent) if trace_parent else None
    return "" if found is None or set(found[1]) == {"0"} else found[1]


def trace_context(trace_parent: str) -> dict[str, str]:
    """What log lines of such a request say of it."""
    trace = trace_id_of(trace_parent)
    return {"trace": trace} if trace else {}
