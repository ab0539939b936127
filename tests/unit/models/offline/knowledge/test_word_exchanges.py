"""What examples show of words that call nothing, and of how their agents open."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ExampleDialogue
from openplaybook.models.offline.knowledge.answer_templates import Hole
from openplaybook.models.offline.knowledge.episodes import episodes_of
from openplaybook.models.offline.knowledge.word_exchanges import (
    ShownAnswer,
    WordExchange,
    learn_exchange,
    learn_shown_answer,
    opening_of,
)
from openplaybook.models.offline.language.local_tables import ENGLISH_FORMS
from tests.unit.models.offline.talk import example

LOOKED_UP: tuple[str, JsonObject, JsonObject] = ("find", {"id": 4}, {"200": {"due": "2026-03-02", "rate": 1500}})


def learned(shown: ExampleDialogue) -> list[WordExchange | None]:
    return [learn_exchange(each, frozenset(), ENGLISH_FORMS) for each in episodes_of(shown) if not each.steps]


def said(*entries: str) -> WordExchange | None:
    (exchange,) = learned(example("Talk", *entries))
    return exchange


def test_an_exchange_of_words_is_learned_with_its_kind() -> None:
    exchange = said("U: Hi!", "A: Hello.", "A: What now?")
    assert exchange is not None
    assert (exchange.kind, exchange.parts, exchange.example) == ("greeting", ("Hello.\nWhat now?",), "Talk")


@pytest.mark.parametrize("entries", [("U: Hi!",), ("A: Welcome.",)])
def test_an_exchange_with_a_silent_side_teaches_nothing(entries: tuple[str, ...]) -> None:
    assert said(*entries) is None


def test_an_exchange_knows_the_sentence_that_it_replies_to() -> None:
    first, second = learned(example("Talk", "U: Hi!", "A: Hello. Are you new?", "U: yes", "A: Welcome then."))
    assert first is not None
    assert second is not None
    assert (first.after, second.after, second.needs_context) == ("", "are you new", True)


def test_a_reply_that_tells_of_an_earlier_result_has_places_for_its_values() -> None:
    shown = example("Rates", "U: find 4", LOOKED_UP, "A: Found.", "U: when is it due?", "A: It is due on 2026-03-02.")
    (exchange,) = learned(shown)
    assert exchange is not None
    assert exchange.parts == ("It is due on ", Hole("result", ("due",)), ".")
    assert exchange.source == "find"


def test_a_reply_that_tells_values_as_they_are_knows_which() -> None:
    history: JsonObject = {"paid": [{"sum": 800}], "due": [{"sum": 20}]}
    called = ("find", {"id": 4}, history)
    shown = example("Charges", "U: find 4", called, "A: Found.", "U: the one in Lima?", "A: 800 in Lima, 20 there.")
    (exchange,) = learned(shown)
    assert exchange is not None
    assert (exchange.source, exchange.own) == ("", ("800", "20", "Lima"))


def test_a_yes_that_leads_to_a_call_is_kept_with_the_question() -> None:
    (episode,) = episodes_of(
        example("Book", "A: Good day. Shall we begin?", "U: yes", ("begin", {}, {"state": "OK"}), "A: Done.")
    )
    assert learn_shown_answer(episode) == ShownAnswer("shall we begin", "yes", "begin", frozenset())


@pytest.mark.parametrize("entries", [("U: begin", LOOKED_UP), ("A: Which one?", "U: 4", LOOKED_UP)])
def test_other_words_that_lead_to_a_call_are_no_such_answer(entries: tuple[str, ...]) -> None:
    assert [learn_shown_answer(each) for each in episodes_of(example("Find", *entries))] == [None]


def test_the_opening_of_most_examples_is_taken() -> None:
    often, once = ("A: Welcome to Ferns.", "U: hi"), ("A: Hello.", "U: hi")
    examples = [example("1", *once), example("2", *often), example("3", *often), example("4", "U: hi", "A: Hey.")]
    assert opening_of(examples) == "Welcome to Ferns."
    assert opening_of([examples[3]]) == ""


def test_an_opening_with_a_value_of_the_examples_own_is_none_for_others() -> None:
    own = replace(example("1", "A: Hello Maria!", "U: hi"), inputs={"name": "Maria"})
    assert opening_of([own]) == ""
