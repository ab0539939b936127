"""Answers against the published deadlines."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.hostile.prey import Told
from openplaybook.server.rpc_limits import group_of

GRACE_S = 1.0
"""What an answer may take beyond its deadline."""
ARRIVAL_S = 33.0
"""What a request has to arrive in; a connection whose request does not is answered or closed."""
_FAULTS = ("500", "INTERNAL", "UNKNOWN", "DATA_LOSS")


@dataclass(frozen=True, slots=True)
class Violation:
    """What must not be."""

    case: str
    what: str


def deadline_of(rpc: str) -> float | None:
    """Seconds in which an RPC is answered, from its whole request on; None where it has as long as it likes."""
    return group_of(rpc).limit.seconds if rpc else None


def violations(case: str, told: Iterable[Told]) -> list[Violation]:
    """What was wrong with the answers to a case: too late, or a fault of the server's own."""
    return [Violation(case, f"{each.rpc or 'no RPC'} {what}") for each in told if (what := _wrong(each))]


def _wrong(told: Told) -> str:
    if told.status in _FAULTS:
        return f"answered {told.status}: {told.text[:200]}"
    limit, taken = (ARRIVAL_S, told.seconds) if told.waited_s is None else (deadline_of(told.rpc), told.waited_s)
    if limit is None or taken <= limit + GRACE_S:
        return ""
    return f"answered {told.status} {taken:.1f} s after its {'first' if told.waited_s is None else 'last'} byte"
