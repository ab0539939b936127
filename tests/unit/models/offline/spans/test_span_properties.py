"""What holds for every recogniser and any words."""

import re
from collections.abc import Callable, Iterable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.models.offline.language.tokenizer import Reading, read
from openplaybook.models.offline.spans.date_time_spans import find_dates, find_times
from openplaybook.models.offline.spans.marked_spans import find_marked, find_names
from openplaybook.models.offline.spans.number_spans import find_numbers
from openplaybook.models.offline.spans.recognition import cuts, recognise
from openplaybook.models.offline.spans.typed_span import Span, SpanKind, plain_i

TODAY = date(2026, 11, 20)
PIECES = re.findall(
    r"\S+",
    """3 -4 5.5 twenty-five two hundred March 3rd 2027 24.12. 1/5 next friday last Monday tomorrow in days ago vor Tagen
    7pm 19:05 Uhr noon a@b.org https://x.org/y +49 30 1234567 AB-1001 x9 "two words" 'one' “q” Kim Lee O'Brien's J.
    Smith Hund von dem the of and since ı İ ſ K ß é ² ٣ ½ - . , : / ' " ( ) # $ \u0301""",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(max_size=60)
DAYS = st.dates()
RECOGNISERS: list[Callable[[Reading, date], Iterable[Span]]] = [
    find_dates,
    lambda reading, _: find_times(reading),
    lambda reading, _: find_marked(reading),
    lambda reading, _: find_numbers(reading),
    lambda reading, _: find_names(reading),
    recognise,
]


def is_of_its_kind(span: Span) -> bool:
    """Whether the value has the type that its kind promises."""
    match span.kind:
        case SpanKind.NUMBER:
            return isinstance(span.value, int | float) and not isinstance(span.value, bool)
        case SpanKind.DATE:
            return date.fromisoformat(str(span.value)).isoformat() == span.value
        case SpanKind.TIME:
            hour, minute = map(int, str(span.value).split(":"))
            return f"{hour:02}:{minute:02}" == span.value and hour < 24 and minute < 60
        case _:
            return span.value == span.text != ""


@settings(deadline=None)
@given(TEXTS, DAYS, st.sampled_from(RECOGNISERS))
def test_a_span_lies_in_the_text_and_says_what_it_covers(
    text: str, today: date, recogniser: Callable[[Reading, date], Iterable[Span]]
) -> None:
    for span in recogniser(read(text), today):
        assert 0 <= span.start < span.end <= len(text)
        covered = text[span.start : span.end]
        assert span.text == (covered[1:-1] if span.kind is SpanKind.QUOTED else covered)


@settings(deadline=None)
@given(TEXTS, DAYS)
def test_a_value_is_of_the_type_its_kind_promises(text: str, today: date) -> None:
    assert [span for span in recognise(read(text), today) if not is_of_its_kind(span)] == []


@settings(deadline=None)
@given(TEXTS, DAYS)
def test_the_same_words_give_the_same_spans_in_order(text: str, today: date) -> None:
    spans = recognise(read(text), today)
    read.cache_clear()
    assert recognise(read(text), today) == spans
    assert [span.start for span in spans] == sorted(span.start for span in spans)


@settings(deadline=None)
@given(TEXTS, DAYS)
def test_only_a_name_holds_other_spans_and_no_place_is_read_twice(text: str, today: date) -> None:
    spans = recognise(read(text), today)
    places = [(span.start, span.end) for span in spans]
    assert len(set(places)) == len(places)
    for outer in spans:
        inside = [one for one in spans if one is not outer and outer.start <= one.start and one.end <= outer.end]
        assert not inside or outer.kind is SpanKind.NAME


@given(st.text(max_size=40))
def test_the_plain_i_keeps_every_offset(text: str) -> None:
    plain = plain_i(text)
    assert len(plain) == len(text)
    assert [one for one, other in zip(text, plain, strict=True) if one != other] == [
        character for character in text if character in "ıİ"
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("31/12/2026", ["date"]),
        ("2027-02-03", ["date"]),
        ("7pm", ["time"]),
        ("AB-1001", ["code"]),
        ('"Kim Lee"', ["quoted"]),
        ("see https://x.org/a1", ["url"]),
        ("to kim7@x.org", ["email"]),
        ("+49 30 1234567", ["phone"]),
        ("May 5", ["date"]),
    ],
)
def test_of_several_readings_of_the_same_words_the_definite_one_stays(text: str, kinds: list[str]) -> None:
    assert [span.kind.value for span in recognise(read(text), TODAY)] == kinds


@pytest.mark.parametrize(
    ("place", "is_weak", "expected"),
    [
        ((0, 3), False, False),
        ((4, 6), False, True),
        ((4, 12), False, False),
        ((0, 20), False, False),
        ((8, 20), False, True),
        ((4, 6), True, False),
    ],
)
def test_a_piece_of_something_whole_cuts_it(place: tuple[int, int], is_weak: bool, expected: bool) -> None:
    assert cuts(place, Span(4, 12, SpanKind.NAME, "New York", "New York", is_weak)) is expected


def test_the_longest_repetitive_words_are_read_and_spans_stay_within_them() -> None:
    for piece in ("a1-", "1 ", "A ", "'a ", "a@b.", "1,", "x" * 50, '"', "two "):
        spans = recognise(read((piece * 1000)[:1000]), TODAY)
        assert [span for span in spans if not 0 <= span.start < span.end <= 1000] == []
