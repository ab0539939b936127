"""Languages in which a condition is one text: a table of how each test is written, and one writer for all."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.normal_form import like_kind, normal
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
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
from openplaybook.connectors.rest.manifest.model import RestField

_SLOT = re.compile(r"\{(name|value|values|raw)\}")
Quoter = Callable[[Literal, DataType], str]


def _by_path(field: RestField) -> str:
    return field.path


class Inexpressible(Exception):
    """The language cannot say this; it is tried here."""


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column as a language knows it."""

    name: str
    data_type: DataType


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language writes conditions."""

    operators: Mapping[str, str]
    """`=`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not_in`, `like`, `not_like`, `contains`, `prefix`, `suffix`, `null`,
    `not_null` → a text with `{name}`, `{value}` (quoted), `{values}` or `{raw}` (within quotes that the text has). What
    is not there cannot be said. `= VARCHAR` is how it is written of columns of that type."""
    quoted: Quoter
    """A value as the language writes it. Raises `Inexpressible`."""
    all_joint: str = " AND "
    any_joint: str = " OR "
    """Empty: there are no alternatives."""
    value_joint: str = ", "
    group: str = "({})"
    """Empty: alternatives are of single tests only, and bind tighter than what is joined by `all_joint`."""
    named: Callable[[RestField], str] = _by_path
    """How a field is called."""
    before_condition: str = ""
    """What stands before a condition that is not empty, such as ` WHERE `."""
    before_order: str = " ORDER BY "
    order_joint: str = ", "
    ascending: str = "{name} ASC"
    descending: str = "{name} DESC"

    def written(self, condition: Condition, column: Callable[[str], NamedColumn]) -> str:
        """The text of a condition in normal form. Raises `Inexpressible`; `column` raises it for columns that the
        language does not know."""
        return _Writer(self, column).text(condition)

    def order(self, keys: list[tuple[str, bool]]) -> str:
        """The text that orders by names, True for descending; empty without any."""
        if not keys:
            return ""
        parts = [
            (self.descending if is_descending else self.ascending).format(name=name) for name, is_descending in keys
        ]
        return self.before_order + self.order_joint.join(parts)


class _Writer:
    def __init__(self, grammar: Grammar, column: Callable[[str], NamedColumn]) -> None:
        self._grammar = grammar
        self._column = column

    def text(self, condition: Condition, *, is_inner: bool = False) -> str:
        if isinstance(condition, ConditionNegation):
            return self._negated(condition.term)
        if isinstance(condition, ConditionConjunction):
            parts = [self.text(term, is_inner=True) for term in condition.terms]
            return self._grouped(self._grammar.all_joint.join(parts), is_inner=is_inner)
        if isinstance(condition, ConditionDisjunction):
            return self._any(condition, is_inner=is_inner)
        return self._test(condition)

    def _any(self, condition: ConditionDisjunction, *, is_inner: bool) -> str:
        grammar = self._grammar
        if not grammar.any_joint:
            raise Inexpressible
        if not grammar.group and any(isinstance(term, ConditionConjunction) for term in condition.terms):
            raise Inexpressible
        parts = [self.text(term, is_inner=True) for term in condition.terms]
        if not grammar.group and any(grammar.all_joint in part for part in parts):
            # One test may be written as two, of which an alternative would be to the last alone.
            raise Inexpressible
        joined = grammar.any_joint.join(parts)
        return self._grouped(joined, is_inner=is_inner) if grammar.group else joined

    def _grouped(self, text: str, *, is_inner: bool) -> str:
        if not is_inner:
            return text
        if not self._grammar.group:
            raise Inexpressible
        return self._grammar.group.format(text)

    def _negated(self, test: Condition) -> str:
        if isinstance(test, Absence):
            return self._filled("not_null", self._column(test.column))
        if isinstance(test, Membership):
            return self._membership(test, "not_in", "!=", self._grammar.all_joint)
        if isinstance(test, Likeness) and "not_like" in self._grammar.operators:
            return self._filled("not_like", self._column(test.column), _pattern(test))
        raise Inexpressible

    def _test(self, test: Test) -> str:
        column = self._column(test.column)
        if isinstance(test, Absence):
            return self._filled("null", column)
        if isinstance(test, ColumnComparison):
            return self._filled(test.operator.value, column, test.value)
        if isinstance(test, Membership):
            return self._membership(test, "in", "=", self._grammar.any_joint)
        if isinstance(test, Range):
            return self.text(normal(test), is_inner=True)
        kind, text = like_kind(test)
        if "like" in self._grammar.operators:
            return self._filled("like", column, _pattern(test))
        return self._filled(kind, column, text)

    def _membership(self, test: Membership, operator: str, single: str, joint: str) -> str:
        column = self._column(test.column)
        operators = self._grammar.operators
        template = operators.get(f"{operator} {column.data_type.value}", operators.get(operator))
        if template:
            values = self._grammar.value_joint.join(self._quoted(each, column) for each in test.values)
            return _slots(template, name=column.name, values=values)
        if not joint:
            raise Inexpressible
        parts = [self._filled(single, column, each) for each in test.values]
        text = joint.join(parts)
        return text if len(parts) == 1 or not self._grammar.group else self._grammar.group.format(text)

    def _filled(self, operator: str, column: NamedColumn, value: Literal | None = None) -> str:
        operators = self._grammar.operators
        template = operators.get(f"{operator} {column.data_type.value}") or operators.get(operator)
        if template is None:
            raise Inexpressible
        if value is None:
            return _slots(template, name=column.name)
        quoted = self._quoted(value, column)
        raw = quoted[1:-1] if "{raw}" in template and isinstance(value, str) else quoted
        return _slots(template, name=column.name, value=quoted, raw=raw)

    def _quoted(self, value: Literal, column: NamedColumn) -> str:
        return self._grammar.quoted(value, column.data_type)


def _pattern(test: Likeness) -> str:
    """Raises `Inexpressible` for one with backslashes: quoting would make texts of them."""
    if "\\" in test.pattern:
        raise Inexpressible
    return test.pattern


def _slots(template: str, **values: str) -> str:
    """In one pass: a value never is a template."""
    return _SLOT.sub(lambda found: values.get(found[1], ""), template)
