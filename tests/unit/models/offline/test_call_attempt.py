"""From a chosen function to a call, or to a question."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.call_attempt import KnownValues, attempt
from openplaybook.models.offline.planner_state import Pending, PlannerDecision, PlannerState
from openplaybook.models.offline.slots.assignment import assign
from tests.unit.models.offline.agents import orders
from tests.unit.models.offline.situations import gist, situation
from tests.unit.models.offline.talk import Agent, function

TEXT: JsonObject = {"type": "string"}
BODY: JsonObject = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": TEXT,
        "size": {"type": "integer"},
        "home": {"type": "object", "required": ["city"], "properties": {"city": TEXT, "street": TEXT}},
    },
}


def desk(properties: JsonObject, *required: str) -> Agent:
    return Agent("", (function("act", "Act", properties, required),), (), {})


def tried(
    agent: Agent,
    text: str = "",
    *,
    earlier: JsonObject | None = None,
    state: PlannerState | None = None,
    inputs: JsonObject | None = None,
    parameters: JsonObject | None = None,
) -> PlannerDecision:
    seen = situation(agent, text, state=state, inputs=inputs, parameters=parameters)
    book = next(iter(seen.index.books.values()))
    return attempt(seen, book, assign(book.lessons, seen.words), "rule", known=KnownValues(earlier or {}))


def test_a_function_that_needs_nothing_is_called() -> None:
    decision = tried(desk({"limit": {"type": "integer"}}))
    assert gist(decision) == ("rule", "", [("act", {})])
    assert decision.state == PlannerState(last="act", last_arguments={})


def test_a_function_whose_needs_are_met_is_called_with_them() -> None:
    decision = tried(desk({"count": {"type": "integer"}}, "count"), "take 5")
    assert decision.calls == (("act", {"count": 5}),)
    assert decision.evidence["slots"][0]["words"] == ["5"]
    assert decision.state.last_arguments == {"count": 5}


def test_the_first_thing_missing_is_asked_for_and_what_is_known_is_kept() -> None:
    decision = tried(desk({"count": {"type": "integer"}, "owner": TEXT}, "count", "owner"), "take 5")
    assert gist(decision) == ("rule", "What is the owner?", [])
    assert decision.state == PlannerState(Pending("act", ("owner",)), {"act": {"count": 5}}, sure={"act": ((),)})
    assert decision.evidence["missing"] == "owner"


def test_asking_twice_for_the_same_is_counted_and_said() -> None:
    state = PlannerState(Pending("act", ("owner",), 1), {"act": {}})
    decision = tried(desk({"owner": TEXT}, "owner"), "hm", state=state)
    assert decision.text == "Sorry, I can't use that answer. What is the owner?"
    assert decision.state.pending == Pending("act", ("owner",), 2)


def test_asking_for_something_else_begins_to_count_anew() -> None:
    state = PlannerState(Pending("act", ("other",), 2), {"act": {}})
    decision = tried(desk({"owner": TEXT}, "owner"), "hm", state=state)
    assert (decision.text, decision.state.pending) == ("What is the owner?", Pending("act", ("owner",), 1))


@pytest.mark.parametrize(
    ("earlier", "missing"),
    [
        ({}, "body.name"),
        ({"body": {"name": "Rex"}}, None),
        ({"body": {"name": "Rex", "home": {"street": "Elm"}}}, "body.home.city"),
        ({"body": {"home": {"city": "Bonn"}}}, "body.name"),
    ],
)
def test_members_are_needed_once_their_object_is_begun(earlier: JsonObject, missing: str | None) -> None:
    decision = tried(desk({"body": BODY}, "body"), earlier=earlier)
    assert decision.evidence.get("missing") == missing


def test_an_optional_body_that_nobody_began_is_not_asked_for() -> None:
    assert tried(desk({"body": BODY})).calls == (("act", {}),)


def test_an_object_that_is_required_and_needs_nothing_is_given_empty() -> None:
    free: JsonObject = {"type": "object", "properties": {"note": TEXT}}
    assert tried(desk({"body": free}, "body")).calls == (("act", {"body": {}}),)
    nested: JsonObject = {"properties": {"inner": free, "other": free}, "required": ["inner"]}
    assert tried(desk({"body": nested}, "body")).calls == (("act", {"body": {"inner": {}}}),)
    assert tried(desk({"body": nested})).calls == (("act", {}),)


@pytest.mark.parametrize(
    ("schema", "inputs", "parameters", "value", "source"),
    [
        (TEXT, {"x": "a"}, {"x": "b"}, "a", "input"),
        (TEXT, {}, {"x": "b"}, "b", "parameter"),
        (TEXT, {"x": 5}, {"x": "b"}, "b", "parameter"),
        ({"const": "only"}, {}, {}, "only", "schema"),
        ({**TEXT, "enum": ["one"]}, {"x": "two"}, {}, "one", "schema"),
        ({"type": "array", "items": TEXT}, {"x": ["a", "b"]}, {}, ["a", "b"], "input"),
    ],
)
def test_a_needed_value_may_come_from_elsewhere_in_order(
    schema: JsonObject, inputs: JsonObject, parameters: JsonObject, value: JsonValue, source: str
) -> None:
    decision = tried(desk({"x": schema}, "x"), inputs=inputs, parameters=parameters)
    assert decision.calls == (("act", {"x": value}),)
    assert decision.evidence["slots"] == [{"slot": "x", "value": value, "source": source}]


@pytest.mark.parametrize("inputs", [{"x": 5}, {"x": ""}, {"x": None}, {"x": ["a"]}, {"X": "a"}])
def test_a_value_from_elsewhere_that_does_not_fit_is_not_taken(inputs: JsonObject) -> None:
    assert tried(desk({"x": TEXT}, "x"), inputs=inputs).evidence["missing"] == "x"


def test_an_optional_value_does_not_come_from_elsewhere() -> None:
    assert tried(desk({"x": TEXT}), inputs={"x": "a"}).calls == (("act", {}),)


def test_new_words_overrule_what_was_known() -> None:
    agent = desk({"count": {"type": "integer"}, "owner": TEXT}, "count")
    decision = tried(agent, "take 7", earlier={"count": 5, "owner": "Kim"})
    assert decision.calls == (("act", {"count": 7, "owner": "Kim"}),)


@pytest.mark.parametrize("earlier", [{"count": "many"}, {"count": 5.5}, {"count": [5]}, {"gone": 5}, {"count": None}])
def test_what_was_known_of_a_function_that_has_changed_since_is_forgotten(earlier: JsonObject) -> None:
    decision = tried(desk({"count": {"type": "integer"}}, "count"), earlier=earlier)
    assert (decision.calls, decision.evidence["missing"]) == ((), "count")


def test_a_yes_is_asked_for_before_a_function_that_an_example_asks_for() -> None:
    seen = situation(orders.agent(), "cancel order AB-7")
    book = seen.index.books["cancelOrder"]
    proposals = assign(book.lessons, seen.words)
    asked = attempt(seen, book, proposals, "rule")
    assert gist(asked) == ("rule", "Do you really want to cancel order AB-7?", [])
    assert asked.state.pending == Pending("cancelOrder", ())
    assert asked.evidence["confirm"] is True
    assert attempt(seen, book, proposals, "rule", confirmed=True).calls == (("cancelOrder", {"orderId": "AB-7"}),)


def test_what_is_gathered_for_other_functions_stays() -> None:
    state = PlannerState(filled={"other": {"a": 1}, "act": {"count": 1}}, last="other", last_arguments={"a": 0})
    called = tried(desk({"count": {"type": "integer"}}, "count"), "take 5", state=state)
    assert called.state == PlannerState(filled={"other": {"a": 1}}, last="act", last_arguments={"count": 5})
    asked = tried(desk({"owner": TEXT}, "owner"), state=state)
    assert asked.state.filled == {"other": {"a": 1}, "act": {}}
    assert (asked.state.last, asked.state.last_arguments) == ("other", {"a": 0})
