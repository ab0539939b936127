"""One situation of a conversation, to be decided by one rule."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Entry, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.knowledge.playbook_index import build_index
from openplaybook.models.offline.planner_state import PlannerDecision, PlannerState
from openplaybook.models.offline.situation import Situation
from tests.unit.models.offline.talk import TODAY, Agent, Talk


def situation(
    agent: Agent,
    *entries: Entry | str,
    state: PlannerState | None = None,
    inputs: JsonObject | None = None,
    parameters: JsonObject | None = None,
) -> Situation:
    """What the planner sees after `entries`, where words of the user may be plain strings."""
    conversation = tuple(UserText(entry) if isinstance(entry, str) else entry for entry in entries)
    turn = replace(
        Talk(agent).turn(),
        conversation=conversation,
        inputs=inputs or {},
        parameters=parameters or {},
        planner_state=(state or PlannerState()).to_json(),
    )
    return Situation(turn, build_index(turn), TODAY)


def called(
    name: str, arguments: JsonObject, output: JsonValue, *, is_error: bool = False, number: int = 1
) -> tuple[FunctionCall, FunctionResult]:
    """A call and what it gave."""
    return FunctionCall(str(number), name, arguments), FunctionResult(str(number), name, output, is_error)


def gist(decision: PlannerDecision | None) -> tuple[str, str, list[tuple[str, JsonObject]]] | None:
    """Rule, words and calls of a decision."""
    return (decision.rule, decision.text, list(decision.calls)) if decision else None
