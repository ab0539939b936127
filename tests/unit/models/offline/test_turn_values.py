"""Values of one turn: which of two days is meant, and what is said word by word."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, Entry, UserText
from openplaybook.models.offline.dialogue.moment_cues import direction_of
from openplaybook.models.offline.dialogue.spoken_turns import SpokenTurn
from openplaybook.models.offline.dialogue.talk import talk_of
from openplaybook.models.offline.learned.mentions import MentionKind
from openplaybook.models.offline.learned.utterance import utterance_of
from tests.unit.models.offline.agents import travel
from tests.unit.models.offline.situations import situation
from tests.unit.models.offline.talk import Agent, function

TEXT: JsonObject = {"type": "string"}
SHOP = Agent(
    goal="Hire out cars and play music.",
    declarations=(
        function(
            "find_car",
            "Find a car to rent in a city",
            {
                "pickup_city": {"type": "string", "description": "City where the car is"},
                "pickup_date": {"type": "string", "description": "First day of the rental"},
                "dropoff_date": {"type": "string", "description": "Last day of the rental"},
                "type": {"type": "string", "enum": ["Compact", "Standard", "Full-size"]},
            },
            ["pickup_city", "pickup_date", "dropoff_date"],
        ),
        function(
            "find_song",
            "Find a song",
            {"genre": {"type": "string", "enum": ["Country", "Rock", "Pop"]}, "year": TEXT},
            ["genre"],
        ),
    ),
    examples=(),
    functions={},
)


def values(*said: Entry | str) -> dict[str, object]:
    """What a conversation has come to, by parameter."""
    return {".".join(path): value for path, value in talk_of(situation(SHOP, *said)).values.items()}


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("I need it until March 5th", "target"),
        ("and return it on March 5th", "target"),
        ("from March 5th", "origin"),
        ("we pick the car up on March 5th", "origin"),
        ("checking into the old house by the lake on March 5th", "origin"),
        ("check-in is March 3rd and check-out is on March 5th", "target"),
        ("make it March 5th", ""),
        ("change it to March 5th", ""),
    ],
)
def test_words_before_a_day_tell_whether_something_ends_then(text: str, direction: str) -> None:
    *_, mention = sorted(
        (one for one in utterance_of(text).mentions if one.kind is MentionKind.DATE), key=lambda one: one.start
    )
    assert direction_of(SpokenTurn("", text), mention) == direction


@pytest.mark.parametrize(
    ("asked", "direction"),
    [("Until what day?", "target"), ("When do you pick it up?", "origin"), ("Which day?", ""), ("Until then.", "")],
)
def test_else_the_question_tells(asked: str, direction: str) -> None:
    mention = next(one for one in utterance_of("on March 5th").mentions if one.kind is MentionKind.DATE)
    assert direction_of(SpokenTurn(asked, "on March 5th"), mention) == direction


def test_the_last_day_is_no_first_one() -> None:
    said = (UserText("find a car to rent in Rome"), AgentText("Until what day do you need it?"))
    assert values(*said, "until March 5th") == {"pickup_city": "Rome", "dropoff_date": "March 5th"}


def test_a_day_is_taken_whole() -> None:
    said = (UserText("find a car to rent in Rome"), AgentText("From when?"))
    assert values(*said, "from the 13th of this month")["pickup_date"] == "13th of this month"


def test_a_listed_word_that_is_said_is_taken() -> None:
    said = (UserText("find a car to rent in Rome"), AgentText("From when?"))
    assert values(*said, "from March 5th, and a Full-size one")["type"] == "Full-size"


def test_the_word_that_opens_a_sentence_names_nothing() -> None:
    said = (UserText("find a car to rent"), AgentText("Where?"))
    assert values(*said, "Sounds good. In Rome").get("pickup_city") == "Rome"


FLAT: JsonObject = {
    "number_of_beds": {"type": "integer", "description": "Number of bedrooms"},
    "number_of_baths": {"type": "integer", "description": "Number of bathrooms"},
    "check_in_date": {"type": "string", "description": "First day"},
    "check_out_date": {"type": "string", "description": "Last day"},
}
FLATS = Agent(
    goal="Let flats.",
    declarations=(function("find_flat", "Find a flat to rent", FLAT, ["number_of_beds", "number_of_baths"]),),
    examples=(),
    functions={},
)
FIND_FLAT = (UserText("I need to find a flat to rent"), AgentText("How many beds and baths?"))


def flat_values(*said: Entry | str) -> dict[str, object]:
    """The same of flats."""
    return {".".join(path): value for path, value in talk_of(situation(FLATS, *said)).values.items()}


@pytest.mark.parametrize(
    ("text", "beds", "baths"),
    [
        ("three bed rooms and 2 baths", 3, 2),
        ("two beds and two baths", 2, 2),
        ("1 bathroom and four bedrooms", 4, 1),
        ("two bed, one bath please", 2, 1),
    ],
)
def test_a_number_is_of_what_stands_behind_it(text: str, beds: int, baths: int) -> None:
    assert flat_values(*FIND_FLAT, text) == {"number_of_beds": beds, "number_of_baths": baths}


def test_a_stay_begins_with_checking_in() -> None:
    said = (*FIND_FLAT, UserText("2 beds, 1 bath"), AgentText("For when?"))
    days = flat_values(*said, "check in on March 3rd and check out on March 5th")
    assert (days["check_in_date"], days["check_out_date"]) == ("March 3rd", "March 5th")


@pytest.mark.parametrize("said", ["From Graz. The date is correct.", "from Graz, and that day is right"])
def test_a_part_that_is_said_to_be_right_is_agreed_to(said: str) -> None:
    asked = ("find trains to Linz", AgentText("Where do you start? Is the date March 3rd?"), UserText(said))
    trains = {".".join(path): value for path, value in talk_of(situation(travel.agent(), *asked)).values.items()}
    assert trains == {"origin": "Graz", "destination": "Linz", "date": "March 3rd"}


@pytest.mark.parametrize("said", ["can it be earlier?", "a later one please", "later"])
def test_a_word_that_compares_is_no_value(said: str) -> None:
    asked = (UserText("find trains from Graz to Linz"), AgentText("On which day?"))
    talk = talk_of(situation(travel.agent(), *asked, said))
    assert talk.values == {("origin",): "Graz", ("destination",): "Linz"}
