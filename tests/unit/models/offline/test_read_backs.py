"""A yes to what another model read back: all at once, in parts, after a correction, or after a try that failed."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Effect, Entry, UserText
from openplaybook.models.offline.dialogue.read_backs import bid_in, named_paths, says_failed, told_flag
from openplaybook.models.offline.dialogue.replies import agrees, without_questions
from openplaybook.models.offline.dialogue_requests import dialogue_request
from tests.unit.models.offline.agents import travel
from tests.unit.models.offline.situations import called, situation
from tests.unit.models.offline.talk import Agent, function

TODAY = date(2026, 11, 27)
TRAVEL = travel.agent()
FOUND: tuple[Entry, ...] = (
    UserText("find meeting rooms in Vienna"),
    *called("find_rooms", {"city": "Vienna"}, list(travel.ROOMS)),
    AgentText("How about the Blue Hall? It is 120 a day."),
)
ASKED_FOR = (*FOUND, UserText("please reserve it for March 3rd"))
RESERVED: JsonObject = {"room_name": "Blue Hall", "city": "Vienna", "date": "March 3rd"}


def calls_after(agent: Agent, *said: Entry | str) -> tuple[tuple[str, JsonObject], ...]:
    """The calls that a conversation leads to."""
    decision = dialogue_request(situation(agent, *said))
    return tuple(decision.calls) if decision else ()


def test_what_was_read_back_before_a_correction_need_not_be_read_back_again() -> None:
    said = (
        *ASKED_FOR,
        AgentText("Please confirm: the Blue Hall in Vienna on March 3rd."),
        UserText("No, on March 5th"),
    )
    partly = AgentText("Okay, please confirm: March 5th.")
    assert calls_after(TRAVEL, *said, partly, "yes") == (("reserve_room", {**RESERVED, "date": "March 5th"}),)


def test_what_was_never_read_back_is_not_agreed_to() -> None:
    said = (*ASKED_FOR, AgentText("And what else?"), UserText("nothing"))
    assert calls_after(TRAVEL, *said, AgentText("Please confirm: March 3rd."), "yes") == ()


def test_a_refusal_that_names_no_other_value_takes_back_what_was_read_back() -> None:
    said = (
        *ASKED_FOR,
        AgentText("Please confirm: the Blue Hall in Vienna on March 3rd."),
        UserText("No, I am not sure"),
    )
    assert calls_after(TRAVEL, *said, AgentText("Please confirm: March 3rd."), "yes") == ()


@pytest.mark.parametrize(
    "said", ["You got it.", "That's exactly what I said", "Yes, that's it.", "that was what I need"]
)
def test_agreement_has_many_words(said: str) -> None:
    read_out = AgentText("Please confirm: the Blue Hall in Vienna on March 3rd.")
    assert calls_after(TRAVEL, *ASKED_FOR, read_out, said) == (("reserve_room", RESERVED),)


@pytest.mark.parametrize(
    "asked",
    ["Can you tell me the phone number?", "Can guests park there?", "What is the address, please?", "Parking nearby?"],
)
def test_a_question_for_information_beside_a_yes_doubts_nothing(asked: str) -> None:
    read_out = AgentText("Please confirm: the Blue Hall in Vienna on March 3rd.")
    assert calls_after(TRAVEL, *ASKED_FOR, read_out, f"Yes, that is right. {asked}") == (("reserve_room", RESERVED),)


@pytest.mark.parametrize(
    "asked", ["Can you make it March 5th?", "Could we change the day?", "Can it be another room?", "On March 5th?"]
)
def test_a_question_for_something_else_is_no_yes(asked: str) -> None:
    read_out = AgentText("Please confirm: the Blue Hall in Vienna on March 3rd.")
    calls = calls_after(TRAVEL, *ASKED_FOR, read_out, f"Yes. {asked}")
    assert "reserve_room" not in [name for name, _ in calls]


def test_values_that_are_stated_without_a_question_may_be_agreed_to() -> None:
    stated = AgentText("Reserving the Blue Hall in Vienna on March 3rd.")
    assert calls_after(TRAVEL, *ASKED_FOR, stated, "perfect") == (("reserve_room", RESERVED),)
    assert calls_after(TRAVEL, *ASKED_FOR, AgentText("The Blue Hall is lovely."), "perfect") == ()


FAILED = (
    *FOUND,
    UserText("please reserve it for March 3rd"),
    *called("reserve_room", RESERVED, {"date": "March 4th", "room_name": "Blue Hall"}, number=2),
)


def test_another_value_that_is_offered_after_a_failed_try_is_taken_by_a_yes() -> None:
    offer = AgentText("Sorry, I could not reserve that. Does March 4th work instead?")
    assert calls_after(TRAVEL, *FAILED, offer, "yes, that works") == (
        ("reserve_room", {**RESERVED, "date": "March 4th"}),
    )


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ("Sorry, I could not reserve that. Does March 4th work instead?", "no"),
        ("Sorry, I could not reserve that. Does March 4th work instead?", "yes, but on March 6th"),
        ("It is reserved. Do you need anything on March 4th?", "yes"),
        ("Sorry, I could not reserve that.", "okay"),
    ],
)
def test_nothing_is_tried_again_unless_something_else_is_accepted(offer: str, said: str) -> None:
    assert calls_after(TRAVEL, *FAILED, AgentText(offer), said) == ()


def test_a_name_takes_the_place_of_another_only_in_the_sentence_that_offers_it() -> None:
    offer = AgentText("The tram stops at Rome Square. Unfortunately I was unable to reserve it. How about March 4th?")
    assert calls_after(TRAVEL, *FAILED, offer, "sounds good") == (("reserve_room", {**RESERVED, "date": "March 4th"}),)


TICKETS = Agent(
    goal="Help people to travel.",
    declarations=(
        function(
            "find_bus",
            "Find a bus between two cities",
            {
                name: {"type": "string", "description": f"{what} city"}
                for name, what in (("origin", "Departure"), ("destination", "Arrival"))
            },
            ["origin", "destination"],
        ),
        function(
            "buy_bus_ticket",
            "Buy a ticket for a bus",
            {
                "origin": {"type": "string", "description": "Departure city"},
                "destination": {"type": "string", "description": "Arrival city"},
                "travelers": {"type": "string", "enum": ["1", "2", "3", "4"], "description": "Number of travelers"},
            },
            ["origin", "destination", "travelers"],
            Effect.CHANGES,
        ),
    ),
    examples=(),
    functions={},
)


def test_the_function_is_the_one_whose_values_are_read_back() -> None:
    said = (
        UserText("find me a bus from Hamburg to Vienna"),
        AgentText("You want 2 tickets for the bus from Hamburg to Vienna, is that right?"),
    )
    expected: JsonObject = {"origin": "Hamburg", "destination": "Vienna", "travelers": "2"}
    assert calls_after(TICKETS, *said, "yes, that is right") == (("buy_bus_ticket", expected),)


@pytest.mark.parametrize(
    ("held", "agent"),
    [
        ("half past 2 in the afternoon", "at 2:30 pm"),
        ("afternoon 1", "at 1 pm"),
        ("twelve pm", "at 12:00"),
        ("the 2nd", "on December 2nd"),
        ("three", "for 3 days"),
        ("Paris, France", "in Paris"),
    ],
)
def test_a_value_may_be_named_in_another_form(held: JsonValue, agent: str) -> None:
    assert named_paths(agent, {("x",): held}, TODAY) == {("x",)}


@pytest.mark.parametrize(
    ("held", "agent"),
    [
        ("3", "at 3 pm"),
        ("3", "on the 3rd of March"),
        ("half past 2", "at 3:30"),
        ("the 2nd", "on December 3rd"),
        ("Paris", "in Parish"),
    ],
)
def test_a_number_in_a_time_names_nothing_else(held: JsonValue, agent: str) -> None:
    assert named_paths(agent, {("x",): held}, TODAY) == frozenset()


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("Yes, that is right. What is the address?", "Yes, that is right. "),
        ("Sure, could I have the number, please?", "Sure, "),
        ("Yes, can you make it 5?", "Yes, can you make it 5?"),
        ("ok, do it", "ok, do it"),
        ("What is the address?", "What is the address?"),
    ],
)
def test_what_is_asked_beside_a_reply_is_told_apart(words: str, rest: str) -> None:
    assert without_questions(words) == rest


def test_praise_is_agreement_whatever_is_asked_behind_it() -> None:
    assert agrees("You got it. Who wrote it?")
    assert not agrees("Who wrote it?")


@pytest.mark.parametrize(
    "said", ["I was unable to book it.", "They couldn't reserve a table.", "that room is sold out"]
)
def test_words_that_tell_of_a_failure(said: str) -> None:
    assert says_failed(said)


@pytest.mark.parametrize(
    "said", ["It does not have WiFi.", "There is no lift.", "Your table is booked.", "Sorry for the wait."]
)
def test_words_that_tell_of_none(said: str) -> None:
    assert not says_failed(said)


SONGS = Agent(
    goal="Play music.",
    declarations=(
        function("find_song", "Find a song", {"artist": {"type": "string"}}, ["artist"]),
        function(
            "play_song",
            "Play a song in a room",
            {
                "song_name": {"type": "string", "description": "Name of the song"},
                "artist": {"type": "string", "description": "Who sings it"},
                "room": {"type": "string", "enum": ["Kitchen", "Patio"], "description": "Room to play it in"},
                "shuffle": {"type": "boolean", "description": "Whether to shuffle"},
            },
            ["song_name", "room", "shuffle"],
            Effect.CHANGES,
        ),
    ),
    examples=(),
    functions={},
)
SONG: JsonObject = {"song_name": "Low Tide", "artist": "Marit Dahl", "genre": "Folk"}
HEARD = (
    UserText("find a song by Marit Dahl"),
    *called("find_song", {"artist": "Marit Dahl"}, [SONG]),
    AgentText("How about Low Tide by Marit Dahl?"),
    UserText("great, play it in the kitchen"),
)


def test_a_thing_that_is_named_is_agreed_to_with_what_is_known_of_it() -> None:
    said = (*HEARD, AgentText("Shuffle as well?"), UserText("no"))
    expected: JsonObject = {"song_name": "Low Tide", "artist": "Marit Dahl", "room": "Kitchen", "shuffle": False}
    assert calls_after(SONGS, *said, AgentText("So you want Low Tide in the kitchen, right?"), "yes") == (
        ("play_song", expected),
    )
    assert calls_after(SONGS, *said, AgentText("So you want High Tide in the kitchen, right?"), "yes") == ()


@pytest.mark.parametrize(
    ("name", "agent", "flag"),
    [
        ("add_insurance", "with insurance", True),
        ("add_insurance", "with no added insurance", False),
        ("add_insurance", "a car without insurance", False),
        ("add_insurance", "a car on monday", None),
        ("shared_ride", "a shared taxi", True),
    ],
)
def test_yes_or_no_is_told_by_a_word_of_the_name(name: str, agent: str, flag: bool | None) -> None:
    assert told_flag(name, agent) is flag
    assert (named_paths(agent, {(name,): "True"}, TODAY) == {(name,)}) is (flag is True)
    assert (named_paths(agent, {(name,): False}, TODAY) == {(name,)}) is (flag is False)


def test_values_of_a_function_that_no_word_speaks_of_do_not_choose_it() -> None:
    said = (
        UserText("find me a bus from Hamburg to Vienna"),
        AgentText("So from Hamburg to Vienna for 2, is that right?"),
    )
    assert {name for name, _ in calls_after(TICKETS, *said, "yes")} == {"find_bus"}


@pytest.mark.parametrize("said", ["A Right Royal Tea is a popular play.", "The correct address is Main Street 1."])
def test_words_that_only_contain_right_are_no_bid(said: str) -> None:
    assert bid_in(said) == ""
    assert bid_in(f"{said} Is that right?") != ""


def test_a_name_that_only_the_agent_has_said_is_read_back_once_more() -> None:
    said = (UserText("please reserve a meeting room in Vienna for March 3rd"), AgentText("Which one?"), UserText("any"))
    read_out = AgentText("Please confirm: the Pink Hall in Vienna on March 3rd.")
    assert calls_after(TRAVEL, *said, read_out, "yes") == ()


def test_another_thing_that_is_read_back_later_takes_back_the_first() -> None:
    said = (
        *ASKED_FOR,
        AgentText("Please confirm: the Blue Hall in Vienna on March 3rd."),
        UserText("No, rather another"),
    )
    assert calls_after(TRAVEL, *said, AgentText("Please confirm: the Garden Studio."), "yes") == ()


def test_a_single_value_that_is_stated_is_no_bid() -> None:
    alarm = function("set_alarm", "Set an alarm", {"time": {"type": "string"}}, ["time"], Effect.CHANGES)
    clock = Agent(goal="Wake people.", declarations=(alarm,), examples=(), functions={})
    said = (UserText("please set an alarm"), AgentText("When?"), UserText("at 7 pm, I think"))
    assert calls_after(clock, *said, AgentText("The museum closes at 7 pm."), "great") == ()


BOATS = Agent(
    goal="Hire out boats.",
    declarations=(
        function("find_boats", "Find boats for hire at a lake", {"lake": {"type": "string"}}, ["lake"]),
        function(
            "hire_boat",
            "Hire a boat",
            {
                "boat_name": {"type": "string", "description": "Name of the boat"},
                "day": {"type": "string", "description": "Day of the trip"},
                "start": {"type": "string", "description": "Time at which the trip starts"},
                "hours": {"type": "integer", "description": "How many hours"},
                "skipper": {"type": "boolean", "description": "Whether a skipper comes along"},
            },
            ["boat_name", "day", "start", "hours", "skipper"],
            Effect.CHANGES,
        ),
    ),
    examples=(),
    functions={},
)
HIRED: JsonObject = {"boat_name": "Otter", "day": "Saturday", "hours": 3, "skipper": False}
ANSWERED = (
    UserText("Which boats are there on Lake Garda?"),
    *called(
        "find_boats", {"lake": "Garda"}, [{"boat_name": "Otter", "price": "55"}, {"boat_name": "Grebe", "price": "70"}]
    ),
    AgentText("There is the Otter for 55 a day. Would you like it?"),
    UserText("sounds nice, I'd like to hire it"),
    AgentText("On which day, and from when?"),
    UserText("on Saturday from half past 2 in the afternoon"),
    AgentText("For how many hours?"),
    UserText("three"),
    AgentText("Would you like a skipper to come along?"),
    UserText("no thanks, we sail ourselves"),
)
READ_BACK = AgentText("So you hire the Otter on Saturday at 2:30 pm for 3 hours, right?")


def test_a_no_to_a_question_about_a_flag_is_its_value() -> None:
    hired = {**HIRED, "start": "half past 2 in the afternoon"}
    assert calls_after(BOATS, *ANSWERED, READ_BACK, "yes, that's right. Is fuel included?") == (("hire_boat", hired),)


def test_a_yes_to_another_boat_is_none() -> None:
    assert calls_after(BOATS, *ANSWERED, AgentText("So you hire the Grebe on Saturday at 2:30 pm, right?"), "yes") == ()


def test_another_hour_after_a_failed_try_is_taken() -> None:
    tried = called("hire_boat", {**HIRED, "start": "14:30"}, {"status": "not free"}, number=2)
    offer = AgentText("Sorry, the Otter could not be hired then. How about 4 pm instead?")
    said = (*ANSWERED, READ_BACK, UserText("yes"), *tried, offer)
    assert calls_after(BOATS, *said, "that works") == (("hire_boat", {**HIRED, "start": "4 pm"}),)
    assert calls_after(BOATS, *said, "no, then leave it") == ()
