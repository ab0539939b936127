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

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TypeAlias

Literal: TypeAlias = str | int | Decimal | bool


class Operator(Enum):
    """How a column is compared with a value."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    LESS_OR_EQUAL = "<="
    GREATER = ">"
    GREATER_OR_EQUAL = ">="


@dataclass(frozen=True, slots=True)
class Comparison:
    """`column op value`."""

    column: str
    operator: Operator
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
class Negation:
    """`NOT term`."""

    term: "Condition"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`term AND term …`; at least two."""

    terms: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`term OR term …`; at least two."""

    terms: tuple["Condition", ...]


Test: TypeAlias = Comparison | Membership | Likeness | Range | Absence
Condition: TypeAlias = Test | Negation | Conjunction | Disjunction


def tests_of(condition: Condition) -> Iterator[Test]:
    """The tests of single columns in a condition, from left to right."""
    if isinstance(condition, Negation):
        yield from tests_of(condition.term)
    elif isinstance(condition, Conjunction | Disjunction):
        for term in condition.terms:
            yield from tests_of(term)
    else:
        yield condition


def columns_of(condition: Condition | None) -> tuple[str, ...]:
    """The columns that a condition names, each once."""
    return () if condition is None else tuple(dict.fromkeys(test.column for test in tests_of(condition)))
