"""What one decision can draw on."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, FunctionResult, ProviderReply, UserText
from openplaybook.models.offline.planner_state import Pending, PlannerState
from openplaybook.models.offline.situation import Situation
from tests.unit.models.offline.agents import pets, weather
from tests.unit.models.offline.situations import called, situation
from tests.unit.models.offline.talk import Agent, function

LUNA: JsonObject = {"id": 3, "name": "Luna"}


def test_the_latest_words_of_both_sides_are_found() -> None:
    seen = situation(pets.agent(), "hi", AgentText("Hello"), "show pets", AgentText("Which?"), "all")
    assert (seen.text, seen.agent_text) == ("all", "Which?")
    silent = situation(pets.agent())
    assert (silent.text, silent.agent_text, silent.candidates) == ("", "", [])


def test_raw_replies_of_providers_are_passed_over() -> None:
    seen = situation(pets.agent(), "hi")
    turn = replace(seen.turn, conversation=(ProviderReply("other", {}), UserText("hi")))
    assert Situation(turn, seen.index, seen.today).entries == [UserText("hi")]


def test_a_greeting_in_front_is_not_part_of_what_is_wanted() -> None:
    assert situation(pets.agent(), "hi, show me pet 3").words.reading.text == "show me pet 3"


def test_very_long_words_are_read_at_their_beginning() -> None:
    assert len(situation(pets.agent(), "show " + "x" * 5000).words.reading.text) == 1000


def test_letters_written_in_two_pieces_are_read_as_one() -> None:
    words = situation(pets.agent(), "show pets of Mu\u0308ller").words
    assert [span.value for span in words.spans] == ["Müller"]


def test_a_foreign_user_needs_less_likeness() -> None:
    own, foreign = situation(pets.agent(), "show me all"), situation(pets.agent(), "zeige mir alle")
    assert (own.is_foreign, foreign.is_foreign) == (False, True)
    assert round(own.threshold - foreign.threshold, 6) == 0.1


def test_the_results_that_wait_for_an_answer_are_those_at_the_end() -> None:
    old = called("getPet", {"petId": 1}, {"200": LUNA})
    new = called("getPet", {"petId": 2}, {"200": LUNA}, number=2)
    seen = situation(pets.agent(), "one", *old, AgentText("It is Luna."), "two", *new)
    assert seen.results == [new]
    assert situation(pets.agent(), "one", *old, AgentText("It is Luna.")).results == []
    orphan = FunctionResult("9", "gone", {})
    assert situation(pets.agent(), "one", orphan).results == [(None, orphan)]


def test_the_thing_last_spoken_of_is_one_object_of_the_latest_success() -> None:
    one = called("getPet", {}, {"200": LUNA})
    assert situation(pets.agent(), "a", *one, "b").last_thing == LUNA
    assert situation(pets.agent(), "a", *called("f", {}, {"200": [LUNA]}), "b").last_thing == LUNA
    assert situation(pets.agent(), "a", *called("f", {}, {"200": [LUNA, LUNA]}), "b").last_thing == {}
    assert situation(pets.agent(), "a", *one, *called("f", {}, {"404": LUNA}, number=2), "b").last_thing == {}
    assert situation(pets.agent(), "a").last_thing == {}


def test_calls_are_counted_since_the_user_spoke() -> None:
    first, second = called("getPet", {"petId": 1}, {}), called("getPet", {"petId": 2}, {}, number=2)
    assert situation(pets.agent(), *first, "go", *second).called_since_user() == [("getPet", {"petId": 2})]


def test_the_state_is_what_was_stored() -> None:
    state = PlannerState(Pending("getPet", ("petId",)), {"getPet": {}}, "listPets", {"label": ["cat"]})
    assert situation(pets.agent(), "5", state=state).state == state


def test_the_wording_is_in_the_language_of_the_agent() -> None:
    german = Agent("", (function("f", "", {}),), (), {}, language="de-CH")
    assert situation(german).wording.yes == "ja"
    assert situation(weather.agent()).wording.yes == "yes"


def test_of_long_words_the_beginning_is_looked_at_and_a_task_is_handed_on_whole() -> None:
    seen = situation(pets.agent(), AgentText("x" * 900_000), "show me pet 3 " + "a, " * 300_000)
    assert (len(seen.agent_text), len(seen.text), seen.is_cut) == (2_000, 2_000, True)
    assert len(seen.whole_text) == 900_014
