"""Conditions as texts with named parameters, in which Cypher and SQL++ are alike."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from openplaybook.connectors.base import DataType, EntityType, Field
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Likeness,
    Literal,
    Membership,
    Test,
)
from openplaybook.connectors.plugins.pushdown import NativeTest, literal_prefix

Parameters: TypeAlias = dict[str, object]
_LARGEST_EXACT = 1 << 53
_NUMERIC_TEXT = re.compile(r"\s*[+-]?[\d.]")


@dataclass(frozen=True, slots=True)
class ConditionDialect:
    """In what they differ."""

    column: Callable[[str], str]
    """How a field is written."""
    absent: str
    """Behind a field: that it has no value."""
    present: str
    prefix: Callable[[str], tuple[str, str]]
    """Operator and value for texts that begin with one."""


class ParameterTests:
    """Writes tests of fields of the types that a sample has shown, their values into `parameters`."""

    def __init__(self, dialect: ConditionDialect, entity_type: EntityType) -> None:
        self._dialect = dialect
        self._entity_type = entity_type
        self.parameters: Parameters = {}

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[str] | None:
        """One test."""
        field = self._entity_type.field(test.column)
        if field is None or field.is_key:
            return None
        column = self._dialect.column(field.name)
        if isinstance(test, Absence):
            return NativeTest(f"{column} {self._dialect.present if is_negated else self._dialect.absent}")
        if isinstance(test, Likeness):
            prefix, is_whole = literal_prefix(test)
            if not prefix or is_negated or field.data_type is not DataType.STRING:
                return None
            operator, value = self._dialect.prefix(prefix)
            return NativeTest(f"{column} {operator} {self._bound(value)}", is_whole)
        if isinstance(test, Membership):
            values = [_value(field, each, is_range=False) for each in test.values]
            if None in values:
                return None
            return NativeTest(f"{'NOT ' if is_negated else ''}{column} IN {self._bound(values)}")
        if not isinstance(test, ColumnComparison):
            return None
        is_range = test.operator not in (ComparisonOperator.EQUAL, ComparisonOperator.UNEQUAL)
        value = _value(field, test.value, is_range=is_range)
        if value is None:
            return None
        operator = "<>" if test.operator is ComparisonOperator.UNEQUAL else test.operator.value
        return NativeTest(f"{column} {operator} {self._bound(value)}")

    def joined(self, terms: Sequence[str], *, is_all: bool) -> str:
        """Several."""
        return f"({(' AND ' if is_all else ' OR ').join(terms)})"

    def _bound(self, value: object) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"


def _value(field: Field, literal: Literal, *, is_range: bool) -> object:
    """As the field's type has it; None where Neo4j would compare otherwise than conditions do."""
    kind = field.data_type
    if kind is DataType.BOOLEAN:
        return literal if isinstance(literal, bool) and not is_range else None
    if isinstance(literal, bool):
        return None
    if kind in (DataType.BIGINT, DataType.DOUBLE):
        if isinstance(literal, int):
            return literal if abs(literal) <= _LARGEST_EXACT else None
        is_exact = isinstance(literal, Decimal) and Decimal(repr(float(literal))) == literal
        return float(literal) if is_exact and not isinstance(literal, str) else None
    is_text = kind is DataType.STRING and isinstance(literal, str)
    return literal if is_text and not (is_range and _NUMERIC_TEXT.match(str(literal))) else None
