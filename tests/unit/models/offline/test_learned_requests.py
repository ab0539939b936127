"""Where what was learned from many tools may decide, and where it may not."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.models.offline.learned_requests import learned_request
from openplaybook.models.offline.planner import plan
from tests.unit.models.offline.situations import gist, situation
from tests.unit.models.offline.talk import Agent, example, function

ROOM: JsonObject = {"type": "string", "enum": ["kitchen", "bedroom", "garage"]}
STATE: JsonObject = {"type": "string", "enum": ["on", "off"]}
NUMBER: JsonObject = {"type": "integer", "description": "Number of the booking"}
HOME = (
    function("lightStatus", "Get the status of a lamp", {"room": ROOM}, ["room"]),
    function(
        "switchLight",
        "Switch the light of a room",
        {"room": ROOM, "state": STATE},
        ["room", "state"],
        effect=Effect.CHANGES,
    ),
)
RENTAL = (
    function("getBooking", "Look up a booking", {"bookingId": NUMBER}, ["bookingId"]),
    function("cancelBooking", "Cancel a booking", {"bookingId": NUMBER}, ["bookingId"], effect=Effect.CHANGES),
)


def test_a_question_is_answered_by_what_looks_though_what_changes_is_likelier() -> None:
    decision = plan(situation(Agent("", HOME, (), {}), "is the kitchen light on?"))
    assert gist(decision) == ("wanted_function", "", [("lightStatus", {"room": "kitchen"})])


@pytest.mark.parametrize("text", ["I have cancelled booking 41", "don't cancel booking 41"])
def test_what_was_done_or_shall_not_be_is_not_looked_up(text: str) -> None:
    assert learned_request(situation(Agent("", RENTAL, (), {}), text)) is None


def test_it_decides_only_in_playbooks_without_examples() -> None:
    text = "look up booking 41"
    found = learned_request(situation(Agent("", RENTAL, (), {}), text))
    assert gist(found) == ("learned_request", "", [("getBooking", {"bookingId": 41})])
    shown = (example("a", "U: what about 7", ("getBooking", {"bookingId": 7}, {}), "A: It stands."),)
    assert learned_request(situation(Agent("", RENTAL, shown, {}), text)) is None


def test_a_value_alone_asks_for_none_of_several_functions() -> None:
    shown = function("roomSize", "Get the size of a room", {"room": ROOM}, ["room"])
    for text in ("kitchen", "the kitchen", "in the kitchen, please"):
        assert learned_request(situation(Agent("", (*HOME, shown), (), {}), text)) is None


ACCOUNT: JsonObject = {"type": "string", "enum": ["checking", "savings"], "description": "Type of the account"}
BANK = (
    function("checkBalance", "Check the balance of an account", {"accountType": ACCOUNT}, ["accountType"]),
    function("findBranch", "Find a branch in a city", {"city": {"type": "string"}}, ["city"]),
)


def test_a_listed_value_that_is_needed_and_not_said_is_asked_for() -> None:
    decision = plan(situation(Agent("", BANK, (), {}), "can you check my balance please"))
    assert decision.calls == ()
    assert decision.state.pending is not None
    assert decision.state.pending.path == ("accountType",)


def test_a_listed_value_that_is_said_is_taken() -> None:
    decision = plan(situation(Agent("", BANK, (), {}), "can you check the balance of my savings account please"))
    assert decision.calls == (("checkBalance", {"accountType": "savings"}),)
