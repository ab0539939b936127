"""Numbers in digits and in words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openplaybook.jsonvalues import number_of
from openplaybook.models.offline.language.tokenizer import SPACED_LETTER, Reading, WordToken
from openplaybook.models.offline.spans.measures import arithmetic_in, measure_of
from openplaybook.models.offline.spans.typed_span import Span, SpanKind

_BEFORE, _BEHIND = rf"(?<![.,:/^-])(?<!{SPACED_LETTER})", rf"(?![/-]|{SPACED_LETTER}|[:.,]\d)"
_DIGITS = re.compile(
    rf"{_BEFORE}(?P<sign>[-−])?[#$€£]?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?){_BEHIND}"
)
_COMMA_DIGITS = re.compile(
    rf"{_BEFORE}(?P<sign>[-−])?[#$€£]?(?P<digits>\d{{1,3}}(?:[.\u00a0\u202f]\d{{3}})+(?:,\d+)?|\d+,\d+){_BEHIND}"
)
"""Of languages that write the fraction behind a comma."""
_COMMA_LANGUAGES = frozenset(("de", "es", "fr", "pt", "it"))
_SMALL = {
    word: value
    for value, words in enumerate(
        (
            "zero null",
            "one eins uno",
            "two zwei dos deux dois duas due",
            "three drei tres trois três tre",
            "four vier cuatro quatre quatro quattro",
            "five fünf cinco cinq cinque",
            "six sechs seis sei",
            "seven sieben siete sept sete sette",
            "eight acht ocho huit oito otto",
            "nine neun nueve neuf nove",
            "ten zehn diez dix dez dieci",
            "eleven elf once onze undici",
            "twelve zwölf doce douze doze dodici",
            "thirteen dreizehn",
            "fourteen vierzehn",
            "fifteen fünfzehn",
            "sixteen sechzehn",
            "seventeen siebzehn",
            "eighteen achtzehn",
            "nineteen neunzehn",
        )
    )
    for word in words.split()
}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12}
_WEAK = frozenset(("one", "uno", "null", "once", "sei"))
_MOST_DIGITS = 100


def find_numbers(reading: Reading) -> Iterator[Span]:
    """Numbers as int or float, with what they measure; `one` alone is weak, since it is mostly a pronoun."""
    sums = arithmetic_in(reading.text)
    for span in _found(reading):
        measure = measure_of(reading, span.start, span.end, sums)
        yield replace(span, measure=measure) if measure else span


def _found(reading: Reading) -> Iterator[Span]:
    has_commas = reading.language in _COMMA_LANGUAGES
    local = list(_COMMA_DIGITS.finditer(reading.text)) if has_commas else []
    taken = [match.span() for match in local]
    others = (match for match in _DIGITS.finditer(reading.text) if not _is_within(match.span(), taken))
    for match in (*local, *others):
        digits = _plain_digits(match["digits"]) if match in local else match["digits"].replace(",", "")
        if len(digits) <= _MOST_DIGITS:
            value = number_of(digits)
            yield Span(match.start(), match.end(), SpanKind.NUMBER, -value if match["sign"] else value, match.group())
    yield from _worded(reading)


def _is_within(place: tuple[int, int], places: Sequence[tuple[int, int]]) -> bool:
    return any(start < place[1] and place[0] < end for start, end in places)


def _plain_digits(written: str) -> str:
    return re.sub(r"[.\u00a0\u202f]", "", written).replace(",", ".")


def _worded(reading: Reading) -> Iterator[Span]:
    run: list[WordToken] = []
    for token in (*reading.tokens, None):
        word = token.text.casefold() if token else ""
        if token and run and _goes_on(run[-1].text.casefold(), word):
            run.append(token)
            continue
        if run:
            yield _span(reading, run)
        run = [token] if token and (word in _SMALL or word in _TENS) else []


def _goes_on(last: str, word: str) -> bool:
    """Whether `word` belongs to the number that `last` is a part of: "twenty five" is one number, "two five" two."""
    if word == "-":
        return last in _TENS
    if word in _SCALES:
        return last != "-"
    if word in _SMALL and _SMALL[word] < 10:
        return last in _TENS or last in _SCALES or last == "-"
    return last in _SCALES and (word in _SMALL or word in _TENS)


def _span(reading: Reading, run: list[WordToken]) -> Span:
    words = [token.text.casefold() for token in run if token.is_word]
    start, end = run[0].start, [token for token in run if token.is_word][-1].end
    is_weak = len(words) == 1 and words[0] in _WEAK
    return Span(start, end, SpanKind.NUMBER, worded_number(words), reading.text[start:end], is_weak)


def worded_number(words: list[str]) -> int:
    """The value of number words in order: `["two", "hundred", "five"]` is 205."""
    total = current = 0
    for word in words:
        if word in _SCALES and _SCALES[word] >= 1000:
            total, current = total + max(current, 1) * _SCALES[word], 0
        elif word in _SCALES:
            current = max(current, 1) * _SCALES[word]
        else:
            current += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return total + current


def number_word(value: int) -> str:
    """The English word of a number up to twelve, or empty."""
    return next((word for word, number in _SMALL.items() if number == value and value <= 12), "")
