"""Values of Firestore as JSON, and the other way."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from decimal import Decimal

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number

_WHOLE = re.compile(r"-?[0-9]{1,19}")
_LARGEST_EXACT = 1 << 53
_LARGEST = 1 << 63
_TYPES: Mapping[str, DataType | None] = {
    "nullValue": None,
    "booleanValue": DataType.BOOLEAN,
    "integerValue": DataType.BIGINT,
    "doubleValue": DataType.DOUBLE,
    "timestampValue": DataType.TIMESTAMP_WITH_ZONE,
    "stringValue": DataType.STRING,
    "bytesValue": DataType.BINARY,
    "referenceValue": DataType.STRING,
    "geoPointValue": DataType.STRUCT,
    "arrayValue": DataType.ARRAY,
    "mapValue": DataType.STRUCT,
}


def value_type(value: JsonValue) -> DataType | None:
    """The type of a value; None for null."""
    return _TYPES.get(next(iter(as_object(value)), ""), DataType.OTHER)


def json_value(value: JsonValue) -> JsonValue:
    """A value as JSON."""
    kind, inner = next(iter(as_object(value).items()), ("nullValue", None))
    if kind == "integerValue":
        text = str(inner)
        is_exact = _WHOLE.fullmatch(text) is not None and abs(int(text)) <= _LARGEST_EXACT
        return int(text) if is_exact else text
    if kind == "arrayValue":
        return [json_value(each) for each in as_list(as_object(inner).get("values"))]
    if kind == "mapValue":
        return json_fields(as_object(inner).get("fields"))
    return None if kind == "nullValue" else inner


def json_fields(fields: JsonValue) -> JsonObject:
    """The fields of a document as JSON."""
    return {name: json_value(each) for name, each in as_object(fields).items()}


def native_value(value: JsonValue, kind: DataType | None, name: str) -> JsonObject:
    """JSON as a value of a field's type; without one, or with one that it does not suit, as JSON has it. Raises
    `InvalidValue`."""
    if value is None:
        return {"nullValue": "NULL_VALUE"}
    if isinstance(value, str):
        return _of_text(value, kind, name)
    if isinstance(value, bool):
        return {"booleanValue": value}
    if isinstance(value, int):
        if kind is DataType.DOUBLE:
            return {"doubleValue": value}
        if not -_LARGEST <= value < _LARGEST:
            raise InvalidValue(name, "is a larger whole number than Firestore keeps (64 bits)")
        return {"integerValue": str(value)}
    if is_number(value):
        return {"doubleValue": float(value)}
    if isinstance(value, list):
        return {"arrayValue": {"values": [native_value(each, None, name) for each in as_list(value)]}}
    return {"mapValue": {"fields": {key: native_value(each, None, name) for key, each in as_object(value).items()}}}


def _of_text(text: str, kind: DataType | None, name: str) -> JsonObject:
    if kind is DataType.TIMESTAMP_WITH_ZONE:
        return {"timestampValue": text}
    if kind is DataType.BINARY:
        try:
            b64decode(text, validate=True)
        except (Base64Error, ValueError):
            raise InvalidValue(name, "is no base64") from None
        return {"bytesValue": text}
    if kind is DataType.BIGINT and _WHOLE.fullmatch(text) and -_LARGEST <= int(text) < _LARGEST:
        return {"integerValue": text}
    return {"stringValue": text}


def native_literal(value: str | int | Decimal | bool, kind: DataType) -> JsonObject | None:
    """A literal of a condition for a field of a type, where Firestore compares the two as conditions do; None where it
    would find less."""
    if kind is DataType.STRING and isinstance(value, str):
        return {"stringValue": value}
    if kind is DataType.BOOLEAN and isinstance(value, bool):
        return {"booleanValue": value}
    if kind not in (DataType.BIGINT, DataType.DOUBLE) or isinstance(value, bool | str):
        return None
    if isinstance(value, int):
        return {"integerValue": str(value)} if abs(value) <= _LARGEST_EXACT else None
    return {"doubleValue": float(value)} if Decimal(repr(float(value))) == value else None
