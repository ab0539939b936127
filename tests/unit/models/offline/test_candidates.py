"""Which function the words ask for."""

from datetime import date

import pytest

from openplaybook.models.offline.antecedents import Antecedents
from openplaybook.models.offline.candidates import Candidate, nearest_exchange, rank
from openplaybook.models.offline.knowledge.playbook_index import PlaybookIndex, build_index
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.proposals import RecognisedWords, words_of
from openplaybook.models.offline.spans.recognition import recognise
from tests.unit.models.offline.agents import orders, pets, tables
from tests.unit.models.offline.talk import Agent, Talk, example, function

NOTHING = Antecedents([])


def index_of(agent: Agent) -> PlaybookIndex:
    return build_index(Talk(agent).turn())


PETS, ORDERS, TABLES = index_of(pets.agent()), index_of(orders.agent()), index_of(tables.agent())


def words(index: PlaybookIndex, text: str) -> RecognisedWords:
    reading = read(text)
    return words_of(reading, recognise(reading, date(2026, 11, 20)), index.forbidden)


def ranked(index: PlaybookIndex, text: str) -> list[Candidate]:
    return rank(index, words(index, text), NOTHING, is_foreign=False)


@pytest.mark.parametrize(
    ("index", "text", "name"),
    [
        (PETS, "show me pet 3", "getPet"),
        (PETS, "which pets do you have", "listPets"),
        (PETS, "add a cat named Tom", "createPet"),
        (PETS, "nearest shelter to 10115", "nearest_shelter"),
        (ORDERS, "where is my order AB-7", "getOrder"),
        (ORDERS, "list shipped orders", "searchOrders"),
        (ORDERS, "cancel order AB-7", "cancelOrder"),
        (TABLES, "book a table for two", "book_table"),
        (TABLES, "opening hours", "opening_hours"),
    ],
)
def test_the_function_that_is_asked_for_comes_first(index: PlaybookIndex, text: str, name: str) -> None:
    best = ranked(index, text)[0]
    assert (best.book.name, best.has_word, best.score >= index.threshold) == (name, True, True)


@pytest.mark.parametrize("text", ["", "3", "xyzzy", "Kim Lee", "the of and", "AB-1001"])
def test_where_no_word_speaks_for_a_function_none_is_meant(text: str) -> None:
    assert [one.book.name for one in ranked(PETS, text) if one.score >= PETS.threshold] == []


def test_functions_are_ordered_by_their_score_and_those_without_any_left_out() -> None:
    found = ranked(PETS, "show me all pets of Maria")
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_words_of_changing_something_speak_against_a_function_that_changes_nothing() -> None:
    show, remove = ranked(PETS, "show pet 3")[0], ranked(PETS, "delete pet 3")
    assert show.score > PETS.threshold > max(one.score for one in remove)


def test_a_candidate_tells_what_spoke_for_it() -> None:
    assert ranked(TABLES, "opening hours")[0].evidence() == {
        "name": "opening_hours",
        "score": pytest.approx(0.85, abs=0.1),
        "example": "",
    }


def test_no_more_than_six_functions_are_looked_at_closely() -> None:
    many = Agent("", tuple(function(f"f{n}", f"Show thing number {n}", {}) for n in range(20)), (), {})
    assert len(ranked(index_of(many), "show thing")) == 6


def test_the_likest_exchange_of_words_alone_is_found() -> None:
    told = Agent("", (), (example("Pay", "U: can I pay by card?", "A: Yes, by card."),), {})
    index = index_of(told)
    score, said = nearest_exchange(index, words(index, "pay by card"))
    assert said is not None
    assert (said.parts, said.example, said.kind, score > 0.6) == (("Yes, by card.",), "Pay", "", True)
    assert nearest_exchange(index, words(index, "zebra")) == (0.0, None)
    assert nearest_exchange(TABLES, words(TABLES, "anything")) == (0.0, None)
