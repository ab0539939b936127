"""Answers against the published deadlines."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.hostile.prey import Told

GRACE_S = 1.0
"""What an answer may take beyond its deadline."""
_DEFAULT_S = 30.0
_TURN_S = 60.0
_TURNS = ("Intent", "RunSession")
_FAULTS = ("500", "INTERNAL", "UNKNOWN", "DATA_LOSS")


@dataclass(frozen=True, slots=True)
class Violation:
    """What must not be."""

    case: str
    what: str


def deadline_of(rpc: str) -> float:
    """Seconds in which an RPC is answered."""
    return _TURN_S if rpc.endswith(_TURNS) else _DEFAULT_S


def violations(case: str, told: Iterable[Told]) -> list[Violation]:
    """What was wrong with the answers to a case: too late, or a fault of the server's own."""
    found: list[Violation] = []
    for each in told:
        limit = deadline_of(each.rpc) + GRACE_S
        if each.status in _FAULTS:
            found.append(Violation(case, f"{each.rpc} answered {each.status}: {each.text[:200]}"))
        # Who gave up before the deadline says nothing about it.
        if each.seconds > limit:
            found.append(Violation(case, f"{each.rpc} answered {each.status} after {each.seconds:.1f} s"))
    return found
