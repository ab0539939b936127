"""Who had the word in a turn, and which models decided: read from its trace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import JsonObject, as_object


class HandoverKind(Enum):
    """How the word passed on."""

    ENTERED = "entered"
    """It gives the word back when it is done."""
    LEFT = "left"
    """It was done, and gave the word back."""
    MOVED = "moved"
    """It has the word for good."""


_SENTENCES: Mapping[HandoverKind, str] = {
    HandoverKind.ENTERED: "→ {} has taken over",
    HandoverKind.LEFT: "← {} has handed back",
    HandoverKind.MOVED: "→ {} has taken over",
}


@dataclass(frozen=True, slots=True)
class Handover:
    """The word passed from one playbook, or agent of an app, to another."""

    who: str
    """Display name of the one that took it, or gave it back."""
    how: HandoverKind

    def line(self) -> str:
        """`→ Returns has taken over`."""
        return _SENTENCES[self.how].format(self.who)

    def to_json(self) -> JsonObject:
        """The same for programs."""
        return {"who": self.who, "how": self.how.value}


def handovers_in(actions: Iterable[JsonObject], *, has_ended: bool) -> tuple[Handover, ...]:
    """Those among the actions of a turn with an agent of Dialogflow CX, in order.

    Where the conversation `has_ended`, the playbook that ended it gave nothing back.
    """
    handovers = [handover for action in actions if (handover := handover_in(action)) is not None]
    return tuple(handovers[:-1] if has_ended and handovers and handovers[-1].how is HandoverKind.LEFT else handovers)


def handover_in(action: JsonObject) -> Handover | None:
    """The handover that an action of Dialogflow CX is."""
    call, move = as_object(action.get("playbookInvocation")), as_object(action.get("playbookTransition"))
    if call:
        return Handover(_title(call), HandoverKind.LEFT if "playbookState" in call else HandoverKind.ENTERED)
    return Handover(_title(move), HandoverKind.MOVED) if move else None


def models_in(actions: Iterable[JsonObject]) -> tuple[str, ...]:
    """Names of the models that decided, each once, in order."""
    named = (str(as_object(action.get("llmCall")).get("model", "")) for action in actions)
    return tuple(dict.fromkeys(filter(None, named)))


def models_in_span(span: JsonObject) -> tuple[str, ...]:
    """The same of a turn with an app: of its span, and of those within."""
    model = as_object(span.get("attributes")).get("model")
    within = (name for child in map(as_object, span.get("childSpans") or ()) for name in models_in_span(child))
    return tuple(dict.fromkeys([*([str(model)] if model else []), *within]))


def _title(named: JsonObject) -> str:
    return str(named.get("displayName") or str(named.get("playbook", "")).rpartition("/")[2])
