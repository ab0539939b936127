"""Where a value of an example stands, and the words before and behind it."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import key_of, read
from openplaybook.models.offline.slots.value_contexts import (
    ENOUGH,
    ValueContext,
    ValuePlace,
    context_at,
    find_words,
    is_listing,
    place_of,
    runs,
    taught_by,
)
from openplaybook.models.offline.spans.recognition import recognise


def around(text: str, value: str) -> ValueContext:
    start = text.index(value)
    return context_at(read(text), start, start + len(value))


@pytest.mark.parametrize(
    ("text", "value", "keys"),
    [
        ("add a dog named Rex", "Rex", ("name", "dog", "$")),
        ("Rex is here", "Rex", ("^", "^", "is")),
        ("call 'Rex' now", "Rex", ("name", "^", "'")),
        ("number: 5!", "5", ("number", "^", "$")),
        ("a 5, please", "5", ("a", "^", ",")),
        ("Rex", "Rex", ("^", "^", "$")),
    ],
)
def test_a_context_is_the_keys_beside_the_value(text: str, value: str, keys: tuple[str, str, str]) -> None:
    found = around(text, value)
    assert (found.before, found.further, found.behind) == keys


@pytest.mark.parametrize(
    ("taught", "value", "text", "other", "strength"),
    [
        ("a dog named Rex", "Rex", "a dog named Tim", "Tim", 1.75),
        ("a dog named Rex", "Rex", "a cat called Tim", "Tim", 1.25),
        ("a dog named Rex", "Rex", "a cat named Tim now", "Tim", 1.0),
        ("weather in Rome", "Rome", "hotel in Oslo today", "Oslo", 0.45),
        ("weather in Rome", "Rome", "weather in Oslo today", "Oslo", 0.95),
        ("Rome is", "Rome", "what of Oslo is", "Oslo", 0.25),
        ("Rome weather", "Rome", "the Oslo weather", "Oslo", 0.6),
        ("Rome", "Rome", "Oslo", "Oslo", 0.9),
        ("a dog named Rex", "Rex", "Tim is here", "Tim", 0.0),
    ],
)
def test_the_more_of_a_context_is_repeated_the_stronger_it_is(
    taught: str, value: str, text: str, other: str, strength: float
) -> None:
    assert around(taught, value).strength(around(text, other)) == pytest.approx(strength)


def test_one_content_word_before_a_value_is_enough_and_a_function_word_is_not() -> None:
    assert around("named Rex now", "Rex").strength(around("called Tim then", "Tim")) >= ENOUGH
    assert around("for Rex now", "Rex").strength(around("for Tim then", "Tim")) < ENOUGH


def test_an_aligned_value_teaches_its_context_number_and_digits() -> None:
    taught = taught_by(read("show all dogs"), ValuePlace(9, 13, is_plural=True))
    assert (taught.context.before, taught.is_plural, taught.has_digits) == ("all", True, False)
    assert taught_by(read("order AB-1"), ValuePlace(6, 10)).has_digits


@pytest.mark.parametrize(
    ("text", "forbidden", "found"),
    [
        ("big red dog", (), ["big", "big red", "big red dog", "red", "red dog", "dog"]),
        ("the dog of Kim", (), ["dog", "Kim"]),
        ("red, dog", (), ["red", "dog"]),
        ("red dogs", ("dog",), ["red"]),
        ("the of and", (), []),
        ("", (), []),
    ],
)
def test_free_values_stand_in_runs_of_words_that_mean_nothing_else(
    text: str, forbidden: tuple[str, ...], found: list[str]
) -> None:
    places = runs(read(text), frozenset(map(key_of, forbidden)))
    assert [text[start:end] for start, end in places] == found


def test_a_run_has_no_more_words_than_wanted() -> None:
    text = "big red dog"
    assert [text[start:end] for start, end in runs(read(text), frozenset(), longest=1)] == ["big", "red", "dog"]


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        (",", True),
        (" , and ", True),
        (" or ", True),
        (" & ", True),
        (" und ", True),
        (" oder ", True),
        (" y ", True),
        (" et ", True),
        (" ou ", True),
        (" AND ", True),
        (" with ", False),
        (" and the ", False),
        (" ", False),
        ("", False),
        (";", False),
    ],
)
def test_a_list_goes_on_behind_a_comma_or_a_conjunction(between: str, expected: bool) -> None:
    assert is_listing(between) is expected


@given(st.text(max_size=50), st.integers(1, 4))
def test_a_run_begins_and_ends_with_its_words(text: str, longest: int) -> None:
    reading = read(text)
    starts, ends = {token.start for token in reading.words}, {token.end for token in reading.words}
    for start, end in runs(reading, frozenset(), longest):
        assert (start in starts, end in ends) == (True, True)
        assert 1 <= sum(start <= token.start < end for token in reading.words) <= longest


@given(st.text(max_size=30), st.data())
def test_a_context_is_as_strong_as_can_be_against_itself(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    here = context_at(read(text), start, end)
    assert 0.0 < here.strength(here) <= 2.1


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
