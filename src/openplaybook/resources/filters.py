"""List filters in Google's filter language (https://google.aip.dev/160): comparisons joined by AND, OR and NOT.

OR binds closer than AND, and what stands side by side is joined as by AND. Functions, wildcards and words without a
field are not part of what our lists can be asked. The tests of fields have operators and times in common.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import eq, ge, gt, le, lt, ne
from typing import TypeAlias

from openplaybook.resources.errors import InvalidFilter

MAX_LENGTH = 10_000
"""Characters of a filter."""
MAX_COMPARISONS = 100
"""In a filter; each is made for every resource."""
_MAX_DEPTH = 32
"""Parentheses and negations within each other."""

_FIELD = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_OPERATOR = re.compile(r"<=|>=|!=|[=<>:]")
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s()"]+)', re.DOTALL)
_KEYWORDS = ("AND", "OR", "NOT")


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """`field operator value`, such as `create_time > "2022-04-21T11:30:00-04:00"`."""

    field: str
    """As it was written."""
    operator: str
    """One of `= != < <= > >= :`."""
    value: str
    """Without quotes."""
    position: int
    """Where the field stands in the filter, from 0."""


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: Sequence["Filter"]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one part holds."""

    parts: Sequence["Filter"]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Filter: TypeAlias = FieldComparison | All | Some | Not


def parse_filter(text: str) -> Filter:
    """The filter that `text` spells; one that holds for everything when it is blank. Raises `InvalidFilter`."""
    if len(text) > MAX_LENGTH:
        raise InvalidFilter(f"it has {len(text)} characters; {MAX_LENGTH} are allowed")
    return _Reader(text).whole() if text.strip() else All(())


def holds(filter_: Filter, test: Callable[[FieldComparison], bool]) -> bool:
    """Whether a filter holds where `test` says so of each comparison."""
    match filter_:
        case All(parts):
            return all(holds(part, test) for part in parts)
        case Some(parts):
            return any(holds(part, test) for part in parts)
        case Not(part):
            return not holds(part, test)
        case FieldComparison():
            return test(filter_)


def comparisons(filter_: Filter) -> Sequence[FieldComparison]:
    """Every comparison in a filter, from left to right."""
    match filter_:
        case All(parts) | Some(parts):
            return [one for part in parts for one in comparisons(part)]
        case Not(part):
            return comparisons(part)
        case FieldComparison():
            return [filter_]


class _Reader:
    """A descent over the text, one method for each level of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._comparisons = 0

    def whole(self) -> Filter:
        tree = self._all()
        if self._at < len(self._text):
            raise self._error("expected AND, OR or the end")
        return tree

    def _all(self) -> Filter:
        parts = [self._some()]
        while self._keyword("AND") or self._goes_on():
            parts.append(self._some())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _some(self) -> Filter:
        parts = [self._term()]
        while self._keyword("OR"):
            parts.append(self._term())
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _term(self) -> Filter:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(f"nested more than {_MAX_DEPTH} levels deep")
        try:
            if self._keyword("NOT") or self._sign("-"):
                return Not(self._term())
            if self._sign("("):
                inner = self._all()
                if not self._sign(")"):
                    raise self._error("expected )")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> FieldComparison:
        position = self._at
        self._comparisons += 1
        if self._comparisons > MAX_COMPARISONS:
            raise self._error(f"more than {MAX_COMPARISONS} comparisons")
        field = self._taken(_FIELD, "a field")[0]
        if field in _KEYWORDS:
            self._at = position
            raise self._error("expected a field")
        operator = self._taken(_OPERATOR, "one of = != < <= > >= :")[0]
        value = self._taken(_VALUE, "a value; put one with blanks or parentheses in double quotes")
        self._blanks()
        quoted, bare = value.groups()
        return FieldComparison(field, operator, bare if quoted is None else re.sub(r"\\(.)", r"\1", quoted), position)

    def _goes_on(self) -> bool:
        """Whether another term stands beside the last one."""
        return self._at < len(self._text) and self._text[self._at] != ")"

    def _keyword(self, word: str) -> bool:
        self._blanks()
        match = re.compile(rf"{word}(?=[\s(-])").match(self._text, self._at)
        if match is not None:
            self._at = match.end()
            self._blanks()
        return match is not None

    def _sign(self, sign: str) -> bool:
        self._blanks()
        is_there = self._text.startswith(sign, self._at)
        if is_there:
            self._at += len(sign)
            self._blanks()
        return is_there

    def _taken(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        self._blanks()
        match = pattern.match(self._text, self._at)
        if match is None:
            raise self._error(f"expected {expected}")
        self._at = match.end()
        return match

    def _blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _error(self, what: str) -> InvalidFilter:
        return InvalidFilter(f"{what} at character {self._at + 1}")


ORDERED: Mapping[str, Callable[[float, float], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
"""What an operator says of numbers."""


def plain(field: str) -> str:
    """A field as Google's protos write it: REST users write `createTime`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)


def check_operator(comparison: FieldComparison, allowed: tuple[str, ...]) -> None:
    """Raise `InvalidFilter` for an operator that the field cannot be compared by."""
    if comparison.operator not in allowed:
        raise InvalidFilter(f"{comparison.field} cannot be compared by {comparison.operator}; use {' '.join(allowed)}")


def microseconds_of(comparison: FieldComparison) -> int:
    """The time that a field is compared with, since the epoch. Raises `InvalidFilter`."""
    try:
        time = datetime.fromisoformat(comparison.value)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise InvalidFilter(
            f"{comparison.field} is compared with {comparison.value!r}; "
            'write a time in RFC 3339, such as "2022-04-21T11:30:00-04:00"'
        )
    return int(time.timestamp()) * 1_000_000 + time.microsecond


def truth_of(comparison: FieldComparison) -> bool:
    """The boolean that a field is compared with. Raises `InvalidFilter`."""
    if comparison.value.lower() not in ("true", "false"):
        raise InvalidFilter(f"{comparison.field} is compared with {comparison.value!r}; it must be true or false")
    return comparison.value.lower() == "true"
