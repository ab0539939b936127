"""Numbers, with their units, and dates of a text, in all the ways in which they may be read.

`1.000` is a thousand or one, `3/4/2020` is in March or April. Of number words those up to twelve and of tens are read,
with multipliers behind them, in the languages of `number_words`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from openplaybook.retrieval.answers.number_compounds import compound_value, joint_length, together
from openplaybook.retrieval.answers.number_words import DATES_WITH_MONTHS, MULTIPLIERS, NUMBER_WORDS, UNITS, month_of
from openplaybook.retrieval.answers.unspaced_numerals import unspaced_numbers
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.scripts import DENSE

_SPACES = "\u00a0\u202f\u2009"
_NUMBER = re.compile(
    rf"(?<![^\W{DENSE}])[+\-−]?(?P<number>\d{{1,3}}(?:[ {_SPACES}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’]\d+)*)"
    r"(?P<half>[½¼¾])?"
)
_SIGN = re.compile(r"[$€£¥₽₹%‰°]\s*(?:[CFcfCФ]\b)?|[^\W\d_]{1,14}[²³]?")
_BEFORE = re.compile(r"(US\$|[$€£¥₽₹])\s*\Z")
_DENSE = re.compile(f"[{DENSE}]")
_GAP = re.compile(rf"[ {_SPACES}\-]?")
_HALVES = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_WORD = re.compile(r"[^\W\d_]+(?:[-\u0300-\u036f\u0900-\u094f][^\W\d_]*)*")
_NEXT_WORD = re.compile(r"[ -]([^\W\d_]{4,})")
_LAST_WORD = re.compile(r"([^\W\d_]{4,}|\d+)[ \-–]\Z")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)")
_CJK_DATE = re.compile(r"(?:(\d{4})\s*[年년]\s*)?(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号號일])?")
_DIGIT = re.compile("[0-9]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_FAR_YEAR = 50
"""Two digits of a year above it are of the last century."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text."""

    values: frozenset[float]
    """Its readings."""
    unit: str
    """The name that all spellings of a unit share, such as `kg`; empty where there is none that is known."""
    text: str
    """As it is written."""
    behind: str = ""
    """The word behind it in small letters, mostly what it counts; empty where something else is behind it."""
    before: str = ""
    """The word or number before it, in the same way."""
    bare: frozenset[float] = frozenset()
    """Of a number with a multiplier behind it, its readings without; `3 to 5 million` says 3 and means 3 million."""


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A date, or what a text says of one."""

    readings: frozenset[tuple[int, int, int]]
    """Year, month, day; 0 for what is not said."""
    text: str


@dataclass(frozen=True, slots=True)
class Figures:
    """All numbers and dates of a text."""

    quantities: tuple[Quantity, ...]
    dates: tuple[CalendarDate, ...]


def figures(text: str, language: str) -> Figures:
    """The numbers and dates of a text. `language` is a BCP-47 code, or empty."""
    folded = _folded(text)
    code = primary_subtag(language)
    if not _DIGIT.search(folded):
        return Figures(tuple(_spelled(folded, code)), ())
    dates: list[CalendarDate] = []
    rest = list(folded)
    for start, end, readings in _dates(folded):
        if rest[start] and rest[end - 1]:
            dates.append(CalendarDate(readings, text[start:end]))
            rest[start:end] = [""] * (end - start)
    remaining = "".join(each or " " for each in rest)
    return Figures((*_written(remaining, text), *_spelled(remaining, code)), tuple(dates))


def _folded(text: str) -> str:
    """The text with digits of all scripts as those of ASCII, of the same length."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda found: str(int(found[0])), text)


def _dates(text: str) -> Iterator[tuple[int, int, frozenset[tuple[int, int, int]]]]:
    """Places and readings of dates, the most telling forms first."""
    for found in _ISO.finditer(text):
        yield from _place(found, [(int(found[1]), int(found[2]), int(found[3]))])
    for found in _NUMERIC.finditer(text):
        first, second, year = int(found[1]), int(found[2]), _year(found[3])
        yield from _place(found, [(year, second, first), (year, first, second)])
    for found in _CJK_DATE.finditer(text):
        yield from _place(found, [(int(found[1] or 0), int(found[2]), int(found[3] or 0))])
    for pattern in DATES_WITH_MONTHS:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            month = month_of(groups["month"])
            yield from _place(found, [(int(groups.get("year") or 0), month, int(groups.get("day") or 0))])


def _place(
    found: re.Match[str], readings: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[int, int, frozenset[tuple[int, int, int]]]]:
    possible = frozenset(each for each in readings if 1 <= each[1] <= 12 and each[2] <= 31)
    if possible:
        yield found.start(), found.end(), possible


def _year(digits: str) -> int:
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (1900 if int(digits) > _FAR_YEAR else 2000)


def _written(text: str, original: str) -> Iterator[Quantity]:
    """Numbers in digits."""
    for found in _NUMBER.finditer(text):
        half = _HALVES.get(found["half"] or "", 0.0)
        values = {value + half for value in _readings(found["number"])}
        unit, factor = _unit_after(text, found.end())
        if not unit and (sign := _BEFORE.search(text, max(0, found.start() - 5), found.start())):
            unit = UNITS.get(sign[1].strip(), "")
        bare = frozenset(round(value, 6) for value in values) if factor else frozenset[float]()
        readings = frozenset(round(value * (factor or 1), 6) for value in values)
        yield Quantity(readings, unit, original[found.start() : found.end()], *_beside(text, *found.span()), bare)


def _readings(number: str) -> set[float]:
    """What digits with marks between them may stand for."""
    for space in _SPACES + " ":
        number = number.replace(space, "'")
    number = number.replace("’", "'")
    joined = number.replace("'", "")
    marks = [each for each in joined if each in ".,"]
    if not marks:
        return {_value(joined)}
    groups = re.split(r"[.,]", joined)
    are_thousands = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if len(set(marks)) == 2 or (len(marks) > 1 and not are_thousands):
        whole = "".join(groups[:-1])
        return {_value(f"{whole}.{groups[-1]}")} if len(set(marks)) == 2 else {_value(group) for group in groups}
    thousands = {_value("".join(groups))} if are_thousands else set[float]()
    return thousands | ({_value(f"{groups[0]}.{groups[1]}")} if len(groups) == 2 else set[float]())


def _value(digits: str) -> float:
    """Of so many digits that a float has none, the first ones count."""
    return float(digits[:300])


def _unit_after(text: str, at: int) -> tuple[str, float]:
    """The unit that follows a number, and the factor of a multiplier such as `million`, or 0."""
    factor = 0.0
    for _ in range(2):
        blank = _GAP.match(text, at)
        start = blank.end() if blank else at
        found = _SIGN.match(text, start)
        if found is None:
            break
        word = _measure(found[0].strip())
        multiplier = MULTIPLIERS.get(word.casefold(), 0.0)
        if not multiplier or factor:
            return UNITS.get(word) or UNITS.get(word.casefold(), ""), factor
        factor, at = multiplier, start + len(word)
    return "", factor


def _measure(word: str) -> str:
    """The word; where words are not set apart, the beginning of the run that is a unit or a multiplier."""
    if not _DENSE.match(word):
        return word
    beginnings = (word[:length] for length in range(min(len(word), 5), 0, -1))
    return next((each for each in beginnings if each in UNITS or each in MULTIPLIERS), word)


def _spelled(text: str, language: str) -> Iterator[Quantity]:
    """Numbers in words."""
    for start, end, value in unspaced_numbers(text, language):
        yield _quantity(text, start, end, value)
    values = _spellings(language)
    if not values:
        return
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        word, last = words[at][0].casefold(), at
        value = values.get(word) or compound_value(word, values, language)
        if value and (other := at + joint_length(text, words, at, language)) < len(words):
            both = together(word, words[other][0].casefold(), values, language)
            value, last = (both, other) if both else (value, at)
        if value:
            yield _quantity(text, words[at].start(), words[last].end(), value)
        at = last + 1


def _quantity(text: str, start: int, end: int, value: float) -> Quantity:
    unit, factor = _unit_after(text, end)
    bare = frozenset((value,)) if factor else frozenset[float]()
    return Quantity(frozenset((value * (factor or 1),)), unit, text[start:end], *_beside(text, start, end), bare)


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The word behind a number, and the word or number before it."""
    behind = _NEXT_WORD.match(text, end)
    before = _LAST_WORD.search(text, max(0, start - 24), start)
    return behind[1].casefold() if behind else "", before[1].casefold() if before else ""


@cache
def _spellings(language: str) -> Mapping[str, float]:
    listed = NUMBER_WORDS.get(language, {})
    return {word: float(value) for value, spelled in listed.items() for word in spelled.split()}
