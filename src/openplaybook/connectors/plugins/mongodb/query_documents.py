"""Conditions as MongoDB's query documents, and which queries of others are let through."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias, cast

from bson.code import Code
from bson.objectid import ObjectId

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
from openplaybook.connectors.errors import InvalidValue, UnknownName, WriteRefused
from openplaybook.connectors.plugins.mongodb.bson_values import OBJECT_ID, moment_of
from openplaybook.connectors.plugins.pushdown import NativeTest, literal_prefix

QueryDocument: TypeAlias = dict[str, Any]
"""Of the driver's types."""

_OPERATORS = {
    ComparisonOperator.EQUAL: "$eq",
    ComparisonOperator.LESS: "$lt",
    ComparisonOperator.LESS_OR_EQUAL: "$lte",
    ComparisonOperator.GREATER: "$gt",
    ComparisonOperator.GREATER_OR_EQUAL: "$gte",
}
_NUMERIC_TEXT = re.compile(r"\s*[+-]?[\d.]")
_LARGEST_EXACT = 1 << 53
_NUMBERS = (DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL)
_READING_STAGES = frozenset(
    {
        *("$addFields", "$bucket", "$bucketAuto", "$count", "$densify", "$facet", "$fill", "$geoNear", "$graphLookup"),
        *("$group", "$limit", "$lookup", "$match", "$project", "$redact", "$replaceRoot", "$replaceWith", "$sample"),
        *("$set", "$setWindowFields", "$skip", "$sort", "$sortByCount", "$unionWith", "$unset", "$unwind"),
    }
)
_WRITING_STAGES = frozenset({"$out", "$merge"})
_PROGRAMS = frozenset({"$where", "$function", "$accumulator", "$eval"})
"""They run JavaScript in the server."""
_TYPE_ORDER = (
    ("minKey",),
    ("null",),
    ("double", "int", "long", "decimal"),
    ("string", "symbol"),
    ("object",),
    ("array",),
    ("binData",),
    ("objectId",),
    ("bool",),
    ("date",),
    ("timestamp",),
    ("regex",),
    ("maxKey",),
)
"""In which MongoDB orders values of different types."""


class QueryLanguage:
    """How MongoDB tests fields of the types that a sample has shown; a field of several types is not tried there."""

    def __init__(self, entity_type: EntityType) -> None:
        self._entity_type = entity_type

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[QueryDocument] | None:
        """One test."""
        field = self._entity_type.field(test.column)
        if field is None or field.name.startswith("$") or "." in field.name or field.is_key:
            return None
        if isinstance(test, Absence):
            return NativeTest({field.name: {"$ne": None} if is_negated else None})
        if isinstance(test, Likeness):
            prefix, is_whole = literal_prefix(test)
            if not prefix or is_negated or field.data_type is not DataType.STRING or field.schema == OBJECT_ID:
                return None
            return NativeTest({field.name: {"$regex": f"^{re.escape(prefix)}"}}, is_whole)
        if isinstance(test, Membership):
            values = _values(field, test.values, is_range=False)
            negative = [*(values or ()), None]
            return (
                None
                if values is None
                else NativeTest({field.name: {"$nin": negative} if is_negated else {"$in": values}})
            )
        return _comparison(field, test) if isinstance(test, ColumnComparison) else None

    def joined(self, terms: Sequence[QueryDocument], *, is_all: bool) -> QueryDocument:
        """Several."""
        return {"$and" if is_all else "$or": list(terms)}


def _comparison(field: Field, test: ColumnComparison) -> NativeTest[QueryDocument] | None:
    is_range = test.operator not in (ComparisonOperator.EQUAL, ComparisonOperator.UNEQUAL)
    values = _values(field, (test.value,), is_range=is_range)
    if values is None:
        return None
    if test.operator is ComparisonOperator.UNEQUAL:
        return NativeTest({field.name: {"$nin": [*values, None]}})
    return NativeTest({field.name: {_OPERATORS[test.operator]: values[0]}})


def _values(field: Field, literals: Sequence[Literal], *, is_range: bool) -> list[object] | None:
    """As the field's type has them; None where MongoDB would compare otherwise than conditions do."""
    found: list[object] = []
    for each in literals:
        value = _value(field, each, is_range=is_range)
        if value is None:
            return None
        found.append(value)
    return found


def _value(field: Field, literal: Literal, *, is_range: bool) -> object:
    kind = field.data_type
    if kind is DataType.BOOLEAN:
        return literal if isinstance(literal, bool) and not is_range else None
    if isinstance(literal, bool):
        return None
    if kind in _NUMBERS:
        return _number(literal)
    if not isinstance(literal, str):
        return None
    if kind is DataType.TIMESTAMP_WITH_ZONE:
        try:
            moment = moment_of(literal)
        except ValueError:
            return None
        return None if moment.microsecond % 1_000 else moment
    if kind is not DataType.STRING or (is_range and _NUMERIC_TEXT.match(literal)):
        return None
    if field.schema == OBJECT_ID:
        return ObjectId(literal) if ObjectId.is_valid(literal) and len(literal) == 24 else None
    return literal


def _number(literal: str | int | Decimal) -> object:
    if isinstance(literal, int):
        return literal if abs(literal) <= _LARGEST_EXACT else None
    if isinstance(literal, Decimal):
        return float(literal) if abs(literal) < _LARGEST_EXACT and Decimal(repr(float(literal))) == literal else None
    return None


def behind(identifier: object) -> QueryDocument:
    """Documents behind an identifier, of whatever type theirs is: `$gt` alone finds only those of its own. Of null and
    the two ends there is one each."""
    order = next((place for place, kinds in enumerate(_TYPE_ORDER) if _kind(identifier) in kinds), len(_TYPE_ORDER))
    later = [kind for kinds in _TYPE_ORDER[order + 1 :] for kind in kinds]
    more = [{"_id": {"$type": later}}] if later else []
    return {"$or": [{"_id": {"$gt": identifier}}, *more]}


def _kind(identifier: object) -> str:
    kinds: Mapping[type, str] = {bool: "bool", str: "string", dict: "object", bytes: "binData", ObjectId: "objectId"}
    named = next((kind for each, kind in kinds.items() if isinstance(identifier, each)), "")
    other = {
        "NoneType": "null",
        "MinKey": "minKey",
        "MaxKey": "maxKey",
        "Binary": "binData",
        "UUID": "binData",
        "datetime": "date",
        "DatetimeMS": "date",
        "Timestamp": "timestamp",
        "Regex": "regex",
    }
    return named or other.get(type(identifier).__name__, "double")


def checked_query(query: object, name: str) -> QueryDocument:
    """A query of somebody else. Raises `InvalidValue` where it holds a program."""
    for key, value in _members(query):
        if key in _PROGRAMS or isinstance(value, Code):
            raise InvalidValue(name, f"may not hold {key}: no program is run in the system")
    if not isinstance(query, dict):
        raise InvalidValue(name, "must be an object")
    return cast(QueryDocument, query)


def checked_pipeline(pipeline: object, collections: Collection[str]) -> list[QueryDocument]:
    """Stages of somebody else. Raises `InvalidValue`, `WriteRefused` for those that write, and `UnknownName` for other
    collections than these."""
    if not isinstance(pipeline, list):
        raise InvalidValue("pipeline", "must be an array of stages")
    stages = [checked_query(each, "pipeline") for each in cast("list[object]", pipeline)]
    for stage in stages:
        _check_stage(stage, collections)
    return stages


def _check_stage(stage: QueryDocument, collections: Collection[str]) -> None:
    if len(stage) != 1:
        raise InvalidValue("pipeline", "must hold stages of one operator each")
    [(operator, inner)] = stage.items()
    if operator in _WRITING_STAGES:
        raise WriteRefused(f"the stage {operator} writes; an aggregation here only reads")
    if operator not in _READING_STAGES:
        raise InvalidValue("pipeline", f"may not hold {operator}; it may: {', '.join(sorted(_READING_STAGES))}")
    members = cast("dict[str, object]", inner) if isinstance(inner, dict) else {}
    named = [members.get("from"), members.get("coll")] if operator in ("$lookup", "$graphLookup", "$unionWith") else []
    for each in [*named, inner if operator == "$unionWith" and isinstance(inner, str) else None]:
        if each is not None and each not in collections:
            raise UnknownName("entity", str(each), collections)
    nested = list(members.values()) if operator == "$facet" else [members.get("pipeline")]
    for each in nested if operator in ("$facet", "$lookup", "$unionWith") else ():
        if each is not None:
            checked_pipeline(each, collections)


def _members(value: object) -> Iterator[tuple[str, object]]:
    left: list[object] = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            for key, inner in cast("dict[object, object]", part).items():
                yield str(key), inner
                left.append(inner)
        elif isinstance(part, list):
            left += cast("list[object]", part)
