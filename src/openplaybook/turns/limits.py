"""Bounds that keep a turn from running for ever."""

from collections import Counter
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns import events
from openplaybook.turns.events import Event


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one turn may do."""

    decisions: int = 25
    """Model decisions in one turn."""
    depth: int = 8
    """Playbooks on top of each other."""
    same_call: int = 3
    """Times one action may be called with the same arguments in one turn."""
    parallel_calls: int = 8
    """Tool calls of one reply that run at the same time."""
    calls_per_reply: int = 32
    """Calls one reply may ask for; those beyond are refused to the model."""
    inner_calls: int = 100
    """Calls that one tool call may make of others."""
    call_s: float = 60.0
    """Longest wait for one tool call."""
    model_s: float = 60.0
    """Longest wait for one decision."""


class Effort:
    """What the turn has done so far, counted from its events."""

    def __init__(self) -> None:
        self.decisions = 0
        self.acted = False
        """Whether a call was sent, so that the turn must not simply be tried again."""
        self._calls: Counter[str] = Counter()

    def apply(self, event: Event) -> None:
        """Count one event."""
        if event.kind == events.REPLY:
            self.decisions += 1
            self._calls.update(_fingerprint(call) for call in event.data["calls"])
        elif event.kind in (events.INTENT, events.RESULT):
            self.acted = True

    def times_called(self, call: JsonObject) -> int:
        """How often a call of this function with these arguments was asked for in this turn."""
        return self._calls[_fingerprint(call)]


def _fingerprint(call: JsonObject) -> str:
    return f"{call['name']} {call['arguments']!r}"
