"""A user who says something of their own accord, rule by rule."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, Declaration, DeclarationKind
from openplaybook.models.offline.planner import plan
from openplaybook.models.offline.planner_state import Pending, PlannerDecision, PlannerState
from openplaybook.models.offline.request_rules import (
    accepted_offer,
    follow_up,
    like_an_example,
    not_understood,
    opening,
    small_talk,
    wanted_function,
)
from tests.unit.models.offline.agents import orders, pets, tables, weather
from tests.unit.models.offline.situations import gist, situation
from tests.unit.models.offline.talk import Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}
HELP = "I can help with the following: book a table at the restaurant and opening hours of the restaurant."


def test_without_words_the_agent_opens() -> None:
    decision = opening(situation(tables.agent()))
    assert gist(decision) == ("opening", f"Hello! {HELP}", [])
    assert gist(opening(situation(tables.agent(), "  "))) == gist(decision)
    assert opening(situation(tables.agent(), "hi")) is None


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("hi", f"Hello! {HELP}"),
        ("thanks", "You're welcome."),
        ("bye", "Goodbye!"),
        ("help", HELP),
        ("what can you do?", HELP),
        ("yes", HELP),
        ("no", "Is there anything else I can do for you?"),
        ("cancel", "All right, I won't do that."),
    ],
)
def test_small_talk_is_answered_in_our_own_words(text: str, reply: str) -> None:
    assert gist(small_talk(situation(tables.agent(), text))) == ("small_talk", reply, [])


def test_a_greeting_where_there_is_nothing_to_offer_asks_how_to_help() -> None:
    agent = Agent("Default goal", (), (), {})
    assert gist(small_talk(situation(agent, "hi"))) == ("small_talk", "Hello! How can I help you?", [])


def test_small_talk_is_answered_as_an_example_does_first_of_all_the_very_same() -> None:
    shown = (example("a", "U: hello", "A: Ahoy!"), example("b", "U: Hi", "A: Hey!"))
    agent = Agent("", (), shown, {})
    assert [gist(small_talk(situation(agent, text))) for text in ("hi", "guten tag")] == [
        ("small_talk", "Hey!", []),
        ("small_talk", "Ahoy!", []),
    ]


def test_small_talk_closes_an_open_question() -> None:
    decision = small_talk(situation(tables.agent(), "thanks", state=PlannerState(Pending("book_table", ("x",)))))
    assert decision is not None
    assert decision.state.pending is None


@pytest.mark.parametrize(
    ("text", "state"),
    [("bye", "OK"), ("thanks", "OK"), ("no", "OK"), ("never mind", "CANCELLED"), ("hi", None), ("help", None)],
)
def test_taking_leave_ends_a_playbook_that_can_end(text: str, state: str | None) -> None:
    end = Declaration("end", "", {"type": "object", "properties": {"state": TEXT}}, None, DeclarationKind.END, "")
    decision = small_talk(situation(Agent("", (end,), (), {}), text))
    assert decision is not None
    assert decision.calls == (() if state is None else (("end", {"state": state}),))
    assert decision.rule == ("small_talk" if state is None else "small_talk_and_end")


def test_other_words_are_no_small_talk() -> None:
    assert small_talk(situation(tables.agent(), "hi, book a table")) is None


def wanted(agent: Agent, text: str, state: PlannerState | None = None) -> PlannerDecision | None:
    return wanted_function(situation(agent, text, state=state))


def test_the_function_that_is_wanted_is_called_or_asked_about() -> None:
    assert gist(wanted(pets.agent(), "show me pet 3")) == ("wanted_function", "", [("getPet", {"petId": 3})])
    assert gist(wanted(pets.agent(), "add a pet")) == ("wanted_function", "What is the pet's name?", [])


@pytest.mark.parametrize("text", ["colorless green ideas", "3", "Kim", "what is the weather in Berlin"])
def test_what_no_function_speaks_of_is_not_wanted(text: str) -> None:
    assert wanted(pets.agent(), text) is None


def test_what_was_gathered_for_the_function_before_counts() -> None:
    state = PlannerState(filled={"createPet": {"requestBody": {"name": "Rex"}}})
    decision = wanted(pets.agent(), "add a dog", state)
    assert decision is not None
    assert decision.text == "I will do the following: create a new pet (name: Rex; label: dog). Is that right?"


@pytest.mark.parametrize(
    ("text", "city"),
    [("what about Oslo?", "Oslo"), ("and in Oslo?", "Oslo"), ("how about oslo", "oslo"), ("Oslo", "Oslo")],
)
def test_a_new_value_alone_repeats_the_last_function(text: str, city: str) -> None:
    state = PlannerState(last="current_weather", last_arguments={"city": "Rome"})
    decision = follow_up(situation(weather.agent(), text, state=state))
    assert gist(decision) == ("follow_up", "", [("current_weather", {"city": city})])


@pytest.mark.parametrize(
    "text", ["what about the umbrella of Kim?", "never", "great", "cool!", "tell me a joke about Oslo"]
)
def test_words_about_something_else_repeat_nothing(text: str) -> None:
    state = PlannerState(last="current_weather", last_arguments={"city": "Rome"})
    assert follow_up(situation(weather.agent(), text, state=state)) is None


def test_nothing_is_repeated_that_changes_something_or_is_gone() -> None:
    for last in ("createPet", "gone", ""):
        state = PlannerState(last=last, last_arguments={"requestBody": {"name": "Rex"}})
        assert follow_up(situation(pets.agent(), "and Tom?", state=state)) is None


def test_other_values_of_the_last_call_stay() -> None:
    state = PlannerState(last="current_weather", last_arguments={"city": "Rome", "unit": "celsius"})
    decision = follow_up(situation(weather.agent(), "in fahrenheit?", state=state))
    assert gist(decision) == ("follow_up", "", [("current_weather", {"city": "Rome", "unit": "fahrenheit"})])


@pytest.mark.parametrize(
    ("offer", "calls"),
    [
        ("There is none. Shall I list the pets we have?", [("listPets", {})]),
        ("Shall I show you pet 4?", [("getPet", {"petId": 4})]),
        ("Would you like me to list all pets?", [("listPets", {})]),
    ],
)
def test_a_yes_takes_what_was_offered(offer: str, calls: list[tuple[str, JsonObject]]) -> None:
    decision = accepted_offer(situation(pets.agent(), AgentText(offer), "yes please"))
    assert gist(decision) == ("accepted_offer", "", calls)


def test_the_evidence_of_an_accepted_offer_is_in_the_words_of_the_offer() -> None:
    decision = accepted_offer(situation(pets.agent(), AgentText("Shall I show you pet 4?"), "yes"))
    assert decision is not None
    assert decision.evidence["slots"][0]["words"] == ["4"]


@pytest.mark.parametrize(
    ("offer", "text"),
    [
        ("Shall I list the pets?", "no"),
        ("Shall I list the pets?", "show me pet 3"),
        ("Here are the pets.", "yes"),
        ("Shall I list the pets? They are cute.", "yes"),
        ("Shall I dance?", "yes"),
        ("", "yes"),
    ],
)
def test_without_an_offer_that_can_be_kept_or_without_a_yes_nothing_is_taken(offer: str, text: str) -> None:
    assert accepted_offer(situation(pets.agent(), AgentText(offer), text)) is None


CARD = Agent("", (), (example("Pay", "U: can I pay by card?", "A: Yes, by card."),), {})


def test_what_an_example_answers_in_words_is_answered_so() -> None:
    decision = like_an_example(situation(CARD, "may i pay by card"))
    assert decision is not None
    assert (decision.text, decision.evidence["example"]) == ("Yes, by card.", "Pay")
    assert like_an_example(situation(CARD, "where are you")) is None
    assert like_an_example(situation(tables.agent(), "pay by card")) is None


def test_what_is_not_understood_is_said_with_what_can_be_done() -> None:
    state = PlannerState(Pending("book_table", ("x",)), {"book_table": {"a": 1}}, "book_table")
    decision = not_understood(situation(tables.agent(), "qwertz", state=state))
    assert decision.text == f"Sorry, I did not understand that. {HELP}"
    assert "--model (docs/models.md)" in decision.evidence["hint"]
    assert "docs" not in decision.text
    assert decision.state == PlannerState(None, {"book_table": {"a": 1}}, "book_table")
    assert not_understood(situation(Agent("", (), (), {}), "x")).text == "Sorry, I did not understand that."


async def test_what_can_be_done_here_is_not_said_twice_in_a_row() -> None:
    talk = Talk(tables.agent())
    assert (await talk.say("qwertz")).startswith("Sorry, I did not understand that. I can help with the following:")
    assert await talk.say("plonk") == "Sorry, I did not understand that."
    assert (await talk.say("qwertz")).startswith("Sorry, I did not understand that. I can help with the following:")


def test_the_trace_says_which_example_would_help() -> None:
    hint = str(not_understood(situation(orders.agent(), "show me my parcels")).evidence["hint"])
    assert "with another --model (docs/models.md)." in hint
    assert " The nearest function is getOrder: its likeness is " in hint


@pytest.mark.parametrize(
    ("agent", "text", "state", "rule"),
    [
        (pets.agent(), "", None, "opening"),
        (pets.agent(), "thanks", None, "small_talk"),
        (pets.agent(), "show me pet 3", None, "wanted_function"),
        (weather.agent(), "Oslo", PlannerState(last="current_weather"), "follow_up"),
        (CARD, "pay by card", None, "like_an_example"),
        (pets.agent(), "qwertz", None, "asked_store"),
        (orders.agent(), "qwertz", None, "not_understood"),
        (
            orders.agent(),
            "yes",
            PlannerState(Pending("cancelOrder", ()), {"cancelOrder": {"orderId": "A-1"}}),
            "confirmed",
        ),
    ],
)
def test_the_first_rule_that_has_something_to_say_decides(
    agent: Agent, text: str, state: PlannerState | None, rule: str
) -> None:
    assert plan(situation(agent, text, state=state)).rule == rule


def test_two_unnamed_numbers_go_to_their_slots_in_the_order_of_the_schema() -> None:
    number: JsonObject = {"type": "number"}
    agent = Agent("", (function("multiply", "Multiply two numbers", {"a": number, "b": number}, ["a", "b"]),), (), {})
    for text in ("multiply 6 by 7", "multiply 6 and 7", "please multiply the numbers 6 and 7"):
        assert gist(plan(situation(agent, text))) == ("learned_request", "", [("multiply", {"a": 6, "b": 7})])


def test_a_day_of_the_past_is_taken_where_the_function_speaks_of_the_past() -> None:
    day: JsonObject = {"type": "string", "format": "date", "description": "Day of the purchase"}
    agent = Agent("", (function("find_receipt", "Find a receipt", {"day": day}, ["day"]),), (), {})
    decision = plan(situation(agent, "find the receipt of March 3rd"))
    assert gist(decision) == ("learned_request", "", [("find_receipt", {"day": "2026-03-03"})])


def test_categories_that_a_description_names_are_understood() -> None:
    kind: JsonObject = {"type": "string", "description": "Kind of room, such as single, double or suite"}
    agent = Agent("", (function("find_room", "Find a free room", {"kind": kind}),), (), {})
    decision = plan(situation(agent, "find me a double room"))
    assert gist(decision) == ("learned_request", "", [("find_room", {"kind": "double"})])
