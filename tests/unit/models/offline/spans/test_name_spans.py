"""Runs of capitalised words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.name_spans import find_names


def names(text: str) -> list[tuple[str, bool]]:
    return [(span.text, span.is_weak) for span in find_names(read(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("add a dog named Rex", ["Rex"]),
        ("a dog named Rex owned by Kim Lee", ["Rex", "Kim Lee"]),
        ("ask J. Smith", ["J. Smith"]),
        ("ask Jean-Luc", ["Jean-Luc"]),
        ("call O'Brien", ["O'Brien"]),
        ("it's Maria's dog", ["Maria"]),
        ("it is Maria’s", ["Maria"]),
        ("from New York to San José", ["New York", "San José"]),
        ("meet Ümit in Ávila", ["Ümit", "Ávila"]),
        ("fly to SFO", ["SFO"]),
    ],
)
def test_a_name_is_a_run_of_capitalised_words(text: str, found: list[str]) -> None:
    assert names(text) == [(name, False) for name in found]


@pytest.mark.parametrize(
    "text", ["i live here", "I think I'm here", "show me", "Show me all", "Hello", "Thanks, Bye", "What is it", "", "3"]
)
def test_function_words_and_small_talk_are_no_names(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize("text", ["Rex is here", "Right. Rex is here", "well: Rex", "really? Rex"])
def test_a_name_at_the_beginning_of_a_sentence_is_weak(text: str) -> None:
    assert names(text)[-1] == ("Rex", True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zeige mir den Hund", [("Hund", True)]),
        ("Zeige mir alles von Karl", [("Karl", False)]),
        ("Ich suche einen Hund namens Bello", [("Hund", True), ("Bello", False)]),
    ],
)
def test_a_german_noun_is_weak_unless_a_preposition_announces_it(text: str, found: list[tuple[str, bool]]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("muéstrame los perros de Carmen", "Carmen"), ("montre les chiens de Chloé", "Chloé")],
)
def test_names_are_found_in_spanish_and_french(text: str, found: str) -> None:
    assert names(text) == [(found, False)]


@given(st.lists(st.from_regex(r"[A-Z][a-z]{4,8}x", fullmatch=True), min_size=1, max_size=3))
def test_any_capitalised_words_inside_a_sentence_are_one_name(words: list[str]) -> None:
    name = " ".join(words)
    assert names(f"it is about {name} again") == [(name, False)]
