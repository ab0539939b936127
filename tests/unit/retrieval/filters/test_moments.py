"""Dates as they are written."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.filters.moments import TimeSpan, time_span

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micro(text: str) -> int:
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "first", "behind"),
    [
        ("2023", "2023-01-01T00:00+00:00", "2024-01-01T00:00+00:00"),
        ("2024-02", "2024-02-01T00:00+00:00", "2024-03-01T00:00+00:00"),
        ("2024-12", "2024-12-01T00:00+00:00", "2025-01-01T00:00+00:00"),
        ("2024-02-29", "2024-02-29T00:00+00:00", "2024-03-01T00:00+00:00"),
        ("1969", "1969-01-01T00:00+00:00", "1970-01-01T00:00+00:00"),
    ],
)
def test_a_partial_date_is_all_its_time(text: str, first: str, behind: str) -> None:
    assert time_span(text) == TimeSpan(micro(first), micro(behind) - 1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-04-16T12:00", "2024-04-16T12:00:00+00:00"),
        ("2024-04-16 12:00:01", "2024-04-16T12:00:01+00:00"),
        ("2024-04-16t12:00:01.5z", "2024-04-16T12:00:01.500000+00:00"),
        ("2024-04-16T12:00:01,123456789Z", "2024-04-16T12:00:01.123456+00:00"),
        ("2024-04-16T12:00:00-07:00", "2024-04-16T19:00:00+00:00"),
        ("2024-04-16T12:00:00+0530", "2024-04-16T06:30:00+00:00"),
        ("2024-04-16T12:00:00+05", "2024-04-16T07:00:00+00:00"),
    ],
)
def test_a_date_with_a_time_of_day_is_a_moment(text: str, moment: str) -> None:
    assert time_span(text) == TimeSpan(micro(moment), micro(moment))


def test_the_first_and_the_last_year_have_their_time() -> None:
    first, last = time_span("0001"), time_span("9999-12-31")
    assert first
    assert last
    assert first.first == micro("0001-01-01T00:00+00:00")
    assert last.last == micro("9999-12-31T23:59:59.999999+00:00")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "23",
        "0000",
        "20240416",
        "2024-13",
        "2024-4",
        "2023-02-29",
        "2024-04-16T",
        "2024-04-16T24:00",
        "2024-04-16T12:60",
        "2024-04-16T12:00:60",
        "2024-04-16T12:00+24:00",
        "2024-04-16T12:00+01:60",
        " 2024",
        "2024\n",
        "٢٠٢٤",
        "2024-04-16T12:00:00." + "0" * 30,
    ],
)
def test_other_texts_are_no_dates(text: str) -> None:
    assert time_span(text) is None


@given(st.datetimes(timezones=st.timezones()))
def test_what_python_writes_is_read_to_the_microsecond(moment: datetime) -> None:
    offset = moment.utcoffset() or timedelta()
    if offset % timedelta(minutes=1):
        moment = moment.replace(tzinfo=UTC)
    span = time_span(moment.isoformat())
    assert span
    # Python refuses to convert a moment to UTC which is then in the year 0 or 10000.
    naive = moment.replace(tzinfo=UTC) - EPOCH
    assert span.first == span.last == (naive - (moment.utcoffset() or timedelta())) // timedelta(microseconds=1)
