"""Dates, by a small grammar of our own, and times of day as `HH:MM`.

Days without a year, and weekdays, are the next such day; the latest one where the words speak of the past.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from types import MappingProxyType
from typing import TypeAlias

from openplaybook.models.offline.language.tokenizer import SPACED_LETTER, Reading
from openplaybook.models.offline.spans.typed_span import Span, SpanKind, plain_i

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january januar jan enero janvier janeiro gennaio",
            "february februar feb febrero février fevereiro febbraio",
            "march märz mar marzo mars março",
            "april apr abril avril aprile",
            "may mai mayo maio maggio",
            "june juni jun junio juin junho giugno",
            "july juli jul julio juillet julho luglio",
            "august aug agosto août",
            "september sept sep septiembre septembre setembro settembre",
            "october oktober oct okt octubre octobre outubro ottobre",
            "november nov noviembre novembre novembro",
            "december dezember dec dez diciembre décembre dezembro dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lunes lundi segunda-feira lunedì",
            "tuesday dienstag martes mardi terça-feira martedì",
            "wednesday mittwoch miércoles mercredi quarta-feira mercoledì",
            "thursday donnerstag jueves jeudi quinta-feira giovedì",
            "friday freitag viernes vendredi sexta-feira venerdì",
            "saturday samstag sábado samedi sabato",
            "sunday sonntag domingo dimanche domenica",
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
    "pasado mañana": 2,
    "après-demain": 2,
    "depois de amanhã": 2,
    "dopodomani": 2,
    "hoje": 0,
    "oggi": 0,
    "amanhã": 1,
    "domani": 1,
    "ontem": -1,
    "ieri": -1,
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
_DAY_FIRST = _pattern(rf"(?:the\s+)?{_DAY}\s+(?:(?:of|de)\s+)?{_MONTH}(?:\s+de(?=\s+\d))?{_YEAR}")
_OF_MONTH = _pattern(
    r"(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?"
    r"(?P<which>this|the|the current|next|the next|diese[sn]|des laufenden|nächsten|des nächsten)\s+(?:month|monats)"
    r"|(?:el\s+)?(?P<day_>\d{1,2})\s+(?:de|del|do|di|du|de ce)\s+"
    r"(?P<which_>este mes|mes que viene|próximo mes|este mês|próximo mês|questo mese|prossimo mese|mois(?: prochain)?)"
)
_ORDINAL = _pattern(
    r"(?:(?<=\bon )|(?<=\b(?:by|to) )|(?<=\b(?:from|till) )|(?<=\b(?:until|since) ))(?:the\s+)?"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[.,;!?]|at\b|please\b|and\b|around\b))"
)
_WORD = _pattern("(?:the )?(?P<word>" + "|".join(map(re.escape, _RELATIVE)) + ")")
_WEEKDAY = _pattern(
    r"(?:(?P<which>next|this|coming|last|past|previous|nächste[nmrs]?|diese[nmrs]?|(?:letzt|vorig|vergangen)e[nmrs]?)"
    r"\s+)?(?P<weekday>" + "|".join(_WEEKDAYS) + ")"
)
_COUNTS = MappingProxyType(
    {
        word: number
        for number, words in enumerate(
            (
                "a one einem einer eine un una une um uma",
                "two zwei dos deux dois duas due",
                "three drei tres trois três tre",
                "four vier cuatro quatre quatro quattro",
                "five fünf cinco cinq cinque",
            ),
            start=1,
        )
        for word in words.split()
    }
)
_UNITS = (
    rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})\s+"
    r"(?P<unit>days?|tag(?:en)?|weeks?|wochen?|días?|semanas?|jours?|semaines?|dias?|giorn[io]|settiman[ae])"
)
_AHEAD = _pattern(rf"(?:in|en|dans|em|daqui\s+a|tra|fra|dentro\s+de)\s+{_UNITS}")
_EASTERN_DAY = re.compile(r"(?:(?P<year>\d{4})[年년]\s?)?(?P<month>\d{1,2})[月월]\s?(?P<day>\d{1,2})[日일]")
_EASTERN_WORD = re.compile(
    r"(?P<word>明後日|今日|本日|明日|昨日|모레|오늘|내일|어제)|(?P<weekday>[月火水木金土日](?=曜)|[월화수목금토일](?=요일))曜?日?(?:요일)?"
)
_AGO = _pattern(rf"{_UNITS}\s+ago|vor\s+{_UNITS.replace('?P<count>', '?P<count_>').replace('?P<unit>', '?P<unit_>')}")
_LEADS_PAST = re.compile(
    r"\b(?:since|last|past|previous|seit|desde|depuis|(?:letzt|vorig|vergangen)e[nmrs]?)(?:\s+(?:the|dem|der|el|le))?\s+$",
    re.IGNORECASE,
)
"""Words directly before a day that make it one of the past."""


def find_dates(reading: Reading, today: date) -> Iterator[Span]:
    """Dates as ISO text, relative ones counted from `today`."""
    text = plain_i(reading.text)
    taken: list[tuple[int, int]] = []
    for pattern, convert in _GRAMMAR:
        for match in pattern.finditer(text):
            days = convert(match, today)
            start, end = match.span()
            if days is None or any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            taken.append((start, end))
            value, past = (day.isoformat() if day else None for day in days)
            if past is not None and _LEADS_PAST.search(text, 0, start):
                value, past = past, None
            yield Span(start, end, SpanKind.DATE, value, reading.text[start:end], past=past)


_Days: TypeAlias = tuple[date, date | None]
"""The day meant, and the latest such day before today where the words leave it open."""


def _calendar(match: re.Match[str], today: date) -> _Days | None:
    groups = match.groupdict()
    written = groups["month"].casefold()
    month = int(written) if written.isdigit() else _MONTHS[written]
    return _day_of(int(groups["day"]), month, groups.get("year"), today)


def _slashed(match: re.Match[str], today: date) -> _Days | None:
    """Month first, unless only the other order is a day: 31/12."""
    month, day = int(match["month"]), int(match["day"])
    if month > 12:
        month, day = day, month
    return _day_of(day, month, match["year"], today)


def _day_of(day: int, month: int, year: str | None, today: date) -> _Days | None:
    if year:
        candidate = _date(int(year) + (2000 if len(year) == 2 else 0), month, day)
        return (candidate, None) if candidate else None
    candidates = [candidate for offset in (-1, 0, 1) if (candidate := _date(today.year + offset, month, day))]
    following = next((candidate for candidate in candidates if candidate >= today), None)
    past = next((candidate for candidate in reversed(candidates) if candidate < today), None)
    return (following, past) if following else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _of_month(match: re.Match[str], today: date) -> _Days | None:
    """A day of this month, or of the next one."""
    which = (match["which"] or match["which_"]).casefold()
    months = today.month - 1 + any(word in which for word in ("next", "nächst", "próxim", "prossim", "proch", "viene"))
    day = _date(today.year + months // 12, months % 12 + 1, int(match["day"] or match["day_"]))
    return (day, None) if day else None


def _next_of_number(match: re.Match[str], today: date) -> _Days | None:
    """ "On the 4th": the next such day of any month."""
    months = (today.month - 1 + offset for offset in range(3))
    days = (_date(today.year + month // 12, month % 12 + 1, int(match["day"])) for month in months)
    following = next((day for day in days if day is not None and day >= today), None)
    return (following, None) if following else None


def _relative(match: re.Match[str], today: date) -> _Days | None:
    return _later(today, _RELATIVE[match["word"].casefold()])


def _weekday(match: re.Match[str], today: date) -> _Days | None:
    ahead = (_WEEKDAYS[match["weekday"].casefold()] - today.weekday() - 1) % 7 + 1
    following, past = _later(today, ahead), _later(today, ahead - 7 if ahead < 7 else -7)
    if match["which"] and _LEADS_PAST.search(f"{match['which']} "):
        return past
    return (following[0], past[0] if past else None) if following else None


def _ahead(match: re.Match[str], today: date) -> _Days | None:
    return _later(today, _count(match["count"]) * _days_in(match["unit"]))


def _ago(match: re.Match[str], today: date) -> _Days | None:
    count, unit = match["count"] or match["count_"], match["unit"] or match["unit_"]
    return _later(today, -_count(count) * _days_in(unit))


def _count(written: str) -> int:
    return int(written) if written.isdigit() else _COUNTS[written.casefold()]


def _days_in(unit: str) -> int:
    return 7 if unit.casefold().startswith(("w", "se")) else 1


def _eastern(match: re.Match[str], today: date) -> _Days | None:
    if match["word"]:
        return _later(today, _EASTERN_RELATIVE[match["word"]])
    number = next(days.index(match["weekday"]) for days in _EASTERN_DAYS if match["weekday"] in days)
    ahead = (number - today.weekday() - 1) % 7 + 1
    following = _later(today, ahead)
    return None if following is None else (following[0], None)


_EASTERN_RELATIVE = MappingProxyType(
    {"明後日": 2, "모레": 2, "今日": 0, "本日": 0, "오늘": 0, "明日": 1, "내일": 1, "昨日": -1, "어제": -1}
)
_EASTERN_DAYS = ("月火水木金土日", "월화수목금토일")


def _later(today: date, days: int) -> _Days | None:
    try:
        return today + timedelta(days=days), None
    except OverflowError:
        return None


_GRAMMAR: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Days | None]], ...] = (
    (_ISO, _calendar),
    (_SLASHED, _slashed),
    (_DOTTED, _calendar),
    (_MONTH_FIRST, _calendar),
    (_DAY_FIRST, _calendar),
    (_OF_MONTH, _of_month),
    (_ORDINAL, _next_of_number),
    (_WORD, _relative),
    (_WEEKDAY, _weekday),
    (_AHEAD, _ahead),
    (_AGO, _ago),
    (_EASTERN_DAY, _calendar),
    (_EASTERN_WORD, _eastern),
)


_CLOCK = re.compile(
    r"(?<![\w:.])(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\w:.])(?P<hour24>\d{1,2}):(?P<minute24>\d{2})(?:\s?uhr)?(?![\w:])"
    r"|(?<![\w:.])(?P<full>\d{1,2})\s?(?:uhr|o'clock|h)(?!\w)"
    rf"|(?<![:.\d])(?<!{SPACED_LETTER})(?:(?P<late>午後|오후)|午前|오전)?\s?(?P<east>\d{{1,2}})"
    rf"(?:[時시]\s?(?:(?P<parts>\d{{1,2}})[分분])?|:(?P<colon>\d\d)(?![:\d]|{SPACED_LETTER}))"
    r"|\b(?P<word>noon|midday|midnight|mittags?|mitternacht)\b",
    re.IGNORECASE,
)
_WORDS = {"noon": "12:00", "midday": "12:00", "mittag": "12:00", "mittags": "12:00"}


def find_times(reading: Reading) -> Iterator[Span]:
    """Clock times; an hour without minutes, `pm` or the like is a number, not a time."""
    for match in _CLOCK.finditer(plain_i(reading.text)):
        value = _WORDS.get(match["word"].casefold(), "00:00") if match["word"] else _clock(match)
        if value:
            words = match.group().rstrip(".") if match.group().count(".") == 1 else match.group()
            start, end = match.start(), match.start() + len(words)
            yield Span(start, end, SpanKind.TIME, value, reading.text[start:end])


def _clock(match: re.Match[str]) -> str:
    hour = int(match["hour"] or match["hour24"] or match["full"] or match["east"])
    minute = int(match["minute"] or match["minute24"] or match["parts"] or match["colon"] or 0)
    if match["half"] or match["late"]:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if match["late"] or match["half"].casefold() == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else ""
