"""What a rule of the planner decides, and what the planner remembers between decisions, as JSON kept in the session."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.models.offline.slots.slot_schema import Path


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that the agent asked and that is not answered yet."""

    function: str
    """Name of the declaration that the answer is for."""
    path: Path
    """The slot asked for; empty when a yes or no was asked for."""
    times: int = 1
    """How often it was asked."""
    said: str = ""
    """How the agent's words ended that asked it; empty where that is not known."""

    @property
    def is_confirmation(self) -> bool:
        """Whether a yes or no was asked for."""
        return not self.path


@dataclass(frozen=True, slots=True)
class PlannerState:
    """Read from and written to `ModelTurn.planner_state`."""

    pending: Pending | None = None
    filled: JsonObject = field(default_factory=dict[str, JsonObject])
    """Arguments gathered so far for calls not made yet, by function name."""
    last: str = ""
    """The function called last."""
    last_arguments: JsonObject = field(default_factory=dict[str, object])
    sure: Mapping[str, tuple[Path, ...]] = field(default_factory=dict[str, tuple[Path, ...]])
    """Which of those that are gathered the user plainly said, by function name. Older states do not tell: then none."""

    def waiting_for(self, pending: Pending | None) -> "PlannerState":
        """The same with another question that waits."""
        return replace(self, pending=pending)

    def without(self, *functions: str) -> "PlannerState":
        """The same without what was gathered for these functions, and without a question that waits."""
        return replace(
            self,
            pending=None,
            filled={name: value for name, value in self.filled.items() if name not in functions},
            sure={name: paths for name, paths in self.sure.items() if name not in functions},
        )

    def to_json(self) -> JsonObject:
        """The stored form; empty members left out."""
        stored: JsonObject = {}
        if self.pending:
            pending = self.pending
            stored["pending"] = {"function": pending.function, "path": list(pending.path), "times": pending.times}
            if pending.said:
                stored["pending"] |= {"said": pending.said}
        if self.filled:
            stored["filled"] = self.filled
        if self.sure:
            stored["sure"] = {name: [list(path) for path in paths] for name, paths in self.sure.items()}
        if self.last:
            stored |= {"last": self.last, "lastArguments": self.last_arguments}
        return stored


def read_state(stored: JsonObject) -> PlannerState:
    """The state in its stored form; what does not have that form is forgotten."""
    pending = as_object(stored.get("pending"))
    function, times = pending.get("function"), pending.get("times")
    return PlannerState(
        pending=Pending(
            function,
            tuple(str(name) for name in as_list(pending.get("path"))),
            times if isinstance(times, int) else 1,
            str(pending.get("said") or ""),
        )
        if isinstance(function, str)
        else None,
        sure={
            name: tuple(tuple(str(part) for part in as_list(path)) for path in as_list(paths))
            for name, paths in as_object(stored.get("sure")).items()
        },
        filled={name: as_object(arguments) for name, arguments in as_object(stored.get("filled")).items()},
        last=str(stored.get("last") or ""),
        last_arguments=as_object(stored.get("lastArguments")),
    )


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
