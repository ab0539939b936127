"""Numbers in digits and in words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from openplaybook.models.offline.learned.lexemes import Lexeme
from openplaybook.models.offline.learned.mentions import Mention, MentionKind, NumberTraits
from openplaybook.models.offline.learned.units import in_unit, said_unit

_UP_TO_TEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_UP_TO_TWENTY = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_ONES = {word: value for value, word in enumerate((*_UP_TO_TEN, *_UP_TO_TWENTY))}
_TENS = {
    word: 10 * value
    for value, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_SCALES = {
    "dozen": 12.0,
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_OTHERS = {"half": 0.5, "couple": 2.0, "single": 1.0, "twice": 2.0, "once": 1.0, "pair": 2.0, "double": 2.0}
_SAYS_LITTLE = frozenset(("one", "single", "once", "half"))
_BEFORE_A_PRONOUN = frozenset(
    ("that", "this", "which", "any", "another", "other", "first", "second", "third", "last", "next", "same", "each")
)
"""Words before "one" that make it stand for a thing."""
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_PERCENT = frozenset(("%", "percent"))
_JOINS = frozenset(("and", "a"))
_NUMBER = re.compile(
    r"(?<![\w.^])([-−+]?[$€£¥]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)(?=$|[^\w.]|\.(?!\d)|[a-zA-Zµ°Ω%])"
    r"(%| ?percent\b| ?(?:k|thousand|million|billion|trillion|bn|hundred|dozen)\b|M\b|-?[a-zA-Zµ°Ω]+(?:/[a-z]+)?\b)?",
    re.IGNORECASE,
)
_CURRENCY = re.compile("[$€£¥]")
_AND_A_HALF = ("and", "a", "half")
_COMPOUND_JOINT = re.compile(r",? (?:and )?|")
_LONGEST = 30
"""Digits of a number; longer ones identify something."""


def find_numbers(text: str, lexemes: Sequence[Lexeme], moments: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """Every number; those in `moments`, the places of dates and times, are marked."""
    digits = list(_in_digits(text, moments))
    said = list(_in_words(lexemes))
    compounds = list(_compounds(text, sorted((*digits, *said), key=lambda one: one.start)))
    yield from compounds
    for mention in (*digits, *said):
        following = sum(one.start > mention.start for one in digits)
        is_count = mention.number.is_words and mention.value == following and following > 1
        is_part = any(mention.overlaps(whole) for whole in compounds)
        yield replace(mention, number=replace(mention.number, is_count=is_count, is_part=is_part))


def _in_digits(text: str, moments: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    for match in _NUMBER.finditer(text):
        written, unit = match[1], (match[2] or "").strip()
        if len(written) > _LONGEST:
            continue
        is_money = _CURRENCY.search(written) is not None
        lower = unit.lower()
        scale = _scale(unit, is_money=is_money)
        is_percent = lower in _PERCENT
        end = match.end() if scale != 1 or is_percent else match.end(1)
        traits = NumberTraits(
            is_percent=is_percent,
            is_money=is_money,
            unit=lower.strip("-") if scale == 1 else "",
            is_decimal="." in written,
            is_in_moment=any(start <= match.start() < stop for start, stop in moments),
            is_ordinal=lower in _ORDINALS,
        )
        value = float(re.sub(r"[,$€£¥+]", "", written).replace("−", "-")) * scale
        yield Mention(match.start(), end, MentionKind.NUMBER, text[match.start() : end], value, traits)


def _compounds(text: str, numbers: Sequence[Mention]) -> Iterator[Mention]:
    """ "5ft 10in", "1 hour and 30 minutes": a measure in two units, told in the smaller one."""
    for large, small in pairwise(numbers):
        unit, end = said_unit(text, large.end)
        smaller, last = said_unit(text, small.end)
        if unit is None or smaller is None or unit.dimension != smaller.dimension or unit.factor <= smaller.factor:
            continue
        if _COMPOUND_JOINT.fullmatch(text, end, small.start):
            value = in_unit(float(large.value), unit, smaller) + float(small.value)
            traits = NumberTraits(unit=text[small.end : last].strip(" -"), is_compound=True)
            yield Mention(large.start, last, MentionKind.NUMBER, text[large.start : last], value, traits)


def _scale(unit: str, *, is_money: bool) -> float:
    if unit == "M":
        return 1e6 if is_money else 1.0
    if unit in ("m", "K") and not (unit == "K" and is_money):
        return 1.0
    return _SCALES.get(unit.lower(), 1.0)


def _in_words(lexemes: Sequence[Lexeme]) -> Iterator[Mention]:
    """ "two hundred and five", "twenty-one", "half a million"."""
    at = 0
    while at < len(lexemes):
        head, dash, unit = lexemes[at].lower.partition("-")
        if dash and head in _ONES and unit not in _ONES:
            # "four-star"
            start = lexemes[at].start
            place, traits = (start, start + len(head)), NumberTraits(is_words=True, unit=unit)
            yield Mention(*place, MentionKind.NUMBER, head, float(_ONES[head]), traits)
        value, end = _said(lexemes, at)
        if end > at and _says_half(lexemes, end):
            value, end = value + 0.5, end + len(_AND_A_HALF)
        if end == at:
            at += 1
            continue
        if end == at + 1 and lexemes[at].lower == "one" and at and lexemes[at - 1].lower in _BEFORE_A_PRONOUN:
            at = end
            continue
        first, last = lexemes[at], lexemes[end - 1]
        traits = NumberTraits(is_words=True, is_one=first.lower in _SAYS_LITTLE)
        text = " ".join(one.text for one in lexemes[at:end])
        yield Mention(first.start, last.end, MentionKind.NUMBER, text, value, traits)
        at = end


def _says_half(lexemes: Sequence[Lexeme], at: int) -> bool:
    return tuple(one.lower for one in lexemes[at : at + len(_AND_A_HALF)]) == _AND_A_HALF


def _said(lexemes: Sequence[Lexeme], begin: int) -> tuple[float, int]:
    """The number said in words from a lexeme on, and where it ends: where it began, if none is said."""
    total = current = 0.0
    at = begin
    while at < len(lexemes):
        word = lexemes[at].lower
        parts = word.split("-")
        if all(part in _ONES or part in _TENS for part in parts):
            current += sum(_ONES.get(part, _TENS.get(part, 0)) for part in parts)
        elif word in _OTHERS and at == begin:
            current = _OTHERS[word]
        elif _is_scale(lexemes, at, begin):
            current = (current or 1.0) * _SCALES[word]
            if _SCALES[word] >= 1e3:
                total, current = total + current, 0.0
        elif not _joins(lexemes, at, begin, total + current):
            break
        at += 1
    return total + current, at


def _is_scale(lexemes: Sequence[Lexeme], at: int, begin: int) -> bool:
    word = lexemes[at].lower
    if word not in _SCALES or len(word) <= 2:
        return False
    return at > begin or (at > 0 and lexemes[at - 1].lower in ("a", "an"))


def _joins(lexemes: Sequence[Lexeme], at: int, begin: int, so_far: float) -> bool:
    """Whether "and" goes on with a number: "two hundred and five"; or "a", with a scale: "half a million"."""
    if at == begin or lexemes[at].lower not in _JOINS or at + 1 >= len(lexemes):
        return False
    following = lexemes[at + 1].lower
    if lexemes[at].lower == "a":
        return so_far == 0.5 and following in _SCALES and len(following) > 2
    return so_far >= 100 and so_far % 100 == 0 and (following in _ONES or following in _TENS)


def are_in_order(mentions: Sequence[Mention]) -> bool:
    """Whether none begins before the one before it ends."""
    return all(one.end <= other.start for one, other in pairwise(mentions))
