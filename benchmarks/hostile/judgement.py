"""Answers against the published deadlines."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.hostile.prey import Told
from openplaybook.server.rpc_limits import group_of

GRACE_S = 1.0
"""What an answer may take beyond its deadline."""
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
    limit = deadline_of(told.rpc)
    # A request that has not arrived in full has no deadline yet.
    if limit is None or told.waited_s is None or told.waited_s <= limit + GRACE_S:
        return ""
    return f"answered {told.status} after {told.waited_s:.1f} s"
