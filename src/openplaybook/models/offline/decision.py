"""What a rule decides, before it becomes a `ModelReply`."""

from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.planner_state import PlannerState


@dataclass(frozen=True, slots=True)
class PlannerDecision:
    """Words, calls, or both."""

    rule: str
    """Name of the rule that decided, for the trace."""
    state: PlannerState
    text: str = ""
    calls: tuple[tuple[str, JsonObject], ...] = ()
    """Name and arguments."""
    evidence: JsonObject = field(default_factory=dict[str, object])
    """What the rule went by."""
