"""A yes to what another model read back otherwise than it was taken."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Effect, Entry, UserText
from openplaybook.models.offline.dialogue.read_backs import bid_in
from openplaybook.models.offline.dialogue.value_words import whole_name
from tests.unit.models.offline.situations import called
from tests.unit.models.offline.talk import Agent, function
from tests.unit.models.offline.test_read_backs import calls_after


def rented(*said: Entry | str) -> tuple[tuple[str, JsonObject], ...]:
    """The calls after a conversation about a film, which was found by a search."""
    text: JsonObject = {"type": "string"}
    stay: JsonObject = {"title": text, "number_of_copies": {"type": "integer", "description": "Number of copies"}}
    days: JsonObject = {"check_out_date": text, "check_in_date": text, "subtitles": {"type": "boolean"}}
    agent = Agent(
        goal="A shop for films.",
        declarations=(
            function("find_films", "Find films", {"genre": text}, ["genre"]),
            function("rent_film", "Rent a film", {**stay, **days}, ["title"], Effect.CHANGES),
        ),
        examples=(),
        functions={},
    )
    films: list[JsonValue] = [{"title": "The Lord of the Rings"}, {"title": "Echo in the Canyon"}]
    found = called("find_films", {"genre": "Fantasy"}, films)
    before = (UserText("find fantasy films"), *found, AgentText("There are The Lord of the Rings and another."))
    return calls_after(agent, *before, *said)


def test_a_yes_takes_the_whole_name_that_was_read_back_for_a_part_of_it() -> None:
    said = (UserText("rent The Lord for me"), AgentText("Please confirm: renting The Lord of the Rings."))
    assert rented(*said, "yes") == (("rent_film", {"title": "The Lord of the Rings"}),)


def test_a_yes_takes_another_number_that_was_read_back() -> None:
    said = (
        UserText("please rent The Lord of the Rings, 3 copies"),
        AgentText("You want 2 copies of The Lord of the Rings. Is that okay with you?"),
    )
    assert rented(*said, "yes") == (("rent_film", {"title": "The Lord of the Rings", "number_of_copies": 2}),)


@pytest.mark.parametrize(
    "agent", ["Is a pool ride okay with you?", "If there are no corrections, I can proceed.", "Does that work for you?"]
)
def test_more_words_with_which_one_asks_for_a_yes(agent: str) -> None:
    assert bid_in(agent) == agent


def test_a_yes_takes_what_is_left_out_or_added_as_it_was_read_back() -> None:
    said = (
        UserText("please rent Echo in the Canyon without subtitles"),
        AgentText("Please confirm: Echo in the Canyon, with subtitles."),
    )
    assert rented(*said, "yes") == (("rent_film", {"title": "Echo in the Canyon", "subtitles": True}),)


def test_a_yes_takes_the_days_as_they_were_read_back() -> None:
    said = (
        UserText("rent Echo in the Canyon until March 5th, from March 9th"),
        AgentText("Please confirm Echo in the Canyon: check-in on March 5th and check-out on March 9th."),
    )
    days = {"check_in_date": "March 5th", "check_out_date": "March 9th"}
    assert rented(*said, "that is correct") == (("rent_film", {"title": "Echo in the Canyon", **days}),)


TEXT: JsonObject = {"type": "string"}
TABLES = Agent(
    goal="Book tables.",
    declarations=(
        function(
            "reserve_restaurant",
            "Make a table reservation at a restaurant",
            {
                "restaurant_name": {"type": "string", "description": "Name of the restaurant"},
                "location": {"type": "string", "description": "City where the restaurant is located"},
                "time": {"type": "string", "description": "Tentative time of restaurant reservation"},
                "date": {"type": "string", "description": "Tentative date of restaurant reservation"},
            },
            ["restaurant_name", "location", "time"],
            Effect.CHANGES,
        ),
    ),
    examples=(),
    functions={},
)


def test_a_name_and_a_place_that_were_taken_for_each_other_change_places() -> None:
    said = (
        UserText("I need to make a reservation for a restaurant in Oakland for next Wednesday at 6:45 pm."),
        AgentText("Which restaurant would you like me to make a reservation for?"),
        UserText("Can you book me a table at Mario's?"),
        AgentText("Please confirm: a table at Mario's in Oakland on November 25th at 6:45 pm."),
    )
    day = {"time": "6:45 pm", "date": "next Wednesday"}
    booked = {"restaurant_name": "Mario's", "location": "Oakland", **day}
    assert calls_after(TABLES, *said, "That is correct.") == (("reserve_restaurant", booked),)


@pytest.mark.parametrize(
    ("text", "name", "whole"),
    [
        ("at Schroeder's in Graz", "Schroeder", "Schroeder's"),
        ("I like Mario's.", "Mario", "Mario's"),
        ("in Mario's car", "Mario", "Mario"),
        ("going to The Garden Restaurant", "Garden Restaurant", "The Garden Restaurant"),
        ("I know. The Garden Restaurant", "Garden Restaurant", "Garden Restaurant"),
        ("the Garden Restaurant", "Garden Restaurant", "Garden Restaurant"),
    ],
)
def test_a_name_is_taken_whole(text: str, name: str, whole: str) -> None:
    start = text.index(name)
    first, last = whole_name(text, start, start + len(name))
    assert text[first:last] == whole
