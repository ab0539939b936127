"""Questions for what is missing, and what the agent can do."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.knowledge.playbook_index import build_index
from openplaybook.models.offline.language.own_sentences import ENGLISH, GERMAN
from openplaybook.models.offline.questions import offer, question_for
from openplaybook.models.offline.slots.slot_lessons import lesson_for
from openplaybook.models.offline.slots.slot_schema import slots_of
from tests.unit.models.offline.talk import Agent, Talk, function

TEXT: JsonObject = {"type": "string"}


def ask(schema: JsonObject, name: str = "x", *, again: bool = False, shown: str = "") -> str:
    lesson = lesson_for(slots_of({"type": "object", "properties": {name: schema}})[0])
    lesson.question = shown
    return question_for(lesson, ENGLISH, again=again)


@pytest.mark.parametrize(
    ("name", "description", "question"),
    [
        ("petName", "", "What is the pet name?"),
        ("X-OWNER", "", "What is the x owner?"),
        ("zip", "Zip code", "What is the zip code?"),
        ("weeks", "For how many weeks", "Please tell me: for how many weeks."),
        ("zip", "The zip code.", "What is the zip code?"),
        ("zip", "ZIP code", "What is the ZIP code?"),
        ("zip", "Zip code of the place", "Please tell me: zip code of the place."),
        ("zip", "Zip code, five digits", "Please tell me: zip code, five digits."),
        ("zip", "  ", "What is the zip?"),
    ],
)
def test_a_question_is_made_of_the_description_or_the_name(name: str, description: str, question: str) -> None:
    assert ask({**TEXT, "description": description}, name) == question


def test_the_question_of_an_example_is_preferred() -> None:
    assert ask({**TEXT, "description": "Zip code"}, shown="Where do you live?") == "Where do you live?"


@pytest.mark.parametrize(
    ("options", "shown", "question"),
    [
        (["red", "green"], "", "What is the x? You can choose from red and green."),
        (["red"], "", "What is the x? You can choose from red."),
        ([1, 2, 3], "", "What is the x? You can choose from 1, 2 and 3."),
        (["red", "green"], "Is it red or green?", "Is it red or green?"),
        (["red", "green"], "Is it red?", "Is it red? You can choose from red and green."),
        ([f"o{number}" for number in range(9)], "", "What is the x?"),
    ],
)
def test_few_choices_are_named_unless_the_question_names_them(options: list[object], shown: str, question: str) -> None:
    assert ask({"enum": options}, shown=shown) == question


def test_a_question_that_is_asked_again_says_so() -> None:
    assert ask(TEXT, again=True) == "Sorry, I can't use that answer. What is the x?"


def can_help(*declarations: Declaration, goal: str = "", german: bool = False) -> str:
    index = build_index(Talk(Agent(goal, declarations, (), {})).turn())
    return offer(index, goal, GERMAN if german else ENGLISH)


def other(kind: DeclarationKind, name: str, description: str) -> Declaration:
    return Declaration(name, description, {}, None, kind, reference="Book trips")


def test_what_can_be_done_comes_from_the_descriptions() -> None:
    declarations = [
        function("a", "Get a pet. By its number.", {}),
        function("b", "List pets\nAll of them", {}),
        function("c", "SQL queries", {}),
        function("findStore", "", {}),
        other(DeclarationKind.PLAYBOOK, "go", ""),
        other(DeclarationKind.END, "end", "Leave"),
    ]
    assert can_help(*declarations) == (
        "I can help with the following: get a pet, list pets, SQL queries, find store and book trips."
    )


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("Returns a pet by its number.", "return a pet by its number"),
        ("Searches the catalogue", "search the catalogue"),
        ("Lists of pets", "lists of pets"),
        ("Rules of the house", "rules of the house"),
    ],
)
def test_a_description_in_the_third_person_becomes_an_imperative(description: str, text: str) -> None:
    assert can_help(function("a", description, {})) == f"I can help with the following: {text}."


def test_descriptions_with_commas_are_told_apart_by_semicolons() -> None:
    told = can_help(function("a", "Sets name, age and city", {}), function("b", "Get a pet", {}))
    assert told == "I can help with the following: set name, age and city; and get a pet."
    more = can_help(*(function(name, f"Do {name}, then rest", {}) for name in "abc"))
    assert more == "I can help with the following: do a, then rest; do b, then rest; and do c, then rest."


def test_what_is_said_twice_is_told_once_and_a_long_list_is_cut() -> None:
    declarations = [function(f"f{number}", f"Do thing {number // 2}", {}) for number in range(40)]
    assert can_help(*declarations).count("thing") == 8


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("Help people with pets.", "I can help with the following: help people with pets."),
        ("", "Sorry, I did not understand that."),
        ("Default goal.", "Sorry, I did not understand that."),
    ],
)
def test_without_functions_the_goal_is_told(goal: str, text: str) -> None:
    assert can_help(goal=goal) == text


def test_german_nouns_keep_their_capitals() -> None:
    text = can_help(function("a", "Liegeplätze eines Hafens", {}), german=True)
    assert text == "Dabei kann ich helfen: Liegeplätze eines Hafens."
