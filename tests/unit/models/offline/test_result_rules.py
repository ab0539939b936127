"""What to do when calls have come back."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Declaration, DeclarationKind, FunctionResult
from openplaybook.models.offline.planner_state import Pending, PlannerState
from openplaybook.models.offline.result_rules import after_results
from tests.unit.models.offline.situations import called, gist, situation
from tests.unit.models.offline.talk import Agent, example, function

TEXT: JsonObject = {"type": "string"}
BOAT = function("getBoat", "Get a boat", {"boat": {"type": "integer"}}, ["boat"])
USER = function("getUser", "Get a user", {"user": TEXT}, ["user"])
END = Declaration(
    "end", "", {"type": "object", "properties": {"phone": TEXT}, "required": ["phone"]}, None, DeclarationKind.END, ""
)
CHAIN = example(
    "Phone",
    "U: phone of the owner of boat 4",
    ("getBoat", {"boat": 4}, {"200": {"ownerId": "u-1"}}),
    ("getUser", {"user": "u-1"}, {"200": {"phone": "555-01"}}),
    "A: It is 555-01.",
)
CHAINED = Agent("", (BOAT, USER), (CHAIN,), {})


def got(agent: Agent, name: str, arguments: JsonObject, output: JsonValue, **more: bool) -> object:
    entries = called(name, arguments, output, **more)
    return gist(after_results(situation(agent, "phone of the owner of boat 8", *entries)))


def test_without_results_the_rule_is_silent() -> None:
    assert after_results(situation(CHAINED, "phone of the owner of boat 8")) is None


def test_the_next_call_of_an_example_is_made_with_what_the_result_gives() -> None:
    assert got(CHAINED, "getBoat", {"boat": 8}, {"200": {"ownerId": "u-9"}}) == (
        "next_step",
        "",
        [("getUser", {"user": "u-9"})],
    )


def test_the_answer_follows_the_last_call_of_the_example() -> None:
    assert got(CHAINED, "getUser", {"user": "u-9"}, {"200": {"phone": "555-99"}}) == ("answer", "It is 555-99.", [])


def test_a_result_without_what_the_next_call_needs_is_told() -> None:
    told = got(CHAINED, "getBoat", {"boat": 8}, {"200": {"name": "Anna"}})
    assert told == ("answer", "Here is what I found: name Anna.", [])


def test_after_a_failure_there_is_no_next_call() -> None:
    told = got(CHAINED, "getBoat", {"boat": 8}, {"404": {"message": "No boat 8"}}, is_error=True)
    assert told == ("answer", "Sorry, that did not work.", [])
    assert got(CHAINED, "getBoat", {"boat": 8}, {"404": {"message": "No boat 8"}}) == (
        "answer",
        "Sorry, that did not work: No boat 8",
        [],
    )


def test_the_same_call_is_not_made_twice_for_one_utterance() -> None:
    entries = [
        *called("getUser", {"user": "u-9"}, {"200": {"phone": "555-99"}}),
        *called("getBoat", {"boat": 8}, {"200": {"ownerId": "u-9"}}, number=2),
    ]
    decision = after_results(situation(CHAINED, "go", *entries))
    assert decision is not None
    assert (decision.rule, decision.calls) == ("answer", ())


def test_an_answer_to_something_else_keeps_an_open_question_and_asks_it_again() -> None:
    state = PlannerState(Pending("getBoat", ("boat",)), {"getUser": {}}, "getBoat", {"boat": 8})
    entries = called("getUser", {"user": "u-9"}, {"200": {"phone": "555-99"}})
    decision = after_results(situation(CHAINED, "go", *entries, state=state))
    assert decision is not None
    assert (decision.rule, decision.state) == ("answer_and_ask_again", state)
    assert decision.text.endswith("\nWhat is the boat?")


def test_an_answer_closes_an_open_question_and_keeps_the_rest() -> None:
    state = PlannerState(Pending("getUser", ("user",)), {"getUser": {}}, "getBoat", {"boat": 8})
    entries = called("getUser", {"user": "u-9"}, {"200": {"phone": "555-99"}})
    decision = after_results(situation(CHAINED, "go", *entries, state=state))
    assert decision is not None
    assert decision.state == PlannerState(None, {"getUser": {}}, "getBoat", {"boat": 8})
    assert decision.evidence == {"answered_like": ["Phone"]}


def test_results_that_say_the_same_are_told_once() -> None:
    entries = [*called("getUser", {}, {"204": None}), *called("getUser", {}, {"204": None}, number=2)]
    assert gist(after_results(situation(CHAINED, "go", *entries))) == ("answer", "Done.", [])


def test_a_result_without_its_call_is_told_all_the_same() -> None:
    orphan = FunctionResult("9", "getUser", {"200": {"phone": "555-99"}})
    decision = after_results(situation(Agent("", (USER,), (), {}), "go", orphan))
    assert gist(decision) == ("answer", "Here is what I found: phone 555-99.", [])


def test_a_success_ends_a_playbook_that_has_its_outputs() -> None:
    agent = Agent("", (USER, END), (), {})
    assert got(agent, "getUser", {"user": "u"}, {"200": {"phone": "555-99"}}) == (
        "answer_and_end",
        "Here is what I found: phone 555-99.",
        [("end", {"phone": "555-99"})],
    )
    assert got(agent, "getUser", {"user": "u"}, {"200": {"name": "Kim"}}) == (
        "answer",
        "Here is what I found: name Kim.",
        [],
    )
    assert got(agent, "getUser", {"user": "u"}, {"404": {"phone": "555-99"}}) == (
        "answer",
        "I didn't find anything for u.",
        [],
    )


def test_where_an_example_shows_the_end_other_successes_are_none() -> None:
    shown = example("x", "U: user", ("getUser", {"user": "u"}, {"200": {"phone": "1"}}), "A: Ok.", end_state="OK")
    agent = Agent("", (BOAT, USER, END), (shown,), {})
    boat = got(agent, "getBoat", {"boat": 1}, {"200": {"phone": "2"}})
    assert boat == ("answer", "Here is what I found: phone 2.", [])
    assert got(agent, "getUser", {"user": "u"}, {"200": {"phone": "3"}}) == (
        "answer_and_end",
        "Ok.",
        [("end", {"phone": "3"})],
    )
