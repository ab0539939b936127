"""List filters in Google's filter language (https://google.aip.dev/160): comparisons joined by AND, OR and NOT.

OR binds closer than AND, and what stands side by side is joined as by AND. Functions, wildcards and words without a
field are not part of what our lists can be asked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
        found = self._all()
        if self._at < len(self._text):
            raise self._error("expected AND, OR or the end")
        return found

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
        found = re.compile(rf"{word}(?=[\s(-])").match(self._text, self._at)
        if found is not None:
            self._at = found.end()
            self._blanks()
        return found is not None

    def _sign(self, sign: str) -> bool:
        self._blanks()
        found = self._text.startswith(sign, self._at)
        if found:
            self._at += len(sign)
            self._blanks()
        return found

    def _taken(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        self._blanks()
        found = pattern.match(self._text, self._at)
        if found is None:
            raise self._error(f"expected {expected}")
        self._at = found.end()
        return found

    def _blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _error(self, what: str) -> InvalidFilter:
        return InvalidFilter(f"{what} at character {self._at + 1}")
