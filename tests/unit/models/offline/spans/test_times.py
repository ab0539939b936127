"""Times of day as hours and minutes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.times import find_times
from openplaybook.models.offline.spans.typed_span import SpanKind


def found(text: str) -> list[tuple[object, str]]:
    return [(span.value, span.text) for span in find_times(read(text))]


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("at 7pm", "19:00", "7pm"),
        ("at 7 pm.", "19:00", "7 pm"),
        ("7 p.m. sharp", "19:00", "7 p.m."),
        ("7:05am", "07:05", "7:05am"),
        ("12am", "00:00", "12am"),
        ("12pm", "12:00", "12pm"),
        ("12:30 PM", "12:30", "12:30 PM"),
        ("1 A.M.", "01:00", "1 A.M."),
        ("00:00", "00:00", "00:00"),
        ("23:59", "23:59", "23:59"),
        ("9:30", "09:30", "9:30"),
        ("19:30 Uhr", "19:30", "19:30 Uhr"),
        ("um 19 Uhr", "19:00", "19 Uhr"),
        ("8 o'clock", "08:00", "8 o'clock"),
        ("à 14h", "14:00", "14h"),
        ("at noon", "12:00", "noon"),
        ("midday", "12:00", "midday"),
        ("Mittag", "12:00", "Mittag"),
        ("at midnight", "00:00", "midnight"),
        ("Mitternacht", "00:00", "Mitternacht"),
        ("at mıdday", "12:00", "mıdday"),
    ],
)
def test_a_clock_time_is_read_in_hours_and_minutes(text: str, value: str, words: str) -> None:
    assert found(text) == [(value, words)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "13pm",
            "0am",
            "24:00",
            "7:60",
            "25 Uhr",
            "7",
            "seven",
            "7:5",
            "1:23:45",
            "12.30",
            "noonish",
            "7 pmx",
            "",
            "pm",
        )
    ],
)
def test_what_no_clock_shows_is_no_time(text: str) -> None:
    assert found(text) == []


def test_several_times_are_found_in_order() -> None:
    assert found("between 9:00 and 5pm") == [("09:00", "9:00"), ("17:00", "5pm")]


@given(st.integers(0, 23), st.integers(0, 59))
def test_any_time_of_the_clock_is_read_back(hour: int, minute: int) -> None:
    text = f"{hour:02}:{minute:02}"
    assert found(f"at {text}, please") == [(text, text)]


@given(st.integers(1, 12), st.integers(0, 59), st.sampled_from(["am", "pm", " AM", " p.m."]))
def test_any_half_of_the_day_gives_a_time_of_that_half(hour: int, minute: int, half: str) -> None:
    (span,) = find_times(read(f"{hour}:{minute:02}{half}"))
    hours, minutes = map(int, str(span.value).split(":"))
    assert (hours % 12, minutes, hours >= 12) == (hour % 12, minute, "p" in half.lower())
    assert span.kind is SpanKind.TIME
