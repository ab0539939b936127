"""Conversations in which another model spoke for the agent: the planner reads what it said."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.models.base import AgentText, Effect, Entry, UserText
from openplaybook.models.offline.dialogue_requests import dialogue_request, pointed_answer, wished_request
from openplaybook.models.offline.planner_state import Pending, PlannerState
from tests.unit.models.offline.agents import orders, travel
from tests.unit.models.offline.situations import called, gist, situation
from tests.unit.models.offline.talk import Agent, function

AGENT = travel.agent()
FOUND: tuple[Entry, ...] = (
    UserText("find meeting rooms in Vienna"),
    *called("find_rooms", {"city": "Vienna"}, list(travel.ROOMS)),
    AgentText("How about the Blue Hall? It is 120 a day."),
)
ASKED = (UserText("I want to find trains between two cities"), AgentText("Where do you start, and where do you go?"))


def test_an_answer_and_its_request_are_put_together() -> None:
    decision = dialogue_request(situation(AGENT, *ASKED, "from Hamburg to Rome on March 3rd"))
    assert decision is not None
    assert decision.calls == (("find_trains", {"origin": "Hamburg", "destination": "Rome", "date": "March 3rd"}),)


def test_values_of_several_turns_are_kept() -> None:
    said = (*ASKED, UserText("from Hamburg to Rome"), AgentText("On which day?"))
    decision = dialogue_request(situation(AGENT, *said, "March 3rd please"))
    assert decision is not None
    assert decision.calls == (("find_trains", {"origin": "Hamburg", "destination": "Rome", "date": "March 3rd"}),)


def test_the_later_of_two_values_counts() -> None:
    said = (*ASKED, UserText("from Hamburg to Rome"), AgentText("On which day?"), UserText("March 3rd"))
    decision = dialogue_request(situation(AGENT, *said, AgentText("From Hamburg?"), "no, from Berlin"))
    assert decision is not None
    assert decision.calls == (("find_trains", {"origin": "Berlin", "destination": "Rome", "date": "March 3rd"}),)


def test_an_offer_that_is_accepted_asks_for_what_is_missing() -> None:
    said = (*FOUND, UserText("sounds good"), AgentText("Would you like me to reserve the meeting room?"))
    decision = dialogue_request(situation(AGENT, *said, "yes please"))
    assert gist(decision) == ("dialogue_request", "What is the day of the meeting?", [])


@pytest.mark.parametrize("said", ["no thanks", "maybe later", "not now"])
def test_an_offer_that_is_refused_does_nothing(said: str) -> None:
    offered = (*FOUND, UserText("sounds good"), AgentText("Would you like me to reserve the meeting room?"))
    decision = dialogue_request(situation(AGENT, *offered, said))
    assert decision is None or (decision.calls == () and decision.state.pending is None)


READ_OUT = (
    *FOUND,
    UserText("please reserve it for March 3rd"),
    AgentText("Please confirm: the Blue Hall in Vienna on March 3rd."),
)


def test_a_yes_to_values_that_another_model_read_out_carries_them_all() -> None:
    decision = dialogue_request(situation(AGENT, *READ_OUT, "yes, that is correct. What does it cost?"))
    assert decision is not None
    assert decision.calls == (("reserve_room", {"room_name": "Blue Hall", "city": "Vienna", "date": "March 3rd"}),)


@pytest.mark.parametrize(
    "said", ["yes but on March 5th", "yes if it is cheap", "yes, with 12 people", "no", "what does it cost?", "not yet"]
)
def test_anything_but_a_plain_yes_changes_nothing(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *READ_OUT, said))
    assert decision is None or decision.calls == ()


@pytest.mark.parametrize("day", ["the 3rd of March", "March 3"])
def test_values_may_be_read_out_in_another_form(day: str) -> None:
    said = (*READ_OUT[:-1], AgentText(f"Please confirm: the Blue Hall in Vienna on {day}."))
    decision = dialogue_request(situation(AGENT, *said, "yes"))
    assert decision is not None
    assert [name for name, _ in decision.calls] == ["reserve_room"]


@pytest.mark.parametrize("read_out", ["the Blue Hall in Vienna on March 4th", "Vienna on March 3rd"])
def test_a_yes_to_another_value_or_to_fewer_is_none(read_out: str) -> None:
    said = (*READ_OUT[:-1], AgentText(f"Please confirm: {read_out}."))
    decision = dialogue_request(situation(AGENT, *said, "yes"))
    assert decision is None or decision.calls == ()


def test_a_yes_to_some_of_the_values_is_no_yes_to_all() -> None:
    said = (*READ_OUT[:-1], AgentText("Shall I look for another room in Vienna?"))
    decision = dialogue_request(situation(AGENT, *said, "yes"))
    assert decision is None or decision.calls == ()


def test_a_yes_to_words_that_read_out_nothing_changes_nothing() -> None:
    said = (*READ_OUT[:-1], AgentText("Is there anything else I can do for you?"))
    decision = dialogue_request(situation(AGENT, *said, "yes"))
    assert decision is None or decision.calls == ()


def test_where_the_planner_waits_or_examples_teach_it_leaves_the_words_alone() -> None:
    waiting = PlannerState(Pending("find_trains", ("origin",)))
    assert dialogue_request(situation(AGENT, *ASKED, "from Hamburg", state=waiting)) is None
    assert dialogue_request(situation(orders.agent(), *ASKED, "AB-7")) is None


def test_a_question_that_the_agent_did_not_ask_in_these_words_waits_no_more() -> None:
    state = PlannerState(Pending("find_trains", ("origin",), said="What is the city of departure?"))
    asked = situation(AGENT, ASKED[0], AgentText("Here it is. What is the city of departure?"), "Rome", state=state)
    assert asked.state.pending == state.pending
    assert situation(AGENT, *ASKED, "Rome", state=state).state.pending is None


def test_a_day_is_pointed_at_where_a_day_was_asked_for() -> None:
    call = called("get_weather", {"city": "Rome", "date": "March 3rd"}, {"temperature": "20"})
    waiting = PlannerState(Pending("find_rooms", ("city",)))
    decision = pointed_answer(situation(AGENT, "weather?", *call, AgentText("Where?"), "there", state=waiting))
    assert decision is not None
    assert decision.calls == (("find_rooms", {"city": "Rome"}),)
    assert pointed_answer(situation(AGENT, "weather?", *call, AgentText("Where?"), "Oslo", state=waiting)) is None


def test_a_wish_by_its_word_alone_is_asked_about_and_never_called() -> None:
    decision = wished_request(situation(AGENT, "I need some trains"))
    assert gist(decision) == ("wished_request", "What is the city of departure?", [])
    assert wished_request(situation(AGENT, "I never wanted any trains")) is None
    assert wished_request(situation(AGENT, "who invented trains?")) is None


def test_an_answer_to_what_only_another_function_takes_is_a_value_of_that_one() -> None:
    said = (*FOUND, UserText("lovely"), AgentText("On which day would you like it?"))
    decision = dialogue_request(situation(AGENT, *said, "March 3rd"))
    assert decision is not None
    assert decision.calls == ()
    assert decision.state.pending is not None
    assert decision.state.pending.function == "reserve_room"
    assert decision.state.filled["reserve_room"] == {"room_name": "Blue Hall", "city": "Vienna", "date": "March 3rd"}


def test_a_day_that_only_another_function_takes_leads_to_it_unasked() -> None:
    decision = dialogue_request(situation(AGENT, *FOUND, "that one then, on March 3rd"))
    assert decision is not None
    assert decision.state.pending is not None
    assert decision.state.pending.function == "reserve_room"


def test_what_is_corrected_is_read_back_once_more_with_the_rest() -> None:
    said = (*FOUND, UserText("lovely"), AgentText("The Blue Hall in Vienna on March 3rd, right?"))
    decision = dialogue_request(situation(AGENT, *said, "make that March 5th"))
    assert decision is not None
    assert decision.calls == ()
    assert decision.state.pending is not None
    assert decision.state.pending.is_confirmation
    assert decision.state.filled["reserve_room"] == {"room_name": "Blue Hall", "city": "Vienna", "date": "March 5th"}


READ_BACK = (*FOUND, UserText("lovely"), AgentText("The Blue Hall in Vienna on March 3rd for 4 people, right?"))


def test_what_only_the_agent_has_read_back_stays_where_another_value_is_corrected() -> None:
    decision = dialogue_request(situation(AGENT, *READ_BACK, "make that 5 people"))
    assert decision is not None
    assert decision.calls == ()
    kept = {"room_name": "Blue Hall", "city": "Vienna", "date": "March 3rd", "people": 5}
    assert decision.state.filled["reserve_room"] == kept


@pytest.mark.parametrize("said", ["what does it cost?", "hmm, let me think"])
def test_what_is_read_back_counts_for_nothing_where_nothing_is_corrected(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *READ_BACK, said))
    assert decision is None or (decision.calls == () and decision.state.pending is None)


@pytest.mark.parametrize("said", ["Sounds ideal", "Marit Dahl", "Fabulous choice"])
def test_words_that_replace_nothing_plainly_repeat_no_call(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *FOUND, said))
    assert decision is None or decision.calls == ()


@pytest.mark.parametrize("said", ["how about Rome?", "I'd prefer Rome", "and in Rome?"])
def test_another_city_that_is_plainly_put_repeats_the_call(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *FOUND, said))
    assert decision is not None
    assert decision.calls == (("find_rooms", {"city": "Rome"}),)


@pytest.mark.parametrize("said", ["hmm, let me think", "sounds interesting", "who knows"])
def test_an_offer_that_nobody_takes_up_asks_for_nothing(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *FOUND[:-1], AgentText("Shall I reserve the Blue Hall?"), said))
    assert decision is None or decision.state.pending is None


def test_a_day_is_taken_by_the_function_whose_description_alone_tells_that_it_takes_one() -> None:
    text: JsonObject = {"type": "string"}
    boats = Agent(
        goal="Hire out boats.",
        declarations=(
            function("search_boats", "Boats for hire at a lake", {"lake": text}, ["lake"]),
            function(
                "hire_boat",
                "Hire a boat",
                {"boat": text, "on": {"type": "string", "description": "Date of the trip", "format": "date"}},
                ["boat", "on"],
                Effect.CHANGES,
            ),
        ),
        examples=(),
        functions={},
    )
    found = called("search_boats", {"lake": "Garda"}, [{"boat": "Otter", "price": "55"}])
    said = ("boats on Lake Garda", *found, AgentText("There is the Otter for 55."), "the Otter, on December 5th")
    decision = dialogue_request(situation(boats, *said))
    assert decision is not None
    assert decision.calls == ()
    assert as_object(decision.state.filled["hire_boat"])["boat"] == "Otter"


HOTELS = Agent(
    goal="Help people to sleep well.",
    declarations=(
        replace(
            function("search_hotel", "Find hotels in a city", {"city": {"type": "string"}}, ["city"]),
            output_schema={"type": "object", "properties": {"hotel_name": {}, "stars": {}}},
        ),
        function(
            "book_hotel",
            "Book a room in a hotel",
            {"hotel_name": {"type": "string"}, "city": {"type": "string"}, "nights": {"type": "integer"}},
            ["hotel_name", "city", "nights"],
            Effect.CHANGES,
        ),
    ),
    examples=(),
    functions={},
)
BOOKING = (UserText("please book a hotel room for me"), AgentText("In which city?"))


def test_what_is_to_be_booked_is_looked_for_where_nobody_has_named_it() -> None:
    decision = dialogue_request(situation(HOTELS, *BOOKING, "in Oslo"))
    assert decision is not None
    assert decision.calls == (("search_hotel", {"city": "Oslo"}),)


def test_what_is_named_is_not_looked_for() -> None:
    said = (UserText("please book a room in a hotel for 2 nights"), AgentText("In which hotel, and which city?"))
    decision = dialogue_request(situation(HOTELS, *said, "the Hotel Bristol in Oslo"))
    assert decision is not None
    assert decision.calls == ()
    booked = {"hotel_name": "Hotel Bristol", "city": "Oslo", "nights": 2}
    assert decision.state.filled["book_hotel"] == booked


def test_what_was_found_is_not_looked_for_again() -> None:
    found = called("search_hotel", {"city": "Oslo"}, [{"hotel_name": "Bristol", "stars": 4}])
    said = (UserText("hotels in Oslo"), *found, AgentText("There is the Bristol."), "please book it for 2 nights")
    decision = dialogue_request(situation(HOTELS, *said))
    assert decision is not None
    assert decision.state.pending is not None
    assert decision.state.filled["book_hotel"] == {"hotel_name": "Bristol", "city": "Oslo", "nights": 2}


@pytest.mark.parametrize("said", ["What else do you have?", "any other options?", "are there other rooms?"])
def test_what_else_was_found_is_told(said: str) -> None:
    decision = dialogue_request(situation(AGENT, *FOUND, said))
    assert decision is not None
    assert decision.calls == ()
    assert "Garden Studio" in decision.text
    assert "Blue Hall" not in decision.text


def test_where_all_was_told_there_is_nothing_else() -> None:
    told = AgentText("There are the Blue Hall and the Garden Studio.")
    decision = dialogue_request(situation(AGENT, *FOUND[:-1], told, "what else do you have?"))
    assert decision is None or "I found" not in decision.text


def test_how_long_is_answered_by_a_number() -> None:
    nights: JsonObject = {"type": "string", "description": "Number of days of the stay"}
    book = function(
        "book_hotel",
        "Book a room in a hotel",
        {"hotel_name": {"type": "string"}, "stay": nights},
        ["hotel_name", "stay"],
        Effect.CHANGES,
    )
    inn = replace(HOTELS, declarations=(HOTELS.declarations[0], book))
    found = called("search_hotel", {"city": "Oslo"}, [{"hotel_name": "Bristol", "stars": 4}])
    said = (UserText("hotels in Oslo"), *found, AgentText("There is the Bristol."), UserText("please book it"))
    decision = dialogue_request(
        situation(inn, *said, AgentText("How many nights will you stay?"), "six nights it seems")
    )
    assert decision is not None
    assert decision.state.filled["book_hotel"] == {"hotel_name": "Bristol", "stay": "six"}
