"""Dates in words, digits and three or four languages, counted from a Friday; times of day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.spans.date_time_spans import find_dates, find_times
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

TODAY = date(2026, 11, 20)
"""A Friday."""


def spans(text: str, today: date = TODAY) -> list[Span]:
    return list(find_dates(read(text), today))


def values(text: str, today: date = TODAY) -> list[object]:
    return [span.value for span in spans(text, today)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2027-02-03", "2027-02-03"),
        ("2027-2-3", "2027-02-03"),
        ("2/3/2027", "2027-02-03"),
        ("02/03/27", "2027-02-03"),
        ("31/12/2026", "2026-12-31"),
        ("31/12", "2026-12-31"),
        ("3.2.2027", "2027-02-03"),
        ("3.2.27", "2027-02-03"),
        ("3.2.", "2027-02-03"),
        ("February 3, 2027", "2027-02-03"),
        ("feb 3rd 2027", "2027-02-03"),
        ("Feb. the 3rd, 2027", "2027-02-03"),
        ("the 3rd of february 2027", "2027-02-03"),
        ("3 February 2027", "2027-02-03"),
        ("3. Februar 2027", "2027-02-03"),
        ("3. Feb. 2027", "2027-02-03"),
        ("21st December", "2026-12-21"),
        ("22nd of December", "2026-12-22"),
        ("Okt 5", "2027-10-05"),
    ],
)
def test_a_calendar_day_is_read_however_it_is_written(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the 4th of this month", "2026-11-04"),
        ("3rd of next month", "2026-12-03"),
        ("am 4. dieses Monats", "2026-11-04"),
        ("el 4 de este mes", "2026-11-04"),
        ("le 5 du mois prochain", "2026-12-05"),
        ("on the 1st at 5 pm", "2026-12-01"),
        ("on the 25th", "2026-11-25"),
    ],
)
def test_a_day_of_a_month_that_is_not_named_is_counted_from_today(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize("text", ["on 5th street", "the 3rd one", "32 of this month"])
def test_other_numbers_are_no_days(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("today", "2026-11-20"),
        ("tonight", "2026-11-20"),
        ("tomorrow", "2026-11-21"),
        ("Tomorrow", "2026-11-21"),
        ("yesterday", "2026-11-19"),
        ("the day after tomorrow", "2026-11-22"),
        ("heute", "2026-11-20"),
        ("morgen", "2026-11-21"),
        ("übermorgen", "2026-11-22"),
        ("gestern", "2026-11-19"),
        ("hoy", "2026-11-20"),
        ("mañana", "2026-11-21"),
        ("ayer", "2026-11-19"),
        ("aujourd'hui", "2026-11-20"),
        ("demain", "2026-11-21"),
        ("hier", "2026-11-19"),
    ],
)
def test_a_word_counts_from_today(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in 1 day", "2026-11-21"),
        ("in 10 days", "2026-11-30"),
        ("in 1 week", "2026-11-27"),
        ("in 2 weeks", "2026-12-04"),
        ("in 3 Tagen", "2026-11-23"),
        ("in 2 Wochen", "2026-12-04"),
        ("1 day ago", "2026-11-19"),
        ("10 days ago", "2026-11-10"),
        ("2 weeks ago", "2026-11-06"),
        ("vor 3 Tagen", "2026-11-17"),
        ("vor 2 Wochen", "2026-11-06"),
    ],
)
def test_days_and_weeks_are_counted_in_both_directions(text: str, value: str) -> None:
    assert [(span.value, span.text) for span in spans(text)] == [(value, text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("saturday", "2026-11-21"),
        ("Sunday", "2026-11-22"),
        ("on Monday", "2026-11-23"),
        ("tuesday", "2026-11-24"),
        ("next wednesday", "2026-11-25"),
        ("this thursday", "2026-11-26"),
        ("friday", "2026-11-27"),
        ("Montag", "2026-11-23"),
        ("nächsten Dienstag", "2026-11-24"),
        ("diesen Mittwoch", "2026-11-25"),
        ("am Sonntag", "2026-11-22"),
        ("last friday", "2026-11-13"),
        ("last saturday", "2026-11-14"),
        ("last Thursday", "2026-11-19"),
        ("past monday", "2026-11-16"),
        ("letzten Montag", "2026-11-16"),
        ("vergangenen Freitag", "2026-11-13"),
    ],
)
def test_a_weekday_is_the_next_or_the_last_and_never_today(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value", "past"),
    [
        ("March 3rd", "2027-03-03", "2026-03-03"),
        ("December 24", "2026-12-24", "2025-12-24"),
        ("November 20", "2026-11-20", "2025-11-20"),
        ("12/24", "2026-12-24", "2025-12-24"),
        ("1.5.", "2027-05-01", "2026-05-01"),
        ("monday", "2026-11-23", "2026-11-16"),
        ("March 3rd 2025", "2025-03-03", None),
        ("2025-03-03", "2025-03-03", None),
        ("tomorrow", "2026-11-21", None),
        ("in 3 days", "2026-11-23", None),
    ],
)
def test_a_day_that_is_left_open_has_a_past_one_too(text: str, value: str, past: str | None) -> None:
    assert [(span.value, span.past) for span in spans(text)] == [(value, past)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("since March 3rd", "2026-03-03"),
        ("orders since the 3rd of march", "2026-03-03"),
        ("since monday", "2026-11-16"),
        ("seit Montag", "2026-11-16"),
        ("seit dem 3. März", "2026-03-03"),
        ("last December 24", "2025-12-24"),
        ("since December 24 2026", "2026-12-24"),
        ("since yesterday", "2026-11-19"),
    ],
)
def test_words_of_the_past_before_a_day_make_it_a_past_one(text: str, value: str) -> None:
    assert [(span.value, span.past) for span in spans(text)] == [(value, None)]


@pytest.mark.parametrize(
    "text",
    [
        "2027-02-30",
        "2027-13-01",
        "0000-01-01",
        "31.6.2027",
        "13/32/2027",
        "13/13",
        "2/30",
        "February 30",
        "1.2.3",
        "v1.2.2027",
        "1/2/3/4",
        "may",
        "the third of may",
        "todayish",
        "in some days",
        "days ago",
        "",
    ],
)
def test_what_is_no_day_of_the_calendar_is_no_date(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("today", "value", "past"),
    [
        (date(2027, 3, 1), "2028-02-29", None),
        (date(2028, 2, 29), "2028-02-29", None),
        (date(2028, 3, 1), None, None),
    ],
)
def test_the_29th_of_february_is_taken_in_a_year_that_has_it(today: date, value: str | None, past: str | None) -> None:
    found = [(span.value, span.past) for span in spans("February 29", today)]
    assert found == ([] if value is None else [(value, past)])


@pytest.mark.parametrize(("today", "text"), [(date.max, "tomorrow"), (date.min, "yesterday"), (date.max, "in 9 weeks")])
def test_a_day_beyond_the_calendar_is_none(today: date, text: str) -> None:
    assert values(text, today) == []


@pytest.mark.parametrize(
    ("text", "value"), [("Frıday", "2026-11-27"), ("FRİDAY", "2026-11-27"), ("3 Aprıl 2027", "2027-04-03")]
)
def test_letters_of_a_turkish_keyboard_do_no_harm(text: str, value: str) -> None:
    assert [(span.value, span.text) for span in spans(text)] == [(value, text)]


def test_several_dates_are_found_and_none_twice() -> None:
    found = spans("from March 3rd 2027 to 2027-04-01, or tomorrow")
    assert [(span.value, span.text) for span in found] == [
        ("2027-04-01", "2027-04-01"),
        ("2027-03-03", "March 3rd 2027"),
        ("2026-11-21", "tomorrow"),
    ]


DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(DAYS, DAYS)
def test_any_day_is_read_back_from_its_iso_form_whatever_today_is(day: date, today: date) -> None:
    assert values(f"on {day.isoformat()}.", today) == [day.isoformat()]


@given(DAYS, DAYS)
def test_a_day_without_a_year_is_the_next_one_and_its_past_the_one_before(day: date, today: date) -> None:
    found = spans(f"{day:%B} {day.day}", today)
    for span in found:
        assert date.fromisoformat(str(span.value)) >= today
        assert (str(span.value)[5:], span.past is None or str(span.past) < today.isoformat()) == (f"{day:%m-%d}", True)
    assert len(found) == 1 or (day.month, day.day) == (2, 29)


@given(st.integers(0, 999), DAYS)
def test_days_ahead_and_days_ago_are_the_same_distance(count: int, today: date) -> None:
    expected = [(today + timedelta(days=count)).isoformat(), (today - timedelta(days=count)).isoformat()]
    assert [*values(f"in {count} days", today), *values(f"{count} days ago", today)] == expected


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


@pytest.mark.parametrize("text", ["no, until the 5th", "by the 5th please", "from the 5th", "to the 5th"])
def test_a_day_by_its_number_behind_a_word_of_time_is_the_next_one(text: str) -> None:
    (span,) = find_dates(read(text), date(2026, 11, 20))
    assert span.value == "2026-12-05"


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
