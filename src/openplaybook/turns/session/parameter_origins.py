"""Who set the parameters of a session last: a fold over the events of its present life."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from openplaybook.storage.base import Step
from openplaybook.turns.journal.events import HandlerFired, ParametersDeclared, Settlement, TurnBegun
from openplaybook.turns.journal.rows import event_of


class SetBy(StrEnum):
    """What set a parameter."""

    REQUEST = "REQUEST"
    """The client's request."""
    DECLARATION = "DECLARATION"
    """The agent, or the app, declares a value for the beginning."""
    TOOL = "TOOL"
    """A tool call."""
    HANDLER = "HANDLER"
    """A handler of a playbook."""


@dataclass(frozen=True, slots=True)
class ParameterOrigin:
    """Who set a parameter last."""

    by: SetBy
    turn: int
    """Number of the turn."""
    tool: str = ""
    """Of a tool call: resource name of the tool, and the action."""
    action: str = ""


def parameter_origins(steps: Iterable[Step]) -> dict[str, ParameterOrigin]:
    """By parameter, as journal rows say in their order; those taken away since have one, too. Raises `NewerData`."""
    origins: dict[str, ParameterOrigin] = {}
    for step in steps:
        event = event_of(step)
        match event:
            case TurnBegun():
                if event.sets_aside:
                    origins.clear()
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.REQUEST, step.turn))
            case ParametersDeclared():
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.DECLARATION, step.turn))
            case HandlerFired():
                origins |= dict.fromkeys(event.parameters, ParameterOrigin(SetBy.HANDLER, step.turn))
            case Settlement():
                tool = ParameterOrigin(SetBy.TOOL, step.turn, event.tool, event.action)
                origins |= dict.fromkeys(event.parameters, tool)
            case _:
                pass
    return origins
