"""Leaving a playbook with its outputs."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.end_calls import end_arguments
from openplaybook.models.offline.planner_state import PlannerState
from tests.unit.models.offline.situations import called, situation
from tests.unit.models.offline.talk import Agent

TEXT: JsonObject = {"type": "string"}


def desk(properties: JsonObject, *required: str) -> Agent:
    schema: JsonObject = {"type": "object", "properties": properties, "required": list(required)}
    return Agent("", (Declaration("end", "Leave", schema, None, DeclarationKind.END, ""),), (), {})


def test_without_an_end_there_are_no_arguments() -> None:
    assert end_arguments(situation(Agent("", (), (), {})), "OK", None) is None


def test_the_state_is_given_where_it_is_wanted_and_allowed() -> None:
    states: JsonObject = {**TEXT, "enum": ["OK", "CANCELLED"]}
    assert end_arguments(situation(desk({})), "OK", None) == {}
    assert end_arguments(situation(desk({"state": states}, "state")), "CANCELLED", None) == {"state": "CANCELLED"}
    assert end_arguments(situation(desk({"state": states}, "state")), "FAILED", None) is None
    assert end_arguments(situation(desk({"state": states})), "FAILED", None) == {}


@pytest.mark.parametrize(
    ("known", "value"),
    [
        ({"price": 1}, 1),
        ({"quote": {"price": 2}}, 2),
        ({"price": "much", "quote": {"price": 2}}, 2),
        ({"cost": 1}, 3),
        (None, 3),
        ("text", 3),
    ],
)
def test_an_output_is_found_by_its_name_in_what_is_known_first(known: JsonValue, value: int) -> None:
    seen = situation(desk({"price": {"type": "integer"}}, "price"), "a", *called("f", {}, {"price": 3}), "b")
    assert end_arguments(seen, "OK", known) == {"price": value}


def test_outputs_come_from_the_last_result_then_its_arguments_then_the_inputs() -> None:
    agent = desk({"a": TEXT, "b": TEXT, "c": TEXT, "d": TEXT})
    state = PlannerState(last="f", last_arguments={"a": "2", "b": "2"})
    inputs: JsonObject = {"a": "3", "b": "3", "c": "3"}
    seen = situation(agent, "x", *called("f", {}, {"a": "1"}), "y", state=state, inputs=inputs)
    assert end_arguments(seen, "OK", None) == {"a": "1", "b": "2", "c": "3"}


def test_an_output_that_is_required_and_not_known_keeps_the_playbook_open() -> None:
    seen = situation(desk({"price": {"type": "integer"}, "note": TEXT}, "price"))
    assert end_arguments(seen, "OK", {"note": "x"}) is None
    assert end_arguments(seen, "OK", {"price": 1}) == {"price": 1}


def test_an_output_within_an_object_is_put_there() -> None:
    total: JsonObject = {"type": "object", "properties": {"sum": {"type": "number"}}}
    assert end_arguments(situation(desk({"total": total})), "OK", {"sum": 2.5}) == {"total": {"sum": 2.5}}
