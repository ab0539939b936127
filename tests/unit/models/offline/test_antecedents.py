"""Words that point back at what was spoken of."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.antecedents import Antecedents
from openplaybook.models.offline.knowledge.lesson_book import Book, open_book
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.proposals import Proposal, words_of
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.spans.recognition import recognise
from tests.unit.models.offline.talk import function

TEXT: JsonObject = {"type": "string"}
BOOK = open_book(function("getPet", "", {"petId": {"type": "integer"}, "note": TEXT}, ["petId"]))
SEEN: list[tuple[Path, JsonValue]] = [(("pet", "petId"), 7), (("id",), 9), (("name",), "Luna")]


def pointed(text: str, book: Book = BOOK, taken: tuple[Proposal, ...] = ()) -> list[tuple[str, JsonValue]]:
    reading = read(text)
    words = words_of(reading, recognise(reading, date(2026, 11, 20)), frozenset())
    return [(one.slot.name, one.value) for one in Antecedents(SEEN).proposals(book, words, taken)]


@pytest.mark.parametrize("text", ["show it", "who owns that one?", "and its owner", "what about them", "He is cute"])
def test_a_pronoun_stands_for_what_has_the_slots_name(text: str) -> None:
    assert pointed(text) == [("petId", 7)]


@pytest.mark.parametrize("text", ["show pet", "items", "", "hit"])
def test_without_a_pronoun_nothing_is_pointed_at(text: str) -> None:
    assert pointed(text) == []


def test_what_the_words_give_themselves_is_not_pointed_at() -> None:
    slot = BOOK.lessons[0].slot
    assert pointed("show it 3", taken=(Proposal(slot, 3, ((8, 9),), "span:number", 1.0),)) == []


@pytest.mark.parametrize(
    ("properties", "required", "found"),
    [
        ({"orderId": {"type": "integer"}}, ["orderId"], [("orderId", 7)]),
        ({"name": TEXT}, ["name"], [("name", "Luna")]),
        ({"name": {"type": "integer"}}, ["name"], []),
        ({"name": TEXT}, [], []),
        ({"name": {"type": "array", "items": TEXT}}, ["name"], []),
        ({"colour": TEXT}, ["colour"], []),
        ({"petId": {"type": "integer", "maximum": 8}}, ["petId"], [("petId", 7)]),
        ({"petId": {"type": "integer", "minimum": 8}}, ["petId"], [("petId", 9)]),
    ],
)
def test_only_needed_slots_take_a_thing_of_like_name_that_fits(
    properties: JsonObject, required: list[str], found: list[tuple[str, JsonValue]]
) -> None:
    assert pointed("show it", open_book(function("f", "", properties, required))) == found


def test_the_pronoun_is_the_evidence() -> None:
    reading = read("now show it")
    (found,) = Antecedents(SEEN).proposals(BOOK, words_of(reading, (), frozenset()), ())
    assert found.evidence(reading.text) == {
        "slot": "petId",
        "value": 7,
        "source": "conversation",
        "words": ["it"],
        "at": [9],
        "score": 0.5,
    }
