from datetime import date

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

TODAY = date(2026, 11, 20)
"""A Friday."""


def found(text: str) -> list[tuple[str, JsonValue]]:
    return [(span.kind.value, span.value) for span in recognise(read(text), TODAY)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("number 5?", 5),
        ("#42", 42),
        ("-3 degrees", -3),
        ("2,500.50", 2500.5),
        ("1,000,000", 1000000),
        ("twenty-five", 25),
        ("two hundred and", 200),
        ("three thousand five hundred", 3500),
        ("a dozen", None),
        ("two dozen", 24),
        ("zwölf", 12),
    ],
)
def test_numbers_are_read_in_digits_and_words(text: str, value: JsonValue) -> None:
    assert [kind_value[1] for kind_value in found(text)] == ([] if value is None else [value])


def test_a_number_too_long_for_a_number_is_none() -> None:
    assert found("9" * 101) == []


def test_one_is_weak_since_it_is_mostly_a_pronoun() -> None:
    assert [span.is_weak for span in recognise(read("show me that one"), TODAY)] == [True]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2027-02-03", "2027-02-03"),
        ("3/14/27", "2027-03-14"),
        ("12/24", "2026-12-24"),
        ("1/5", "2027-01-05"),
        ("24.12.2026", "2026-12-24"),
        ("24.12.", "2026-12-24"),
        ("March 3rd", "2027-03-03"),
        ("Dec. 1, 2026", "2026-12-01"),
        ("the 3rd of march 2027", "2027-03-03"),
        ("3. März 2027", "2027-03-03"),
        ("today", "2026-11-20"),
        ("the day after tomorrow", "2026-11-22"),
        ("morgen", "2026-11-21"),
        ("yesterday", "2026-11-19"),
        ("next friday", "2026-11-27"),
        ("on Saturday", "2026-11-21"),
        ("in 3 days", "2026-11-23"),
        ("in 2 weeks", "2026-12-04"),
    ],
)
def test_dates_become_iso_text(text: str, value: str) -> None:
    assert found(text) == [("date", value)]


@pytest.mark.parametrize("text", ["2027-02-30", "31.6.2027"])
def test_a_day_that_does_not_exist_is_no_date(text: str) -> None:
    assert [kind for kind, _ in found(text) if kind == "date"] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7pm", "19:00"),
        ("7:30 p.m.", "19:30"),
        ("12 am", "00:00"),
        ("19:05", "19:05"),
        ("19 Uhr", "19:00"),
        ("8 o'clock", "08:00"),
        ("noon", "12:00"),
        ("midnight", "00:00"),
    ],
)
def test_times_become_hours_and_minutes(text: str, value: str) -> None:
    assert found(text) == [("time", value)]


@pytest.mark.parametrize("text", ["13pm", "25:00", "19:61"])
def test_an_hour_that_does_not_exist_is_no_time(text: str) -> None:
    assert [kind for kind, _ in found(text) if kind == "time"] == []


def test_marked_values_are_told_by_their_spelling() -> None:
    assert found("write to a.b@example.org") == [("email", "a.b@example.org")]
    assert found("see https://example.org/a?b=1.") == [("url", "https://example.org/a?b=1")]
    assert found("call +49 30 1234567") == [("phone", "+49 30 1234567")]
    assert found("order AB-1234 and x9") == [("code", "AB-1234"), ("code", "x9")]
    assert found("find 'lost keys' or \"a 5\"") == [("quoted", "lost keys"), ("quoted", "a 5")]
    assert found("the 3rd of 5km") == []


def test_names_are_runs_of_capitalised_words() -> None:
    assert found("add a dog named Rex owned by Kim Lee") == [("name", "Rex"), ("name", "Kim Lee")]
    assert found("is J. Smith or O'Brien here, I'd ask") == [("name", "J. Smith"), ("name", "O'Brien")]
    assert found("from New York to Los Angeles") == [("name", "New York"), ("name", "Los Angeles")]
    assert found("Maria's dog") == [("name", "Maria")]


def test_a_noun_of_a_language_that_capitalises_nouns_is_weak_but_a_name_behind_a_preposition_is_not() -> None:
    spans = recognise(read("Füge einen Hund namens Rex von Kim hinzu"), TODAY)
    assert [(span.value, span.is_weak) for span in spans] == [("Hund", True), ("Rex", False), ("Kim", False)]


def test_a_span_knows_what_it_overlaps() -> None:
    span = Span(3, 6, SpanKind.NAME, "Rex", "Rex")
    assert (span.overlaps(5, 9), span.overlaps(6, 9), span.overlaps(0, 3)) == (True, False, False)
