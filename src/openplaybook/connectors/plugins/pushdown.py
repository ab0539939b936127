"""Conditions in a system's own language, as far as it has one: what it cannot try, or tries otherwise, is left out.

What a system is given never leaves out an entity that meets the condition: of an AND parts may be missing, of an OR
none. All that it gives is tried again here, so that every system answers alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

from openplaybook.connectors.conditions.normal_form import conjuncts, normal
from openplaybook.connectors.conditions.syntax import (
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Test,
)

N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class NativeTest(Generic[N]):
    """A test, or several, in a system's language."""

    native: N
    is_whole: bool = True
    """Whether the system finds neither more nor less by it."""


class NativeLanguage(Protocol[N]):
    """How a system writes tests."""

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[N] | None:
        """One test; None where the system cannot try it, or would leave out what meets it."""
        ...

    def joined(self, terms: Sequence[N], *, is_all: bool) -> N:
        """Several, of which all or one must hold; at least two."""
        ...


def native_test(condition: Condition | None, language: NativeLanguage[N]) -> NativeTest[N] | None:
    """What of a condition a system can try; None where it is nothing."""
    return None if condition is None else _native(normal(condition), language)


def _native(condition: Condition, language: NativeLanguage[N]) -> NativeTest[N] | None:
    if isinstance(condition, ConditionConjunction | ConditionDisjunction):
        found = [_native(term, language) for term in condition.terms]
        return _joined(found, language, is_all=isinstance(condition, ConditionConjunction))
    if isinstance(condition, ConditionNegation):
        # In the normal form it stands before one test.
        return language.test(cast("Test", condition.term), is_negated=True)
    return language.test(condition, is_negated=False)


def _joined(
    found: Sequence[NativeTest[N] | None], language: NativeLanguage[N], *, is_all: bool
) -> NativeTest[N] | None:
    known = [each for each in found if each is not None]
    if not known or (not is_all and len(known) < len(found)):
        return None
    is_whole = len(known) == len(found) and all(each.is_whole for each in known)
    natives = [each.native for each in known]
    return NativeTest(natives[0] if len(natives) == 1 else language.joined(natives, is_all=is_all), is_whole)


def literal_prefix(likeness: Likeness) -> tuple[str, bool]:
    """The text with which all begin that are like a pattern, and whether a single `%` behind it is all there is
    besides."""
    text, position, pattern = "", 0, likeness.pattern
    while position < len(pattern):
        char = pattern[position]
        if char == "\\" and pattern[position + 1 : position + 2] in ("%", "_", "\\"):
            position += 1
            char = pattern[position]
        elif char in "%_":
            return text, pattern[position:] == "%"
        text += char
        position += 1
    return text, False


def equal_texts(condition: Condition | None, column: str) -> list[str]:
    """The texts to which a column must be equal for the condition to be met at all."""
    return [
        term.value
        for term in conjuncts(condition)
        if isinstance(term, ColumnComparison)
        and term.column == column
        and term.operator is ComparisonOperator.EQUAL
        and isinstance(term.value, str)
    ]
