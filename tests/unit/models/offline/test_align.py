"""Where a value of an example stands in the words around it."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.align import find_words, place_of
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.recognition import recognise

TODAY = date(2026, 11, 20)


def place(value: JsonValue, text: str) -> tuple[str, bool] | None:
    reading = read(text)
    found = place_of(value, reading, recognise(reading, TODAY))
    return (text[found.start : found.end], found.is_plural) if found else None


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("Rex", "a dog named Rex", ("Rex", False)),
        ("rex", "a dog named REX!", ("REX", False)),
        ("New York", "fly to new york now", ("new york", False)),
        (5, "pet 5", ("5", False)),
        (5.0, "pet 5", ("5", False)),
        (5, "pet number five", ("five", False)),
        (1234, "1,234 people", ("1,234", False)),
        ("21", "number twenty-one", None),
        ("2026-11-21", "come tomorrow", ("tomorrow", False)),
        ("19:00", "at 7pm", ("7pm", False)),
        ("dog", "show me all dogs", ("dogs", True)),
        ("puppy", "any Puppies?", ("Puppies", True)),
        ("dog", "a doghouse", None),
        ("C++", "I write C++ code", ("C++", False)),
        ("a.b", "a.b", ("a.b", False)),
        (True, "yes, true", None),
        (None, "none", None),
        ("", "anything", None),
        (7, "pet 8", None),
    ],
)
def test_a_value_is_found_as_written_normalised_or_in_the_plural(
    value: JsonValue, text: str, found: tuple[str, bool] | None
) -> None:
    assert place(value, text) == found


@pytest.mark.parametrize(
    ("words", "text", "begin", "found"),
    [
        ("dog", "dog dog", 0, (0, 3)),
        ("dog", "dog dog", 1, (4, 7)),
        ("dog", "hotdog dogs", 0, None),
        ("3", "13 3", 0, (3, 4)),
        ("(x)", "a (x) b", 0, (2, 5)),
        ("", "dog", 0, None),
    ],
)
def test_words_are_found_whole_from_a_place_on(
    words: str, text: str, begin: int, found: tuple[int, int] | None
) -> None:
    assert find_words(words, text, begin) == found


@given(st.text(max_size=20), st.text(max_size=40))
def test_what_is_found_is_what_was_looked_for(words: str, text: str) -> None:
    found = find_words(words, text)
    if found is not None:
        assert text[found[0] : found[1]].casefold() == words.casefold() or not words.isascii()
