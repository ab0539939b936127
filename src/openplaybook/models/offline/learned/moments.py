"""Dates and times in the form that a parameter asks for."""

import re
from datetime import date, timedelta

from openplaybook.models.offline.learned.marked_mentions import DAYS, HOURS, MONTH, MONTHS
from openplaybook.models.offline.learned.wants import Want

_TOLD_TODAY = re.compile(
    rf"today(?: is|'s)?,? (?:(?:{'|'.join(DAYS)}),? )?(?:the )?(?:(?P<year>\d{{4}})[-./](?P<month>\d{{1,2}})"
    rf"[-./](?P<day>\d{{1,2}})|(?P<name>{MONTH}) (?P<nth>\d{{1,2}})\w{{0,2}},? (?P<of>\d{{4}}))"
)
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$")
_YEAR_LAST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$")
_MONTH = re.compile(f"({MONTH})")
_DAY_NUMBER = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_ANY_YEAR, _SOME_YEAR = re.compile(r"\b(\d{4})\b"), re.compile(r"\b(20\d\d)\b")
_NTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (this|next) month)?$")
_HOUR = re.compile(rf"(\d{{1,2}}|\b(?:{HOURS})\b)(?::(\d{{2}}))?")
_HOURS_SAID: list[str] = [*HOURS.split("|")]
_AFTER_NOON = re.compile(r"p\.?m|afternoon|evening")
_BEFORE_NOON = re.compile(r"a\.?m\b")


def written_date(words: str, want: Want, today: date | None, said: str) -> str | None:
    """A date in words as the parameter wants it; None where the words leave its day open.

    `said`: the whole utterance, in which the year, or which day is today, may stand.
    """
    lower = words.lower()
    parts = _numeric(lower, want) or _by_month(lower, want, today, said) or _relative_day(lower, today, said.lower())
    if parts is None:
        return None
    by_letter = {"y": f"{int(parts[0]):04}", "m": f"{int(parts[1]):02}", "d": f"{int(parts[2]):02}"}
    return (want.date_form[1] or "-").join(by_letter[letter] for letter in want.date_order or "ymd")


_Parts = tuple[str, str, str] | None
"""Year, month, day."""


def _numeric(lower: str, want: Want) -> _Parts:
    if found := _YEAR_FIRST.match(lower):
        return found[1], found[2], found[3]
    if found := _YEAR_LAST.match(lower):
        if int(found[1]) > 12 or want.date_order == "dmy":
            return found[3], found[2], found[1]
        return found[3], found[1], found[2]
    return None


def _by_month(lower: str, want: Want, today: date | None, said: str) -> _Parts:
    name, day = _MONTH.search(lower), _DAY_NUMBER.search(lower)
    if name is None or day is None:
        return None
    told = _ANY_YEAR.search(lower) or _SOME_YEAR.search(said)
    year = told[1] if told else want.year or (str(today.year) if today else "2023")
    return year, _month_number(name[1]), day[1]


def _month_number(name: str) -> str:
    return str(next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3])))


def _relative_day(lower: str, today: date | None, said: str) -> _Parts:
    now = _day_told(said) or today
    day = None if now is None else (_relative(lower, now) or day_of_month(lower, now))
    return None if day is None else (str(day.year), str(day.month), str(day.day))


def _day_told(said: str) -> date | None:
    """The day that the words say it is: "today is 2023-09-29"."""
    told = _TOLD_TODAY.search(said)
    if told is None:
        return None
    try:
        if told["year"]:
            return date(int(told["year"]), int(told["month"]), int(told["day"]))
        return date(int(told["of"]), int(_month_number(told["name"])), int(told["nth"]))
    except ValueError:
        return None


def _relative(lower: str, now: date) -> date | None:
    if lower in ("today", "tonight"):
        return now
    if "day after tomorrow" in lower:
        return now + timedelta(2)
    if lower in ("tomorrow", "yesterday"):
        return now + timedelta(1 if lower == "tomorrow" else -1)
    for number, day in enumerate(DAYS):
        if day in lower:
            ahead = (number - now.weekday()) % 7 or 7
            is_next = "next week" in lower and ahead + now.weekday() < 7
            return now + timedelta(ahead + (7 if is_next else 0))
    return None


def day_of_month(lower: str, now: date) -> date | None:
    """The day that "the 2nd" is, or "6th of this month", said on a day."""
    found = _NTH.match(lower)
    if found is None or not 1 <= int(found[1]) <= 31:
        return None
    is_ahead = found[2] == "next" or (int(found[1]) < now.day and found[2] != "this")
    month, year = (now.month % 12 + 1, now.year + (now.month == 12)) if is_ahead else (now.month, now.year)
    try:
        return date(year, month, int(found[1]))
    except ValueError:
        return None


def written_clock(words: str) -> str | None:
    """A time in words by the clock of 24 hours; None where it has no hour."""
    lower = words.lower()
    if lower in ("noon", "midnight"):
        return "12:00" if lower == "noon" else "00:00"
    found = _HOUR.search(lower)
    if found is None:
        return None
    hour = int(found[1]) if found[1].isdigit() else _HOURS_SAID.index(found[1]) + 1
    minute = int(found[2] or 0)
    if "half past" in lower:
        minute = 30
    elif "quarter past" in lower:
        minute = 15
    elif "quarter to" in lower:
        hour, minute = hour - 1, 45
    if hour < 12 and _AFTER_NOON.search(lower):
        hour += 12
    if hour == 12 and _BEFORE_NOON.search(lower):
        hour = 0
    return f"{hour:02}:{minute:02}"
