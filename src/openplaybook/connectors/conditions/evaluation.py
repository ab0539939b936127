"""Whether an entity meets a condition, with the three values of SQL: true, false, and unknown (None)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import cast

from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Literal,
    Membership,
    Range,
    Test,
)
from openplaybook.jsonvalues import JsonValue

_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*")
_MOST_NUMBER = 100
_MOST_TRIED = 100_000
"""Comparisons of characters that a search may need, before another way is taken (about a millisecond)."""
_PART = re.compile(r"\\[\\%_]|.", re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?")


def meets(condition: Condition, fields: Mapping[str, JsonValue]) -> bool:
    """Whether an entity with these fields (JSON values; dots in a column lead into objects) meets a condition."""
    return truth(condition, fields) is True


def truth(condition: Condition, fields: Mapping[str, JsonValue]) -> bool | None:
    """The same with what is unknown: None."""
    if isinstance(condition, ConditionNegation):
        inner = truth(condition.term, fields)
        return None if inner is None else not inner
    if isinstance(condition, ConditionConjunction):
        found = {truth(term, fields) for term in condition.terms}
        return False if False in found else None if None in found else True
    if isinstance(condition, ConditionDisjunction):
        found = {truth(term, fields) for term in condition.terms}
        return True if True in found else None if None in found else False
    return _tested(condition, field_value(fields, condition.column))


def field_value(fields: Mapping[str, JsonValue], column: str) -> JsonValue:
    """The value of a column: a field of this name, else what its dots lead to; None where there is none."""
    if column in fields:
        return fields[column]
    value: JsonValue = fields
    for part in column.split("."):
        if not isinstance(value, Mapping):
            return None
        value = cast("Mapping[str, JsonValue]", value).get(part)
    return value


def _tested(test: Test, value: JsonValue) -> bool | None:
    if isinstance(test, Absence):
        return value is None
    if value is None:
        return None
    if isinstance(test, ColumnComparison):
        return _compared(value, test.operator, test.value)
    if isinstance(test, Membership):
        return any(_compared(value, ComparisonOperator.EQUAL, each) for each in test.values)
    if isinstance(test, Likeness):
        return is_like(_text(value), test.pattern)
    return _within(test, value)


def _within(test: Range, value: JsonValue) -> bool:
    low = _compared(value, ComparisonOperator.GREATER_OR_EQUAL, test.low)
    return low and _compared(value, ComparisonOperator.LESS_OR_EQUAL, test.high)


def is_like(text: str, pattern: str) -> bool:
    """Whether a whole text is like a LIKE pattern, in time that grows with the text and hardly with the pattern."""
    first, *others = _pieces(pattern)
    if first.end_at(text, 0) is None:
        return False
    position = first.length
    if not others:
        return position == len(text)
    for piece in others[:-1]:
        end = piece.found_end(text, position)
        if end is None:
            return False
        position = end
    start = len(text) - others[-1].length
    return start >= position and others[-1].end_at(text, start) is not None


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands between two `%` of a pattern: texts of one length."""

    pattern: re.Pattern[str]
    signs: tuple[str, ...]
    """Characters; an empty text is any."""

    @property
    def length(self) -> int:
        """Characters of each such text."""
        return len(self.signs)

    def end_at(self, text: str, start: int) -> int | None:
        """Where such a text ends that begins there; None without one."""
        found = self.pattern.match(text, start)
        return None if found is None else found.end()

    def found_end(self, text: str, start: int) -> int | None:
        """Where the first such text ends; None without one."""
        if "" not in self.signs or self.length * (len(text) - start) <= _MOST_TRIED:
            found = self.pattern.search(text, start)
            return None if found is None else found.end()
        # Shift-And (Baeza-Yates and Gonnet 1992): each character is looked at once, however many begin to fit.
        masks = _places(self.signs)
        others, state, last = masks[""], 0, 1 << (self.length - 1)
        for place in range(start, len(text)):
            state = (state << 1 | 1) & masks.get(text[place], others)
            if state & last:
                return place + 1
        return None


@lru_cache(maxsize=256)
def _pieces(pattern: str) -> tuple[_Piece, ...]:
    signs: list[list[str]] = [[]]
    for part in _PART.findall(pattern):
        if part == "%":
            signs.append([])
        else:
            signs[-1].append("" if part == "_" else part[-1])
    return tuple(map(_piece, signs))


def _piece(signs: Sequence[str]) -> _Piece:
    pattern = re.compile("".join(re.escape(sign) if sign else "." for sign in signs), re.DOTALL)
    return _Piece(pattern, tuple(signs))


def _places(signs: Sequence[str]) -> Mapping[str, int]:
    """Character → a bit for each place where it may stand; at the empty text for all that are not named."""
    everywhere = sum(1 << place for place, sign in enumerate(signs) if not sign)
    masks = {"": everywhere}
    for place, sign in enumerate(signs):
        if sign:
            masks[sign] = masks.get(sign, everywhere) | 1 << place
    return masks


def _compared(value: JsonValue, operator: ComparisonOperator, literal: Literal) -> bool:
    order = _order(value, literal)
    return {
        ComparisonOperator.EQUAL: order == 0,
        ComparisonOperator.UNEQUAL: order != 0,
        ComparisonOperator.LESS: order < 0,
        ComparisonOperator.LESS_OR_EQUAL: order <= 0,
        ComparisonOperator.GREATER: order > 0,
        ComparisonOperator.GREATER_OR_EQUAL: order >= 0,
    }[operator]


def _order(value: JsonValue, literal: Literal) -> int:
    """Below, at or above 0 for a value below, equal to or above the literal: as numbers where both are, as moments
    where both are, else as texts."""
    number, other_number = number_value(value), number_value(literal)
    if number is not None and other_number is not None:
        return (number > other_number) - (number < other_number)
    moment, other_moment = moment_value(value), moment_value(literal)
    if moment is not None and other_moment is not None:
        return (moment > other_moment) - (moment < other_moment)
    left_text, right_text = _text(value), _text(literal)
    return (left_text > right_text) - (left_text < right_text)


def number_value(value: JsonValue) -> Decimal | None:
    """A value as a number, also one that is written as text; None for any other."""
    if isinstance(value, bool):
        return Decimal(int(value))
    if isinstance(value, int | Decimal):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, str) and len(value) <= _MOST_NUMBER and _NUMBER.fullmatch(value):
        return Decimal(value.strip())
    return None


def moment_value(value: JsonValue) -> datetime | None:
    """A text as a moment, without a zone in UTC; None for any other value."""
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return None
    try:
        moment = datetime.fromisoformat(value) if len(value) > len("2026-11-26") else _midnight(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _midnight(text: str) -> datetime:
    day = date.fromisoformat(text)
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _text(value: JsonValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
