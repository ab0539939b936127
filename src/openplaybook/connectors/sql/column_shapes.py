"""From the types of a database's columns to what their values are."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from sqlalchemy import types
from sqlalchemy.engine.interfaces import ReflectedColumn

from openplaybook.connectors.base import DataType
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import ColumnShape

_VALUE = re.compile(r"'((?:[^']|'')*)'")
_CAST = re.compile(r"::[a-z ]+(?:\[\])?")
_BRACKETS = re.compile(r"[()\[\]`\"\s]|ARRAY")
_LIST = re.compile(r"(\w+)(?:IN|=ANY)\$(?:,\$)*", re.IGNORECASE)
SMALL = (-(2**15), 2**15 - 1)
WHOLE = (-(2**31), 2**31 - 1)
BIG = (-(2**63), 2**63 - 1)

_BINARY = (types.LargeBinary, types.BINARY, types.VARBINARY)
_SIMPLE: tuple[tuple[type[object] | tuple[type[object], ...], DataType], ...] = (
    (types.Uuid, DataType.UUID),
    (types.Boolean, DataType.BOOLEAN),
    (types.Float, DataType.DOUBLE),
    (types.Date, DataType.DATE),
    (types.Time, DataType.TIME),
    (types.Interval, DataType.OTHER),
)
"""The more special first: a float is a kind of number to SQLAlchemy."""


def column_shape(database: Database, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape:
    """What a reflected column holds; `rules` are the check constraints of its table."""
    shape = database.shape(column, rules) or type_shape(column["type"])
    if shape.values or shape.data_type not in (DataType.STRING, DataType.TEXT):
        return shape
    return replace(shape, values=_listed(column["name"], rules))


def _listed(name: str, rules: Sequence[str]) -> tuple[str, ...]:
    """The values that a rule `column IN ('a', 'b')` lists, as databases write it back."""
    for rule in rules:
        found = _LIST.fullmatch(_BRACKETS.sub("", _CAST.sub("", _VALUE.sub("$", rule))))
        if found and found[1] == name:
            return tuple(each.replace("''", "'") for each in _VALUE.findall(rule))
    return ()


def type_shape(kind: "types.TypeEngine[object]") -> ColumnShape:
    """The same for the types that all databases have."""
    if isinstance(kind, types.ARRAY):
        element = type_shape(cast("types.ARRAY[object]", kind).item_type)
        return ColumnShape(DataType.ARRAY, element=element, is_comparable=False)
    if isinstance(kind, types.JSON):
        return ColumnShape(DataType.STRUCT, is_comparable=False)
    if isinstance(kind, _BINARY):
        return ColumnShape(DataType.BINARY, is_comparable=False)
    if isinstance(kind, types.Enum):
        return ColumnShape(DataType.STRING, values=tuple(map(str, kind.enums)))
    for families, data_type in _SIMPLE:
        if isinstance(kind, families):
            return ColumnShape(data_type, is_comparable=data_type is not DataType.OTHER)
    if isinstance(kind, types.DateTime):
        has_zone = bool(getattr(kind, "timezone", False))
        return ColumnShape(DataType.TIMESTAMP_WITH_ZONE if has_zone else DataType.TIMESTAMP)
    return _number(kind) or _text(kind) or ColumnShape(DataType.OTHER, is_comparable=False)


def whole(data_type: DataType, bounds: tuple[int, int]) -> ColumnShape:
    """A whole number within bounds."""
    return ColumnShape(data_type, smallest=bounds[0], largest=bounds[1])


def _number(kind: "types.TypeEngine[object]") -> ColumnShape | None:
    if isinstance(kind, types.SmallInteger):
        return whole(DataType.SMALLINT, SMALL)
    if isinstance(kind, types.BigInteger):
        return whole(DataType.BIGINT, BIG)
    if isinstance(kind, types.Integer):
        return whole(DataType.INTEGER, WHOLE)
    if isinstance(kind, types.Numeric):
        return ColumnShape(DataType.DECIMAL, digits=kind.precision, places=kind.scale)
    return None


def _text(kind: "types.TypeEngine[object]") -> ColumnShape | None:
    if isinstance(kind, types.Text):
        return ColumnShape(DataType.TEXT)
    if isinstance(kind, types.String):
        return ColumnShape(DataType.STRING, most_characters=kind.length)
    return None
