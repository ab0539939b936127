"""Dates as filters and documents write them: ISO 8601, whole or partial, as microseconds since 1970 began in UTC.

A partial date in a filter is the time from its first to its last microsecond: `2023` a year, `2024-04` a month. One
with a time of day is a moment. In a document, each stands for its first microsecond. Without a zone, UTC is meant.
"""

import re
from datetime import date
from typing import Final, NamedTuple

_DATE: Final = re.compile(
    r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?)?)?"
)
_LONGEST: Final = 40
"""Characters of a date, more than any has."""

SECOND: Final = 1_000_000
"""In microseconds."""
_MINUTE: Final = 60 * SECOND
_DAY: Final = 24 * 60 * _MINUTE
_EPOCH: Final = date(1970, 1, 1).toordinal()
_DECEMBER: Final = 12


class TimeSpan(NamedTuple):
    """What a written date covers, in microseconds since the epoch; both ends belong to it."""

    first: int
    last: int


def time_span(text: str) -> TimeSpan | None:
    """What a date covers; None where the text is no date, such as a 31st of April."""
    found = _DATE.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.group(1, 2, 3))
    try:
        first = date(year, month or 1, day or 1).toordinal()
    except ValueError:
        return None
    if found[4]:
        return _moment(first, found)
    return TimeSpan(_midnight(first), _midnight(_day_behind(first, year, month, day)) - 1)


def _day_behind(first: int, year: int, month: int, day: int) -> int:
    """Number of the day that follows a day, a month or a year; the year 10000 has numbers too."""
    if day:
        return first + 1
    last_month = month or _DECEMBER
    if last_month == _DECEMBER:
        return date(year, _DECEMBER, 31).toordinal() + 1
    return date(year, last_month + 1, 1).toordinal()


def _midnight(day: int) -> int:
    return (day - _EPOCH) * _DAY


def _moment(day: int, found: re.Match[str]) -> TimeSpan | None:
    hour, minute, second = int(found[4]), int(found[5]), int(found[6] or 0)
    offset = _offset(found[8] or "Z")
    if hour > 23 or minute > 59 or second > 59 or offset is None:
        return None
    fraction = int((found[7] or "")[:6].ljust(6, "0"))
    moment = _midnight(day) + (hour * 60 + minute) * _MINUTE + second * SECOND + fraction - offset
    return TimeSpan(moment, moment)


def _offset(zone: str) -> int | None:
    """How far a zone is ahead of UTC, in microseconds; None for what is no zone."""
    if zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    return (-1 if zone[0] == "-" else 1) * (hours * 60 + minutes) * _MINUTE
