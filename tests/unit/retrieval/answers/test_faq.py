"""FAQ entries that override the answer."""

import pytest

from openplaybook.retrieval.answers.faq import matching_entry, normalised
from openplaybook.retrieval.base import SearchHit


def entry(question: str, answer: str = "") -> SearchHit:
    return SearchHit(question, 0, 1.0, question, "", answer or f"Answer to {question}", question=question)


ENTRIES = (
    entry("How can I return an item?"),
    entry("How long does shipping take?"),
    entry("What does plan 1 cost?"),
    entry("When are you open?"),
)


@pytest.mark.parametrize(
    ("query", "position"),
    [
        ("how can i RETURN an item", 0),
        ("When are you open ?!", 3),
        ("How can I return items?", 0),
        ("What does plan 1 cost?", 2),
    ],
)
def test_the_same_question_matches(query: str, position: int) -> None:
    match = matching_entry(query, ENTRIES, "en")
    assert match is not None
    assert match.position == position


@pytest.mark.parametrize(
    "query",
    ["What does plan 2 cost?", "Why are you open?", "How long is the guarantee?", "Where is my item?", "", "?"],
)
def test_another_question_does_not_match(query: str) -> None:
    assert matching_entry(query, ENTRIES, "en") is None


def test_two_entries_that_are_as_near_match_neither() -> None:
    near = (entry("How do I reset my phone password?"), entry("How do I reset my email password?"))
    assert matching_entry("How do I reset my password?", near, "en") is None


def test_two_entries_with_one_answer_match() -> None:
    near = (entry("How do I reset my old password?", "So."), entry("How do I reset my new password?", "So."))
    assert matching_entry("How do I reset my password?", near, "en") is not None


def test_what_is_no_entry_never_matches() -> None:
    assert matching_entry("Shipping", (SearchHit("1", 0, 1.0, "Shipping", "", "Shipping"),), "en") is None


def test_signs_and_capitals_do_not_make_another_question() -> None:
    assert normalised("  ＷＨＥＮ — are you, open? ") == "when are you open"
