"""A user who answers a question of ours."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.answer_rules import answer_to_question
from openplaybook.models.offline.planner_state import Pending, PlannerDecision, PlannerState
from tests.unit.models.offline.agents import orders, pets, tables
from tests.unit.models.offline.situations import gist, situation
from tests.unit.models.offline.talk import Agent, function

NAME = ("requestBody", "name")
TEXT: JsonObject = {"type": "string"}


def answered(
    agent: Agent, text: str, pending: Pending | None, filled: JsonObject | None = None
) -> PlannerDecision | None:
    sure = {pending.function: ((), ("requestBody", "label"), ("orderId",))} if pending else {}
    return answer_to_question(situation(agent, text, state=PlannerState(pending, filled or {}, sure=sure)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Fluffy", "Fluffy"),
        ("it's Fluffy", "Fluffy"),
        ("call it 'Rex the Second'", "Rex the Second"),
        ("named Tim", "Tim"),
        ("her name is Ann Lee, please", "Ann Lee"),
    ],
)
def test_the_words_are_the_value_that_was_asked_for(text: str, name: str) -> None:
    decision = answered(pets.agent(), text, Pending("createPet", NAME))
    assert gist(decision) == ("answer_to_question", "", [("createPet", {"requestBody": {"name": name}})])


def test_an_answer_may_say_more_than_was_asked() -> None:
    decision = answered(tables.agent(), "tomorrow at 7pm", Pending("book_table", ("requestBody", "date")))
    assert decision is not None
    assert decision.state.filled == {"book_table": {"requestBody": {"date": "2026-11-21", "time": "19:00"}}}
    assert decision.evidence["missing"] == "requestBody.people"


def test_what_was_gathered_before_is_kept() -> None:
    filled: JsonObject = {"createPet": {"requestBody": {"label": ["dog"]}}}
    decision = answered(pets.agent(), "Rex", Pending("createPet", NAME), filled)
    assert decision is not None
    assert decision.calls == (("createPet", {"requestBody": {"label": ["dog"], "name": "Rex"}}),)


@pytest.mark.parametrize("text", ["never mind", "cancel", "forget it", "no", "nein danke", "abbrechen"])
def test_calling_it_off_drops_what_was_gathered(text: str) -> None:
    filled: JsonObject = {"createPet": {"requestBody": {}}, "getPet": {"petId": 3}}
    decision = answered(pets.agent(), text, Pending("createPet", NAME), filled)
    assert decision is not None
    assert (decision.rule, decision.text) == ("called_off", "All right, I won't do that.")
    assert decision.state == PlannerState(filled={"getPet": {"petId": 3}})


@pytest.mark.parametrize(
    ("text", "rule"),
    [("maybe", "answer_to_question"), ("yes", "answer_to_question"), ("xyzzy", "answer_to_question")],
)
def test_an_answer_that_gives_nothing_is_asked_for_once_more_and_then_given_up(text: str, rule: str) -> None:
    agent = Agent("", (function("f", "Do", {"count": {"type": "integer"}}, ["count"]),), (), {})
    again = answered(agent, text, Pending("f", ("count",)))
    assert again is not None
    assert (again.rule, again.text) == (rule, "Sorry, I can't use that answer. What is the count?")
    assert answered(agent, text, Pending("f", ("count",), 2)) is None


@pytest.mark.parametrize("text", ["yes", "sure", "okay"])
def test_a_yes_is_nobodys_name(text: str) -> None:
    decision = answered(pets.agent(), text, Pending("createPet", NAME))
    assert gist(decision) == ("answer_to_question", "Sorry, I can't use that answer. What is the pet's name?", [])


@pytest.mark.parametrize("text", ["thanks", "hello", "what can you do?", "bye"])
def test_small_talk_is_left_to_its_own_rule(text: str) -> None:
    assert answered(pets.agent(), text, Pending("createPet", NAME)) is None


def test_another_wish_is_not_an_answer() -> None:
    assert answered(pets.agent(), "show me pet 3", Pending("createPet", NAME)) is None
    assert answered(pets.agent(), "which pets do you have?", Pending("createPet", NAME)) is None


@pytest.mark.parametrize(
    "pending",
    [None, Pending("gone", ("x",)), Pending("createPet", ("requestBody", "gone"))],
)
def test_without_a_question_that_can_still_be_answered_the_rule_is_silent(pending: Pending | None) -> None:
    assert answered(pets.agent(), "Fluffy", pending) is None


FLAG = Agent("", (function("f", "Do", {"wrap": {"type": "boolean"}}, ["wrap"]),), (), {})


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("no", False), ("sure", True), ("without wrap", False)])
def test_a_yes_or_no_question_about_a_value_takes_both(text: str, value: bool) -> None:
    decision = answered(FLAG, text, Pending("f", ("wrap",)))
    assert gist(decision) == ("answer_to_question", "", [("f", {"wrap": value})])


ORDER: JsonObject = {"cancelOrder": {"orderId": "AB-7"}}


@pytest.mark.parametrize("text", ["yes", "ja", "go ahead", "that's right"])
def test_a_yes_confirms_what_was_gathered(text: str) -> None:
    decision = answered(orders.agent(), text, Pending("cancelOrder", ()), ORDER)
    assert gist(decision) == ("confirmed", "", [("cancelOrder", {"orderId": "AB-7"})])


def test_a_no_calls_it_off_and_a_new_value_is_confirmed_anew() -> None:
    off = answered(orders.agent(), "no", Pending("cancelOrder", ()), ORDER)
    assert off is not None
    assert (off.rule, off.state) == ("called_off", PlannerState())
    changed = answered(orders.agent(), "cancel order AB-8", Pending("cancelOrder", ()), ORDER)
    assert gist(changed) == ("changed", "Do you really want to cancel order AB-8?", [])


def test_something_else_than_a_yes_confirms_nothing_and_is_asked_for_once_more() -> None:
    again = answered(orders.agent(), "hm well", Pending("cancelOrder", ()), ORDER)
    assert gist(again) == ("asked_again", "Do you really want to cancel order AB-7?", [])
    assert answered(orders.agent(), "hm well", Pending("cancelOrder", (), 2), ORDER) is None


def test_what_a_state_of_an_older_version_gathered_is_read_back() -> None:
    state = PlannerState(Pending("createPet", NAME), {"createPet": {"requestBody": {"label": ["dog"]}}})
    decision = answer_to_question(situation(pets.agent(), "Rex", state=state))
    said = "I will do the following: create a new pet (label: dog; name: Rex). Is that right?"
    assert gist(decision) == ("answer_to_question", said, [])


def test_a_list_is_an_answer_for_an_array() -> None:
    agent = Agent("", (function("f", "Do", {"tags": {"type": "array", "items": TEXT}}, ["tags"]),), (), {})
    decision = answered(agent, "red, green und blue", Pending("f", ("tags",)))
    assert gist(decision) == ("answer_to_question", "", [("f", {"tags": ["red", "green", "blue"]})])
