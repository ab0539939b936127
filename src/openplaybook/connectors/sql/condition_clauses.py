"""Conditions as clauses: columns from reflection, values as bound parameters, nothing else."""

import re
from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import cast

from sqlalchemy import BindParameter, Boolean, ColumnElement, and_, bindparam, not_, or_, type_coerce
from sqlalchemy.sql.elements import Grouping

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
    Test,
)
from openplaybook.connectors.errors import InvalidCondition, InvalidValue
from openplaybook.connectors.sql.column_values import condition_value
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import DatabaseColumn, DatabaseTable

_MOST_TERMS = 100
_PART = re.compile(r"\\[\\%_]|.", re.DOTALL)
_COMPARE: Mapping[ComparisonOperator, Callable[[ColumnElement[object], BindParameter[object]], object]] = {
    ComparisonOperator.EQUAL: eq,
    ComparisonOperator.UNEQUAL: ne,
    ComparisonOperator.LESS: lt,
    ComparisonOperator.LESS_OR_EQUAL: le,
    ComparisonOperator.GREATER: gt,
    ComparisonOperator.GREATER_OR_EQUAL: ge,
}


class ConditionClauses:
    """Makes clauses for one table."""

    def __init__(self, database: Database, table: DatabaseTable) -> None:
        self._database = database
        self._table = table

    def clause(self, condition: Condition) -> ColumnElement[bool]:
        """A condition as a clause. Raises `InvalidCondition` for a column that there is not, or that cannot be
        compared, and `InvalidValue` for a value that is none of the column's type."""
        if isinstance(condition, ConditionNegation):
            return not_(self.clause(condition.term))
        if isinstance(condition, ConditionConjunction):
            return _joined(and_, [*map(self.clause, condition.terms)])
        if isinstance(condition, ConditionDisjunction):
            return _joined(or_, [*map(self.clause, condition.terms)])
        return self._tested(condition)

    def _tested(self, test: Test) -> ColumnElement[bool]:
        column = self._column(test)
        element = column.expression
        if isinstance(test, Absence):
            return element.is_(None)
        if isinstance(test, Likeness):
            return self._database.like(element, column.shape, self._pattern(column, test.pattern))
        if isinstance(test, Membership):
            return element.in_([self._value(column, each) for each in test.values])
        if isinstance(test, ColumnComparison):
            compare = _COMPARE[test.operator]
            return cast("ColumnElement[bool]", compare(element, self._value(column, test.value)))
        return and_(element >= self._value(column, test.low), element <= self._value(column, test.high))

    def _column(self, test: Test) -> DatabaseColumn:
        column = self._table.columns.get(test.column)
        usable = [each.name for each in self._table.columns.values() if each.field.is_filterable]
        if column is None:
            raise InvalidCondition(f"there is no column {test.column!r}; there are: {', '.join(usable)}", 0)
        if not column.field.is_filterable and not isinstance(test, Absence):
            known = ", ".join(usable)
            raise InvalidCondition(f"{test.column} can only be tested with IS NULL; others can be: {known}", 0)
        return column

    def _value(self, column: DatabaseColumn, literal: Literal) -> BindParameter[object]:
        return parameter(self._database, column, condition_value(column.name, column.shape, literal))

    def _pattern(self, column: DatabaseColumn, pattern: str) -> str:
        if "\0" in pattern and self._database.refuses_nul:
            raise InvalidValue(column.name, "cannot be compared with a text that has the character 0")
        signs = {"%": self._database.any_text, "_": self._database.any_character}
        found = _PART.findall(pattern)
        return "".join(signs[part] if part in signs else self._database.escaped(part[-1]) for part in found)


def _joined(join: "Callable[..., ColumnElement[bool]]", terms: Sequence[ColumnElement[bool]]) -> ColumnElement[bool]:
    """Many terms in groups: SQLite takes a thousand levels, and reads a chain of terms as that many."""
    if len(terms) <= _MOST_TERMS:
        return join(*terms)
    groups = [terms[start : start + _MOST_TERMS] for start in range(0, len(terms), _MOST_TERMS)]
    # Parentheses alone would be taken away again.
    return _joined(join, [type_coerce(Grouping(join(*each)), Boolean()) for each in groups])


def parameter(database: Database, column: DatabaseColumn, value: object) -> BindParameter[object]:
    """A Python value of a column as a bound parameter. Raises `InvalidValue` for a text that the database has not."""
    if database.refuses_nul and isinstance(value, str) and "\0" in value:
        raise InvalidValue(column.name, "must be a text without the character 0")
    return bindparam(None, database.bound(value, column.shape), type_=column.element.type, unique=True)
