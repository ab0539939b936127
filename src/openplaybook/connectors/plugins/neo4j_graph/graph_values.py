"""Values of Neo4j as JSON, and the other way."""

import math
from base64 import b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from neo4j import graph, spatial, time

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

_LARGEST_EXACT = 1 << 53
_LARGEST = 1 << 63
_MOMENTS = (time.DateTime, time.Date, time.Time, time.Duration)


def graph_type(value: object) -> DataType | None:
    """The type of a property; None for null."""
    if value is None:
        return None
    if isinstance(value, time.DateTime):
        return DataType.TIMESTAMP if value.tzinfo is None else DataType.TIMESTAMP_WITH_ZONE
    kinds: tuple[tuple[type, DataType], ...] = (
        (bool, DataType.BOOLEAN),
        (int, DataType.BIGINT),
        (float, DataType.DOUBLE),
        (str, DataType.STRING),
        (time.Date, DataType.DATE),
        (time.Time, DataType.TIME),
        (bytes, DataType.BINARY),
        (list, DataType.ARRAY),
        (spatial.Point, DataType.STRUCT),
    )
    return next((kind for each, kind in kinds if isinstance(value, each)), DataType.OTHER)


def json_of(value: object) -> JsonValue:
    """A value as JSON; nodes and relations with their properties."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode("ascii")
    if isinstance(value, _MOMENTS):
        return value.iso_format()
    if isinstance(value, spatial.Point):
        coordinates = [float(each) for each in cast("tuple[float, ...]", value)]
        return {"srid": value.srid, "coordinates": coordinates}
    if isinstance(value, list):
        return [json_of(each) for each in cast("list[object]", value)]
    return _whole(value)


def _whole(value: object) -> JsonValue:
    if isinstance(value, graph.Node):
        return {**_properties(value), "_id": value.element_id, "_labels": sorted(value.labels)}
    if isinstance(value, graph.Relationship):
        ends = [each.element_id if each is not None else None for each in value.nodes]
        return {**_properties(value), "_id": value.element_id, "_type": value.type, "_start": ends[0], "_end": ends[1]}
    if isinstance(value, graph.Path):
        return {
            "nodes": [json_of(each) for each in value.nodes],
            "relationships": [json_of(r) for r in value.relationships],
        }
    if isinstance(value, Mapping):
        return {str(name): json_of(each) for name, each in cast("Mapping[object, object]", value).items()}
    return str(value)


def _properties(entity: graph.Entity) -> JsonObject:
    return {name: json_of(each) for name, each in entity.items()}


def property_of(value: JsonValue, field: Field | None, name: str) -> object:
    """JSON as a property. Raises `InvalidValue`: a property is no object, and a list holds values of one kind."""
    kind = field.data_type if field is not None else None
    if isinstance(value, str):
        return _of_text(value, kind, name)
    if isinstance(value, dict):
        raise InvalidValue(name, "is an object, which no property can hold")
    if isinstance(value, list):
        inner = [property_of(each, None, name) for each in as_list(value)]
        if any(each is None or isinstance(each, list) for each in inner) or len({type(each) for each in inner}) > 1:
            raise InvalidValue(name, "must be a list of values of one kind, without null")
        return inner
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise InvalidValue(name, "is a larger whole number than Neo4j keeps (64 bits)")
    is_float = kind is DataType.DOUBLE or isinstance(value, Decimal | float)
    return float(value) if is_float else value


def _of_text(text: str, kind: DataType | None, name: str) -> object:
    try:
        if kind in (DataType.TIMESTAMP, DataType.TIMESTAMP_WITH_ZONE):
            return cast(Any, time.DateTime).from_iso_format(text)
        if kind is DataType.DATE:
            return time.Date.from_iso_format(text)
        if kind is DataType.TIME:
            return time.Time.from_iso_format(text)
    except ValueError:
        raise InvalidValue(name, f"{text[:60]!r} is no {kind.value if kind else 'value'}") from None
    return text
