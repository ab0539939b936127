"""Values of columns in both directions: JSON as clients have it, Python as drivers have it."""

import base64
import binascii
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import cast
from uuid import UUID

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.sql.tables import ColumnShape
from openplaybook.jsonvalues import JsonValue, as_list, dumps, loads

_MOST_EXACT = 2**53
_MOST_NUMBER = 1_000
_WHOLE = re.compile(r"[+-]?\d{1,40}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d.*", re.DOTALL)


class Unfit(Exception):
    """A value is none of a type; the message says what would be."""


def column_value(name: str, shape: ColumnShape, value: JsonValue) -> object:
    """The Python value of a JSON value for a column. Raises `InvalidValue`, which names the column."""
    try:
        return _python_value(shape, value)
    except Unfit as unfit:
        raise InvalidValue(name, f"{unfit}, not {_shown(value)}") from None


def condition_value(name: str, shape: ColumnShape, value: JsonValue) -> object:
    """The same for what a column is compared with: conditions write texts without asking what a column holds, and
    compare numbers that it could not hold. Raises `InvalidValue`."""
    if shape.data_type in (DataType.STRING, DataType.TEXT) and not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if shape.data_type in _NUMBERS:
        try:
            number = _number(value)
        except Unfit as unfit:
            raise InvalidValue(name, f"{unfit}, not {_shown(value)}") from None
        return int(number) if number == number.to_integral_value() and abs(number) < 10**30 else number
    return column_value(name, replace(shape, most_characters=None, digits=None, places=None, values=()), value)


def typed_value(name: str, data_type: DataType, value: JsonValue) -> object:
    """The Python value of a query's parameter of a type. Raises `InvalidValue`."""
    return column_value(name, ColumnShape(data_type), value)


def json_value(value: object) -> JsonValue:
    """The JSON value of what a driver gave."""
    writer = _JSON_OF.get(type(value))
    if writer is not None:
        return writer(value)
    return next((writer(value) for kind, writer in _JSON_OF.items() if isinstance(value, kind)), str(value))


class JsonReader:
    """Makes JSON of the values of one column."""

    def __init__(self, data_type: DataType) -> None:
        self._given = _GIVEN.get(data_type)

    def read(self, value: object) -> JsonValue:
        """The JSON value of what the driver gave."""
        kind = type(value)
        if self._given is None:
            return value if kind is str or value is None else json_value(value)
        return self._given(value) if kind in _CONVERTED else json_value(value)


def _whole_json(value: object) -> JsonValue:
    return value if -_MOST_EXACT <= cast("int", value) <= _MOST_EXACT else str(value)


def _float_json(value: object) -> JsonValue:
    number = cast("float", value)
    return number if math.isfinite(number) else str(number)


def _decimal_json(value: object) -> JsonValue:
    number = cast("Decimal", value)
    return format(number, "f") if number.is_finite() and abs(number.adjusted()) < _MOST_NUMBER else str(number)


def _moment_json(value: object) -> JsonValue:
    text = cast("datetime", value).isoformat()
    return text.replace("+00:00", "Z")


def _duration_json(value: object) -> JsonValue:
    span = cast("timedelta", value)
    whole = span // timedelta(microseconds=1)
    seconds, micros = divmod(abs(whole), 1_000_000)
    fraction = f".{micros:06d}".rstrip("0") if micros else ""
    return f"{'-' if whole < 0 else ''}PT{seconds}{fraction}S"


def _object_json(value: object) -> JsonValue:
    return {str(key): json_value(each) for key, each in cast("Mapping[object, object]", value).items()}


def _binary_json(value: object) -> JsonValue:
    return base64.b64encode(bytes(cast("bytes", value))).decode("ascii")


def _list_json(value: object) -> JsonValue:
    return [json_value(each) for each in cast("list[object]", value)]


def _same(value: object) -> JsonValue:
    return value


def _iso_json(value: object) -> JsonValue:
    return cast("date", value).isoformat()


_JSON_OF: Mapping[type[object], Callable[[object], JsonValue]] = {
    type(None): _same,
    bool: _same,
    str: _same,
    int: _whole_json,
    float: _float_json,
    Decimal: _decimal_json,
    datetime: _moment_json,
    date: _iso_json,
    time: _iso_json,
    timedelta: _duration_json,
    **dict.fromkeys((bytes, bytearray, memoryview), _binary_json),
    **dict.fromkeys((list, tuple), _list_json),
    dict: _object_json,
}
"""The more special before what it is a kind of."""
_CONVERTED = frozenset({str, int, float, bytes})


def _given_boolean(value: object) -> JsonValue:
    if isinstance(value, bytes):
        return any(value)
    return bool(value) if value in (0, 1) else json_value(value)


def _given_decimal(value: object) -> JsonValue:
    return str(value) if isinstance(value, int | float) else json_value(value)


def _given_struct(value: object) -> JsonValue:
    if not isinstance(value, str):
        return json_value(value)
    try:
        return loads(value)
    except ValueError:
        return value


def _given_moment(value: object) -> JsonValue:
    is_text = isinstance(value, str) and _MOMENT.fullmatch(value)
    return cast("str", value).replace(" ", "T", 1) if is_text else json_value(value)


def _given_whole(value: object) -> JsonValue:
    return _whole_json(int.from_bytes(value, "big")) if isinstance(value, bytes) else json_value(value)


_GIVEN: Mapping[DataType, Callable[[object], JsonValue]] = {
    DataType.BOOLEAN: _given_boolean,
    DataType.DECIMAL: _given_decimal,
    DataType.STRUCT: _given_struct,
    DataType.TIMESTAMP: _given_moment,
    DataType.TIMESTAMP_WITH_ZONE: _given_moment,
    DataType.BIGINT: _given_whole,
}
"""What drivers give in another type than the column's."""


def _python_value(shape: ColumnShape, value: JsonValue) -> object:
    return None if value is None else _PYTHON_OF[shape.data_type](shape, value)


def _text(shape: ColumnShape, value: JsonValue) -> object:
    if not isinstance(value, str):
        raise Unfit("must be a text")
    if shape.values and value not in shape.values:
        raise Unfit(f"must be one of {', '.join(shape.values)}")
    if shape.most_characters is not None and len(value) > shape.most_characters:
        raise Unfit(f"must be a text of at most {shape.most_characters} characters")
    if not value.isascii() and value.encode("utf-8", "replace").decode("utf-8") != value:
        raise Unfit("must be a text without half of a surrogate pair")
    return value


def _boolean(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    known = {"true": True, "false": False, "1": True, "0": False}.get(str(value).lower())
    if known is None or isinstance(value, float):
        raise Unfit("must be true or false")
    return known


def _number(value: JsonValue) -> Decimal:
    if isinstance(value, int | float | Decimal):
        return Decimal(repr(value) if isinstance(value, float) else value)
    try:
        if isinstance(value, str) and len(value) <= _MOST_NUMBER and value.isascii() and "_" not in value:
            number = Decimal(value.strip())
            if number.is_finite():
                return number
    except InvalidOperation:
        pass
    raise Unfit("must be a number")


def _whole(shape: ColumnShape, value: JsonValue) -> object:
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer() and abs(value) < _MOST_EXACT)
    if isinstance(value, bool) or not (is_whole or (isinstance(value, str) and _WHOLE.fullmatch(value))):
        raise Unfit("must be a whole number")
    number = int(value)
    smallest, largest = shape.smallest, shape.largest
    if smallest is not None and largest is not None and not smallest <= number <= largest:
        raise Unfit(f"must be a whole number from {smallest} to {largest}")
    return number


def _decimal(shape: ColumnShape, value: JsonValue) -> object:
    if isinstance(value, bool):
        raise Unfit("must be a number")
    number = _number(value)
    exponent = number.normalize().as_tuple().exponent
    if shape.places is not None and -int(exponent) > shape.places:
        raise Unfit(f"must be a number with at most {shape.places} digits behind the point")
    before = (shape.digits or 0) - (shape.places or 0)
    if shape.digits is not None and number and number.adjusted() >= before:
        raise Unfit(f"must be a number with at most {before} digits before the point")
    return number


def _double(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    if isinstance(value, bool):
        raise Unfit("must be a number")
    try:
        return float(_number(value))
    except OverflowError:
        raise Unfit("must be a number that a double holds") from None


def _date(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    return _read_iso(date.fromisoformat, value, "must be a date such as 2026-11-26")


def _time(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    return _read_iso(time.fromisoformat, value, "must be a time such as 14:30:00")


def _moment(shape: ColumnShape, value: JsonValue) -> object:
    moment = cast(
        "datetime", _read_iso(datetime.fromisoformat, value, "must be a date and time such as 2026-11-26T14:30:00Z")
    )
    if shape.data_type is DataType.TIMESTAMP_WITH_ZONE:
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _read_iso(read: Callable[[str], object], value: JsonValue, saying: str) -> object:
    if isinstance(value, str):
        try:
            return read(value)
        except (ValueError, OverflowError):
            pass
    raise Unfit(saying)


def _uuid(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    return _read_iso(UUID, value, "must be a UUID such as 6f1c3c9e-6f0a-4c51-9d2f-0d2b7c2f7d11")


def _binary(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    if isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            pass
    raise Unfit("must be base64")


def _struct(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    try:
        return dumps(value).decode("utf-8")
    except (TypeError, ValueError):
        raise Unfit("must be JSON") from None


def _array(shape: ColumnShape, value: JsonValue) -> object:
    if not isinstance(value, list):
        raise Unfit("must be an array")
    element = shape.element or ColumnShape(DataType.OTHER)
    return [_array(shape, each) if isinstance(each, list) else _element(element, each) for each in as_list(value)]


def _element(shape: ColumnShape, value: JsonValue) -> object:
    try:
        return _python_value(shape, value)
    except Unfit as unfit:
        raise Unfit(f"must be an array, each element of which {unfit}") from None


def _other(shape: ColumnShape, value: JsonValue) -> object:
    del shape
    if isinstance(value, list | dict):
        return _struct(ColumnShape(DataType.STRUCT), value)
    return value


_PYTHON_OF: Mapping[DataType, Callable[[ColumnShape, JsonValue], object]] = {
    DataType.STRING: _text,
    DataType.TEXT: _text,
    DataType.BOOLEAN: _boolean,
    DataType.SMALLINT: _whole,
    DataType.INTEGER: _whole,
    DataType.BIGINT: _whole,
    DataType.DOUBLE: _double,
    DataType.DECIMAL: _decimal,
    DataType.DATE: _date,
    DataType.TIME: _time,
    DataType.TIMESTAMP: _moment,
    DataType.TIMESTAMP_WITH_ZONE: _moment,
    DataType.UUID: _uuid,
    DataType.BINARY: _binary,
    DataType.STRUCT: _struct,
    DataType.ARRAY: _array,
    DataType.OTHER: _other,
}
_NUMBERS = frozenset({DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL})


def _shown(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
