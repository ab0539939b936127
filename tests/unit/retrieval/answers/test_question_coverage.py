"""Whether passages are about what is asked."""

import pytest

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.question_coverage import LEAST_COVERAGE, question_coverage

CATS = Snippet("Cats", "An adult cat eats 200 grams of food a day. It should always have fresh water.", "")
DOGS = Snippet("Dogs", "A dog eats up to 500 grams of food a day, and needs a walk in the park.", "")
LIGHT = Snippet("Light", "In 1879 Edison showed a lamp that burned for 13 hours.", "")


def covered(query: str, *passages: Snippet, language: str = "en") -> float:
    return question_coverage(query, passages, language)


def test_a_passage_that_has_all_words_holds_the_whole_question() -> None:
    assert covered("How much food does an adult cat eat a day?", CATS) == pytest.approx(1, abs=0.3)
    assert covered("adult cat", CATS, DOGS) == 1


@pytest.mark.parametrize(
    "query",
    [
        "How much did Napoleon eat in Moscow?",
        "What water pressure breaks a submarine hull?",
        "Can a park be closed because of fireworks?",
        "Who painted the Mona Lisa?",
    ],
)
def test_one_word_in_common_is_too_little(query: str) -> None:
    assert covered(query, CATS, DOGS, LIGHT) < LEAST_COVERAGE


@pytest.mark.parametrize(
    "query", ["cats", "How much food does a dog eat?", "Edison's lamp", "How long did the lamp of 1879 burn?"]
)
def test_what_the_passages_are_about_is_held(query: str) -> None:
    assert covered(query, CATS, DOGS, LIGHT) >= LEAST_COVERAGE


def test_words_have_to_stand_in_one_passage() -> None:
    assert covered("walks of adult Edison", CATS, DOGS, LIGHT) < covered("walks of dogs", CATS, DOGS, LIGHT)


def test_a_name_that_no_passage_has_weighs_more_than_another_word() -> None:
    assert covered("adult cat Bella", CATS, DOGS) < covered("adult cat balcony", CATS, DOGS)


@pytest.mark.parametrize(("query", "passages"), [("", (CATS,)), ("cats", ())])
def test_nothing_is_held_where_nothing_is_asked_or_found(query: str, passages: tuple[Snippet, ...]) -> None:
    assert question_coverage(query, passages, "en") == 0
