"""Values of BSON as JSON, and the other way; keys of documents as texts."""

import math
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import cast
from uuid import UUID

from bson import json_util
from bson.binary import Binary, UuidRepresentation
from bson.codec_options import DatetimeConversion
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.errors import BSONError
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.timestamp import Timestamp

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_LARGEST_EXACT = 1 << 53
_LARGEST = 1 << 63
_OBJECT_ID = re.compile(r"[0-9a-f]{24}")
_OTHER_KEY = re.compile(r'[-\d"{\[]|true$|false$|null$')
_EXTENDED = json_util.RELAXED_JSON_OPTIONS.with_options(
    tz_aware=True,
    tzinfo=UTC,
    uuid_representation=UuidRepresentation.STANDARD,
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
)
OBJECT_ID: JsonObject = {"type": "string", "pattern": "^[0-9a-f]{24}$"}
"""Schema of a field that holds MongoDB's own kind of identifier."""
_TYPES: Sequence[tuple[type | tuple[type, ...], DataType]] = (
    (bool, DataType.BOOLEAN),
    (int, DataType.BIGINT),
    (float, DataType.DOUBLE),
    (str, DataType.STRING),
    (ObjectId, DataType.STRING),
    (Decimal128, DataType.DECIMAL),
    ((datetime, DatetimeMS), DataType.TIMESTAMP_WITH_ZONE),
    (UUID, DataType.UUID),
    ((bytes, Binary), DataType.BINARY),
    (list, DataType.ARRAY),
    (dict, DataType.STRUCT),
)


def bson_type(value: object) -> DataType | None:
    """The type of a value; None for null."""
    if value is None:
        return None
    return next((kind for classes, kind in _TYPES if isinstance(value, classes)), DataType.OTHER)


def json_of(value: object) -> JsonValue:
    """A value as JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value) if abs(value) <= _LARGEST_EXACT else str(int(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list):
        return [json_of(each) for each in cast("list[object]", value)]
    if isinstance(value, Mapping):
        return {str(name): json_of(each) for name, each in cast("Mapping[object, object]", value).items()}
    return _text_of(value)


def _text_of(value: object) -> str:
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Timestamp):
        return _text_of(value.as_datetime())
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, DatetimeMS):
        return str(int(value))
    return str(value)


def bson_of(value: JsonValue, field: Field | None, name: str) -> object:
    """JSON as a value of a field's type; without one, or with one that it does not suit, as JSON has it. Raises
    `InvalidValue`."""
    if isinstance(value, str):
        return _of_text(value, field, name)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        if not -_LARGEST <= value < _LARGEST:
            raise InvalidValue(name, "is a larger whole number than MongoDB keeps (64 bits)")
        return float(value) if field is not None and field.data_type is DataType.DOUBLE else value
    if isinstance(value, list):
        return [bson_of(each, None, name) for each in as_list(value)]
    if isinstance(value, dict):
        members = as_object(value)
        check_names(members, name)
        return {key: bson_of(each, None, name) for key, each in members.items()}
    return Decimal128(value) if isinstance(value, Decimal) else value


def check_names(members: JsonObject, name: str) -> None:
    """Raises `InvalidValue` for a name that MongoDB would read as something else."""
    for key in members:
        if not key or key.startswith("$") or "\0" in key:
            raise InvalidValue(name, f"{key[:60]!r} is no name of a field")


def _of_text(text: str, field: Field | None, name: str) -> object:
    kind = field.data_type if field is not None else None
    if field is not None and field.schema == OBJECT_ID and _OBJECT_ID.fullmatch(text):
        return ObjectId(text)
    try:
        if kind is DataType.TIMESTAMP_WITH_ZONE:
            return moment_of(text)
        if kind is DataType.BINARY:
            return b64decode(text, validate=True)
        if kind is DataType.UUID:
            return UUID(text)
        if kind is DataType.DECIMAL:
            return Decimal128(text)
        if kind is DataType.BIGINT and -_LARGEST <= int(text) < _LARGEST:
            return Int64(text)
    except (ValueError, ArithmeticError, Base64Error):
        raise InvalidValue(name, f"{text[:60]!r} is no {kind.value if kind else 'value'}") from None
    return text


def moment_of(text: str) -> datetime:
    """A moment; without a zone it is of UTC. Raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def key_text(identifier: object) -> str:
    """The key of a document: an ObjectId in hexadecimal, a text as it is, all else (and a text that would be read as
    something else) in MongoDB's extended JSON."""
    if isinstance(identifier, ObjectId):
        return str(identifier)
    if isinstance(identifier, str) and not _OBJECT_ID.fullmatch(identifier) and not _OTHER_KEY.match(identifier):
        return identifier
    return json_util.dumps(identifier, json_options=_EXTENDED)


def identifier_of(key: str) -> object:
    """What `key_text` made a key of; a key that it never makes is taken as a text."""
    if _OBJECT_ID.fullmatch(key):
        return ObjectId(key)
    if not _OTHER_KEY.match(key):
        return key
    try:
        return extended(key, "_id")
    except InvalidValue:
        return key


def extended(text: str, name: str) -> object:
    """A value of extended JSON. Raises `InvalidValue`."""
    try:
        return json_util.loads(text, json_options=_EXTENDED)
    except (ValueError, TypeError, BSONError, RecursionError):
        raise InvalidValue(name, f"{text[:60]!r} cannot be read") from None
