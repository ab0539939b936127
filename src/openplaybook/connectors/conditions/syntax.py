"""The tree of a condition, such as `status = 'open' AND (age >= 3 OR name LIKE 'A%')`.

    expr := term (OR term)*
    term := factor (AND factor)*
    factor := NOT factor | (expr) | column op value | column [NOT] IN (value, …) | column [NOT] LIKE 'text'
            | column [NOT] BETWEEN value AND value | column IS [NOT] NULL
    op := = != <> < > <= >=
    value := 'text' ('' for a quote) | number | TRUE | FALSE

A column is a name, with dots for what is nested (`address.city`), or any text in double quotes or backticks. Comparing
with what is not there (null) is neither true nor false, as in SQL.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

Literal: TypeAlias = str | int | Decimal | bool


class ComparisonOperator(Enum):
    """How a column is compared with a value."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    LESS_OR_EQUAL = "<="
    GREATER = ">"
    GREATER_OR_EQUAL = ">="


@dataclass(frozen=True, slots=True)
class ColumnComparison:
    """`column op value`."""

    column: str
    operator: ComparisonOperator
    value: Literal


@dataclass(frozen=True, slots=True)
class Membership:
    """`column IN (…)`; at least one value."""

    column: str
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """`column LIKE pattern`: `%` stands for any text, `_` for one character, and a backslash before either for itself.
    Upper and lower case are told apart."""

    column: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Range:
    """`column BETWEEN low AND high`, both included."""

    column: str
    low: Literal
    high: Literal


@dataclass(frozen=True, slots=True)
class Absence:
    """`column IS NULL`."""

    column: str


@dataclass(frozen=True, slots=True)
class ConditionNegation:
    """`NOT term`."""

    term: "Condition"


@dataclass(frozen=True, slots=True)
class ConditionConjunction:
    """`term AND term …`; at least two."""

    terms: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class ConditionDisjunction:
    """`term OR term …`; at least two."""

    terms: tuple["Condition", ...]


Test: TypeAlias = ColumnComparison | Membership | Likeness | Range | Absence
Condition: TypeAlias = Test | ConditionNegation | ConditionConjunction | ConditionDisjunction


def tests_of(condition: Condition) -> Iterator[Test]:
    """The tests of single columns in a condition, from left to right."""
    if isinstance(condition, ConditionNegation):
        yield from tests_of(condition.term)
    elif isinstance(condition, ConditionConjunction | ConditionDisjunction):
        for term in condition.terms:
            yield from tests_of(term)
    else:
        yield condition


def columns_of(condition: Condition | None) -> tuple[str, ...]:
    """The columns that a condition names, each once."""
    return () if condition is None else tuple(dict.fromkeys(test.column for test in tests_of(condition)))


def renamed(condition: Condition, names: Mapping[str, str]) -> Condition:
    """The same condition with other names for its columns."""
    if isinstance(condition, ConditionNegation):
        return ConditionNegation(renamed(condition.term, names))
    if isinstance(condition, ConditionConjunction | ConditionDisjunction):
        return replace(condition, terms=tuple(renamed(term, names) for term in condition.terms))
    return replace(condition, column=names.get(condition.column, condition.column))
