"""Dates, by a small grammar of our own; days without a year are the next such day."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from openplaybook.models.offline.spans.base import Span, SpanKind
from openplaybook.models.offline.text import Reading

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january januar jan",
            "february februar feb",
            "march märz mar",
            "april apr",
            "may mai",
            "june juni jun",
            "july juli jul",
            "august aug",
            "september sept sep",
            "october oktober oct okt",
            "november nov",
            "december dezember dec dez",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag",
            "tuesday dienstag",
            "wednesday mittwoch",
            "thursday donnerstag",
            "friday freitag",
            "saturday samstag",
            "sunday sonntag",
        )
    )
    for name in names.split()
}
_RELATIVE = {
    "day after tomorrow": 2,
    "übermorgen": 2,
    "today": 0,
    "tonight": 0,
    "heute": 0,
    "hoy": 0,
    "aujourd'hui": 0,
    "tomorrow": 1,
    "morgen": 1,
    "mañana": 1,
    "demain": 1,
    "yesterday": -1,
    "gestern": -1,
    "ayer": -1,
    "hier": -1,
}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-])(?:{text})(?![\w/-])", re.IGNORECASE)


_ISO = _pattern(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_SLASHED = _pattern(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?")
_DOTTED = _pattern(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}|\d{2})?")
_MONTH_FIRST = _pattern(rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}")
_DAY_FIRST = _pattern(rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}")
_WORD = _pattern("(?:the )?(?P<word>" + "|".join(map(re.escape, _RELATIVE)) + ")")
_WEEKDAY = _pattern("(?:(?P<which>next|this|coming|nächsten?|diesen)\\s+)?(?P<weekday>" + "|".join(_WEEKDAYS) + ")")
_AHEAD = _pattern(r"in\s+(?P<count>\d{1,3})\s+(?P<unit>days?|tagen|weeks?|wochen)")


def find_dates(reading: Reading, today: date) -> Iterator[Span]:
    """Dates as ISO text, relative ones counted from `today`."""
    taken: list[tuple[int, int]] = []
    for pattern, convert in _GRAMMAR:
        for match in pattern.finditer(reading.text):
            found = convert(match, today)
            if found and not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                yield Span(match.start(), match.end(), SpanKind.DATE, found.isoformat(), match.group())


def _calendar(match: re.Match[str], today: date) -> date | None:
    groups = match.groupdict()
    month = groups["month"].casefold()
    number = int(month) if month.isdigit() else _MONTHS[month]
    year = groups.get("year")
    if year:
        return _date(int(year) + (2000 if len(year) == 2 else 0), number, int(groups["day"]))
    this_year = _date(today.year, number, int(groups["day"]))
    if this_year is not None and this_year >= today:
        return this_year
    return _date(today.year + 1, number, int(groups["day"]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _relative(match: re.Match[str], today: date) -> date | None:
    return today + timedelta(days=_RELATIVE[match["word"].casefold()])


def _weekday(match: re.Match[str], today: date) -> date | None:
    ahead = (_WEEKDAYS[match["weekday"].casefold()] - today.weekday() - 1) % 7 + 1
    return today + timedelta(days=ahead)


def _ahead(match: re.Match[str], today: date) -> date | None:
    days = 7 if match["unit"].casefold().startswith("w") else 1
    return today + timedelta(days=int(match["count"]) * days)


_GRAMMAR: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], date | None]], ...] = (
    (_ISO, _calendar),
    (_SLASHED, _calendar),
    (_DOTTED, _calendar),
    (_MONTH_FIRST, _calendar),
    (_DAY_FIRST, _calendar),
    (_WORD, _relative),
    (_WEEKDAY, _weekday),
    (_AHEAD, _ahead),
)
