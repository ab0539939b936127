"""What finds a thing comes before what acts on it, and vague wishes are asked about."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, Effect, Entry, UserText
from openplaybook.models.offline.dialogue.finders import finder_of
from openplaybook.models.offline.dialogue.talk import talk_of
from openplaybook.models.offline.dialogue_requests import dialogue_request, wished_request
from openplaybook.models.offline.learned_requests import learned_request
from openplaybook.models.offline.situation import Situation
from tests.unit.models.offline.agents import travel
from tests.unit.models.offline.situations import called, gist, situation
from tests.unit.models.offline.talk import Agent, function

TEXT: JsonObject = {"type": "string"}
LAKE: JsonObject = {"type": "string", "description": "Lake or town at which the cottage is"}
COTTAGES = Agent(
    goal="Cottages and hairdressers at lakes.",
    declarations=(
        function("find_cottages", "Find cottages at a lake", {"lake": LAKE, "sauna": {"type": "boolean"}}, ["lake"]),
        function(
            "book_cottage",
            "Book a cottage at a lake",
            {
                "lake": LAKE,
                "number_of_nights": {"type": "integer", "description": "Number of nights"},
                "number_of_beds": {"type": "integer", "description": "Number of beds"},
            },
            ["lake", "number_of_nights", "number_of_beds"],
            Effect.CHANGES,
        ),
        function("find_stylist", "Find a hair stylist in a town", {"town": TEXT}, ["town"]),
        function("list_complaints", "List complaints", {}, []),
        function("file_complaint", "File a complaint", {"text": TEXT}, ["text"], Effect.CHANGES),
    ),
    examples=(),
    functions={},
)


def meant(agent: Agent, *said: Entry | str, **near: float) -> Situation:
    """A situation in which an encoder says how near the words are to some functions in meaning."""
    plain = situation(agent, *said)
    meanings = tuple(near.get(tool.name, 0.05) for tool in plain.index.learned_tools)
    texts = [each if isinstance(each, str) else each.text for each in said if isinstance(each, str | UserText)]
    return replace(plain, meanings=meanings, earlier_meanings=dict.fromkeys(texts, meanings))


@pytest.mark.parametrize(
    ("values", "finder"),
    [
        ({}, "find_cottages"),
        ({("lake",): "Bellagio"}, "find_cottages"),
        ({("lake",): "Bellagio", ("number_of_nights",): 2, ("number_of_beds",): 3}, ""),
    ],
)
def test_things_of_a_kind_are_searched_where_something_for_it_is_said_and_more_is_missing(
    values: Mapping[tuple[str, ...], str | int], finder: str
) -> None:
    assert finder_of(situation(COTTAGES, "hello"), "book_cottage", values) == finder


def test_what_only_looks_and_what_makes_something_new_need_no_search() -> None:
    said = situation(COTTAGES, "hello")
    assert finder_of(said, "find_cottages", {("lake",): "Bellagio"}) == ""
    assert finder_of(said, "file_complaint", {}) == ""


def test_what_was_searched_before_is_not_searched_first_again() -> None:
    said = situation(COTTAGES, "cottages at Bellagio", *called("find_cottages", {"lake": "Bellagio"}, []), "book one")
    assert finder_of(said, "book_cottage", {("lake",): "Bellagio"}) == ""


def test_a_first_message_that_asks_for_a_booking_is_searched_for() -> None:
    decision = learned_request(situation(COTTAGES, "please book a cottage at Bellagio"))
    assert gist(decision) == ("searched_first", "", [("find_cottages", {"lake": "Bellagio"})])


def test_so_is_one_in_a_conversation_until_the_agent_asks_for_what_only_booking_takes() -> None:
    asked = (UserText("I want to book a cottage"), AgentText("At which lake or town?"))
    decision = dialogue_request(situation(COTTAGES, *asked, "at Bellagio"))
    assert decision is not None
    assert decision.calls == (("find_cottages", {"lake": "Bellagio"}),)
    further = (*asked, UserText("at Bellagio"), AgentText("For how many nights?"))
    assert talk_of(situation(COTTAGES, *further, "two nights")).function == "book_cottage"


def test_a_wish_that_is_near_one_function_in_meaning_and_no_other_is_asked_about() -> None:
    said = meant(COTTAGES, "I would like my curls trimmed", find_stylist=0.6)
    assert gist(wished_request(said)) == ("vague_request", "What is the town?", [])


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("I would like my curls trimmed", {"find_stylist": 0.2}),
        ("I would like my curls trimmed", {"find_stylist": 0.5, "find_cottages": 0.5}),
        ("curls are nice", {"find_stylist": 0.6}),
        ("who has curls?", {"find_stylist": 0.6}),
    ],
)
def test_other_words_are_not(text: str, near: dict[str, float]) -> None:
    assert wished_request(meant(COTTAGES, text, **near)) is None


VAGUE = (UserText("I would like my curls trimmed"), AgentText("In which town?"))


def test_an_answer_belongs_to_the_function_that_an_unheard_wish_is_nearest_to() -> None:
    talk = talk_of(meant(COTTAGES, *VAGUE, "in Salzburg", find_stylist=0.6))
    assert (talk.function, talk.values) == ("find_stylist", {("town",): "Salzburg"})


def test_where_the_agent_asks_what_no_function_takes_nobody_knows_for_what() -> None:
    said = (VAGUE[0], AgentText("Which colour?"))
    assert talk_of(meant(COTTAGES, *said, "blond", find_stylist=0.6)).function == ""


def test_what_was_said_before_the_function_was_known_counts() -> None:
    said = (UserText("somewhere with a sauna, two nights"), AgentText("For what, and at which lake?"))
    talk = talk_of(situation(COTTAGES, *said, "find me a cottage at Bellagio"))
    assert talk.values == {("lake",): "Bellagio", ("sauna",): True}


@pytest.mark.parametrize("said", ["I also need the weather", "weather nearby please"])
def test_the_place_that_was_spoken_of_last_is_looked_at_next(said: str) -> None:
    found = called("find_trains", {"origin": "Graz", "destination": "Linz", "date": "Friday"}, [{"price": "20"}])
    entries = ("trains from Graz to Linz on Friday", *found, AgentText("There is one for 20."), UserText(said))
    decision = dialogue_request(situation(travel.agent(), *entries))
    assert decision is not None
    assert decision.calls == (("get_weather", {"city": "Linz"}),)


@pytest.mark.parametrize(
    ("said", "city"),
    [("what is the weather like there?", "Linz"), ("will it rain there?", "Linz"), ("sunny in Rome?", "Rome")],
)
def test_a_question_whose_place_is_pointed_at_or_said_is_answered_by_what_is_nearest(said: str, city: str) -> None:
    found = called("find_trains", {"origin": "Graz", "destination": "Linz", "date": "Friday"}, [{"price": "20"}])
    entries = (
        UserText("trains from Graz to Linz on Friday"),
        *found,
        AgentText("There is one for 20."),
        UserText(said),
    )
    decision = dialogue_request(meant(travel.agent(), *entries, get_weather=0.5))
    assert decision is not None
    assert decision.calls == (("get_weather", {"city": city}),)
    for other in ("who drives it?", "is there a dining car?"):
        far = dialogue_request(meant(travel.agent(), *entries[:-1], other, get_weather=0.1))
        assert far is None or far.calls == ()


@pytest.mark.parametrize("said", ["Do they have outdoor seating?", "Is there a beamer in that room?"])
def test_a_question_about_what_was_found_looks_for_nothing_else(said: str) -> None:
    found = called("find_rooms", {"city": "Vienna"}, [{"room_name": "Blue Hall"}, {"room_name": "Garden Studio"}])
    entries = ("meeting rooms in Vienna", *found, AgentText("How about the Blue Hall?"), UserText(said))
    decision = dialogue_request(situation(travel.agent(), *entries))
    assert decision is None or decision.calls == ()


def test_there_is_where_was_looked_though_no_name_says_that_it_is_a_place() -> None:
    boats = replace(
        travel.agent(),
        declarations=(
            *travel.agent().declarations,
            function("find_boats", "Find boats on a lake", {"lake": TEXT}, ["lake"]),
        ),
    )
    found = called("find_boats", {"lake": "Garda"}, [{"boat": "Otter", "price": "55"}])
    entries = (
        UserText("boats on Lake Garda"),
        *found,
        AgentText("There is the Otter."),
        UserText("will it rain there?"),
    )
    decision = dialogue_request(meant(boats, *entries, get_weather=0.5))
    assert decision is not None
    assert decision.calls == (("get_weather", {"city": "Garda"}),)
