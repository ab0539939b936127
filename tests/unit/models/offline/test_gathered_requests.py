"""Requests that are made over several turns, where the planner itself remembers nothing of them."""

import pytest

from openplaybook.models.base import AgentText, UserText
from openplaybook.models.offline.gathered_requests import gathered_request
from openplaybook.models.offline.planner_state import Pending, PlannerState
from tests.unit.models.offline.agents import orders
from tests.unit.models.offline.situations import called, situation
from tests.unit.models.offline.talk import Agent, function

_CITY = {"type": "string"}
TRAINS = Agent(
    "",
    (
        function(
            "find_trains",
            "Find trains between two cities",
            {
                "origin": {**_CITY, "description": "City of departure"},
                "destination": {**_CITY, "description": "City of arrival"},
            },
            ["origin", "destination"],
        ),
    ),
    (),
    {},
)
ASKED = (
    UserText("I want to find trains between two cities"),
    AgentText("From which city do you depart, and to which one?"),
)


def test_an_answer_and_its_request_are_put_together() -> None:
    decision = gathered_request(situation(TRAINS, *ASKED, "from Hamburg to Vienna"))
    assert decision is not None
    assert decision.calls == (("find_trains", {"origin": "Hamburg", "destination": "Vienna"}),)


@pytest.mark.parametrize("said", ["Do not go from Hamburg to Vienna", "Is it far from Hamburg to Vienna?"])
def test_what_is_denied_or_only_asked_is_left_alone(said: str) -> None:
    assert gathered_request(situation(TRAINS, *ASKED, said)) is None


def test_one_turn_alone_is_not_put_together_with_what_was_called_before() -> None:
    call, result = called("find_trains", {"origin": "Bonn", "destination": "Rome"}, [])
    assert gathered_request(situation(TRAINS, *ASKED, call, result, "from Hamburg to Vienna")) is None


def test_where_the_planner_waits_or_examples_teach_it_remembers_by_itself() -> None:
    waiting = PlannerState(Pending("find_trains", ("origin",)))
    assert gathered_request(situation(TRAINS, *ASKED, "from Hamburg to Vienna", state=waiting)) is None
    talk = (UserText("something about an order"), AgentText("Which one?"))
    assert gathered_request(situation(orders.agent(), *talk, "AB-7")) is None
