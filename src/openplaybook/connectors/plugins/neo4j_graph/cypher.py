"""Conditions in Cypher with parameters, and what is let through of queries of others."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

from openplaybook.connectors.base import DataType, EntityType, Field, SqlQuery
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Likeness,
    Literal,
    Membership,
    Test,
)
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.pushdown import NativeTest, literal_prefix

Parameters: TypeAlias = dict[str, object]
_LARGEST_EXACT = 1 << 53
_NUMERIC_TEXT = re.compile(r"\s*[+-]?[\d.]")
_PIECE = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`|//[^\n]*|/\*.*?\*/|\?|['"`]|/\*""", re.VERBOSE | re.DOTALL
)
_LOADING = re.compile(r"\bLOAD\s+CSV\b", re.IGNORECASE)
_MOST_CHARACTERS = 50_000


class CypherLanguage:
    """Writes tests of properties of `n`, their values into `parameters`; of the types that a sample has shown."""

    def __init__(self, entity_type: EntityType) -> None:
        self._entity_type = entity_type
        self.parameters: Parameters = {}

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[str] | None:
        """One test."""
        field = self._entity_type.field(test.column)
        if field is None or field.is_key:
            return None
        column = f"n.{quoted(field.name)}"
        if isinstance(test, Absence):
            return NativeTest(f"{column} IS {'NOT ' if is_negated else ''}NULL")
        if isinstance(test, Likeness):
            prefix, is_whole = literal_prefix(test)
            if not prefix or is_negated or field.data_type is not DataType.STRING:
                return None
            return NativeTest(f"{column} STARTS WITH {self._bound(prefix)}", is_whole)
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


def quoted(name: str) -> str:
    """A name of a label or a property, whatever it holds. Raises `InvalidValue`."""
    if not name or "\0" in name or "\\u" in name.lower() or len(name) > 1_000:
        # Cypher reads \\uXXXX as the character, in names too: one of these is a backtick.
        raise InvalidValue(name[:60], "is no name of a label or a property")
    return f"`{name.replace('`', '``')}`"


def bound_query(query: SqlQuery) -> tuple[str, Parameters]:
    """The text of a query with names in place of its `?`, and their values. Raises `InvalidValue`."""
    if len(query.text) > _MOST_CHARACTERS:
        raise InvalidValue("query", f"has at most {_MOST_CHARACTERS:,} characters")
    parameters: Parameters = {}
    bare: list[str] = []
    text: list[str] = []
    end = 0
    for piece in _PIECE.finditer(query.text):
        between = query.text[end : piece.start()]
        bare.append(between + " ")
        text.append(between)
        end = piece.end()
        if piece[0] in ("'", '"', "`", "/*"):
            raise InvalidValue("query", f"the {piece[0]} at character {piece.start() + 1} is not closed")
        if piece[0] != "?":
            text.append(piece[0])
            continue
        if len(parameters) == len(query.parameters):
            raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for more ?")
        name = f"q{len(parameters)}"
        parameters[name] = query.parameters[len(parameters)].value
        text.append(f"${name}")
    if len(parameters) != len(query.parameters):
        raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for {len(parameters)} ?")
    bare.append(query.text[end:])
    if _LOADING.search("".join(bare)) or "\\u" in "".join(bare):
        raise InvalidValue("query", "may not hold LOAD CSV, which reads files and addresses from within the system")
    return "".join([*text, query.text[end:]]), parameters
