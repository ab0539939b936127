"""Marks: what stands in a recording for a value that is secret, or that nobody wants compared."""

import re

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.telemetry.redaction import MASK

ANY = "[any]"
"""Fits everything in its place; written by hand, or by an import that does not know the value."""

_MARKS = re.compile("|".join(map(re.escape, (MASK, ANY))))


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
        return _texts_fit(expected, happened)
    if expected in (MASK, ANY) or happened in (MASK, ANY):
        return True
    if isinstance(expected, dict) and isinstance(happened, dict):
        ones, others = as_object(expected), as_object(happened)
        return ones.keys() == others.keys() and all(fits(value, others[name]) for name, value in ones.items())
    if isinstance(expected, list) and isinstance(happened, list):
        ones, others = as_list(expected), as_list(happened)
        return len(ones) == len(others) and all(map(fits, ones, others))
    return isinstance(expected, bool) == isinstance(happened, bool) and expected == happened


def _texts_fit(one: str, other: str) -> bool:
    return one == other or _pattern_fits(one, other) or _pattern_fits(other, one)


def _pattern_fits(pattern: str, text: str) -> bool:
    """Whether the pieces between the marks occur in the text in their order, the outer ones at its ends."""
    head, *rest = _MARKS.split(pattern)
    if not rest or not text.startswith(head):
        return False
    *inner, tail = rest
    at = len(head)
    for piece in inner:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(text) - at >= len(tail) and text.endswith(tail)
