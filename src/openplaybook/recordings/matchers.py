"""Whether what happened fits what is recorded: JSON values, and words.

Marks stand in a recording for a value that is secret, or that nobody wants compared; they fit everything.
"""

import re
from enum import Enum

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.telemetry.redaction import MASK

ANY = "[any]"
"""Fits everything in its place; written by hand, or by an import that does not know the value."""

_MARKS = re.compile("|".join(map(re.escape, (MASK, ANY))))
_BLANKS = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s\[\]]+")
"""All but the brackets of marks."""


def has_marks(value: JsonValue) -> bool:
    """Whether a mark stands anywhere in a JSON value."""
    if isinstance(value, str):
        return bool(_MARKS.search(value))
    return any(map(has_marks, [*as_object(value).values(), *as_list(value)]))


def fits(expected: JsonValue, happened: JsonValue) -> bool:
    """Whether two JSON values are the same; a mark on either side fits what is there on the other.

    A whole text that is a mark fits any value, a mark within a text any text. Numbers are compared by value, and a
    truth value is no number.
    """
    if isinstance(expected, str) and isinstance(happened, str):
        return expected == happened or _pattern_fits(expected, happened) or _pattern_fits(happened, expected)
    if expected in (MASK, ANY) or happened in (MASK, ANY):
        return True
    if isinstance(expected, dict) and isinstance(happened, dict):
        ones, others = as_object(expected), as_object(happened)
        return ones.keys() == others.keys() and all(fits(value, others[name]) for name, value in ones.items())
    if isinstance(expected, list) and isinstance(happened, list):
        ones, others = as_list(expected), as_list(happened)
        return len(ones) == len(others) and all(map(fits, ones, others))
    return isinstance(expected, bool) == isinstance(happened, bool) and expected == happened


def _pattern_fits(pattern: str, text: str) -> bool:
    """Whether the pieces between the marks occur in the text in their order, the outer ones at its ends."""
    head, *rest = _MARKS.split(pattern)
    if not rest or not text.startswith(head):
        return False
    *inner, tail = rest
    at = len(head)
    for piece in inner:
        start = text.find(piece, at)
        if start < 0:
            return False
        at = start + len(piece)
    return len(text) - at >= len(tail) and text.endswith(tail)


class WordMatch(Enum):
    """How the agent's words are compared."""

    EXACT = "exact"
    NORMALISED = "normalised"
    """Case, blanks and punctuation do not matter."""
    CONTAINS = "contains"
    """What is recorded has to occur in what is said, normalised."""
    IGNORED = "ignored"


def same_words(expected: str, happened: str, words: WordMatch) -> bool:
    """Whether what was said is what is expected, as far as `words` asks."""
    if words is WordMatch.IGNORED:
        return True
    if words is WordMatch.EXACT:
        return fits(expected, happened)
    plain, spoken = normalised(expected), normalised(happened)
    return plain in spoken or fits(f"[any]{plain}[any]", spoken) if words is WordMatch.CONTAINS else fits(plain, spoken)


def normalised(text: str) -> str:
    """Without case, punctuation and the form of blanks."""
    return _BLANKS.sub(" ", _PUNCTUATION.sub(" ", text)).strip().casefold()
