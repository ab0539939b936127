"""Numbers in digits and in the words of four languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.number_spans import find_numbers, number_word, worded_number


def found(text: str) -> list[tuple[object, str]]:
    return [(span.value, span.text) for span in find_numbers(read(text))]


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("pet 7", 7, "7"),
        ("007", 7, "007"),
        ("-3", -3, "-3"),
        ("−3 degrees", -3, "−3"),
        ("#42", 42, "#42"),
        ("$3.50", 3.5, "$3.50"),
        ("€5", 5, "€5"),
        ("5€", 5, "5"),
        ("50%", 50, "50"),
        ("1,234", 1234, "1,234"),
        ("1,234,567.89", 1234567.89, "1,234,567.89"),
        ("0.5", 0.5, "0.5"),
        ("number 5.", 5, "5"),
        ("5, please", 5, "5"),
        ("(5)", 5, "5"),
        ("123456789012345", 123456789012345, "123456789012345"),
        ("٣", 3, "٣"),
    ],
)
def test_digits_are_read_with_what_belongs_to_them(text: str, value: float, words: str) -> None:
    assert found(text) == [(value, words)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1.2.3",
            "10:30",
            "3/4",
            "a5",
            "5a",
            "x-5",
            "9" * 101,
            "3,5",
            "2027-01-01",
            "1,23",
            "½",
            "²",
            ".5",
            "",
        )
    ],
)
def test_digits_inside_something_else_are_no_number(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("zero", 0),
        ("twelve", 12),
        ("nineteen", 19),
        ("Twenty", 20),
        ("twenty five", 25),
        ("twenty-five", 25),
        ("ninety nine", 99),
        ("two hundred", 200),
        ("two hundred five", 205),
        ("three thousand five hundred", 3500),
        ("two hundred thousand", 200_000),
        ("two million three hundred thousand twelve", 2_300_012),
        ("two dozen", 24),
        ("zwölf", 12),
        ("fünf", 5),
        ("siete", 7),
        ("quatre", 4),
        ("douze", 12),
    ],
)
def test_number_words_are_added_up(text: str, value: int) -> None:
    assert found(text) == [(value, text)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("two three", [2, 3]),
        ("two, three", [2, 3]),
        ("five twenty", [5, 20]),
        ("twenty thirty", [20, 30]),
        ("ten five", [10, 5]),
        ("one zero one one five", [1, 0, 1, 1, 5]),
        ("five-six", [5, 6]),
    ],
)
def test_numbers_that_stand_beside_each_other_are_not_added(text: str, numbers: list[int]) -> None:
    assert [value for value, _ in found(text)] == numbers


@pytest.mark.parametrize("text", ["hundred", "a thousand", "dozen", "someone", "tension", "onceover"])
def test_a_scale_alone_and_words_that_begin_like_numbers_are_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "is_weak"), [("one", True), ("One", True), ("uno", True), ("once", True), ("two", False), ("1", False)]
)
def test_only_a_word_that_is_mostly_something_else_is_weak(text: str, is_weak: bool) -> None:
    assert [span.is_weak for span in find_numbers(read(text))] == [is_weak]


def test_a_number_word_has_its_value_alone() -> None:
    assert worded_number(["two", "hundred", "five"]) == 205
    assert worded_number([]) == 0


@pytest.mark.parametrize(
    ("value", "word"), [(0, "zero"), (1, "one"), (5, "five"), (12, "twelve"), (13, ""), (-1, ""), (100, "")]
)
def test_small_numbers_have_an_english_word(value: int, word: str) -> None:
    assert number_word(value) == word


@given(st.integers(0, 10**15 - 1))
def test_any_whole_number_is_read_back_plain_and_grouped(value: int) -> None:
    assert [number for number, _ in found(f"a {value} b")] == [value]
    assert [number for number, _ in found(f"a {value:,} b")] == [value]


@given(st.integers(0, 10**9), st.integers(0, 999))
def test_a_fraction_is_read_as_a_float(whole: int, part: int) -> None:
    text = f"{whole}.{part:03}"
    assert found(f"-{text}") == [(-float(text), f"-{text}")]


@given(st.integers(0, 12))
def test_a_number_word_is_read_back(value: int) -> None:
    assert [number for number, _ in found(number_word(value))] == [value]


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("please order 12 coffee mugs", "amount"),
        ("I want to book 2 rooms", "amount"),
        ("show my order 12 details", "count"),
        ("order 12 please", ""),
        ("cancel order 12 and order 13", ""),
    ],
)
def test_a_number_between_such_a_verb_and_a_plural_counts_things(text: str, measure: str) -> None:
    assert next(iter(find_numbers(read(text)))).measure == measure
