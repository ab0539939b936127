"""Scalar values, and well-known types that stand for one, between JSON and protobuf (proto3 JSON mapping)."""

import base64
import binascii
import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from openplaybook.jsonvalues import PIECE, JsonValue, is_number, number_of
from openplaybook.wire.codec.json_parser import JsonError, kind_of, shown
from openplaybook.wire.messages import ApiMessage

Convert: TypeAlias = Callable[[JsonValue], JsonValue]
"""One value to another: JSON to protobuf or back."""

INT32 = (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SFIXED32)
UINT32 = (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32)
INT64 = (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64, FieldDescriptor.TYPE_SFIXED64)
UINT64 = (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64)

NULL_VALUE = "google.protobuf.NullValue"

_INTEGER = re.compile(r"-?[0-9]{1,20}")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAMED_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def reader_of(field: FieldDescriptor) -> Convert:
    """How a scalar field is read from JSON; the reader raises `JsonError`."""
    kind = field.type
    if kind in INT32:
        return _integer_reader(-(2**31), 2**31 - 1)
    if kind in UINT32:
        return _integer_reader(0, 2**32 - 1)
    if kind in INT64:
        return _integer_reader(-(2**63), 2**63 - 1)
    if kind in UINT64:
        return _integer_reader(0, 2**64 - 1)
    if field.enum_type is not None:
        return _enum_reader(field.enum_type)
    return _READERS[kind]


def writer_of(field: FieldDescriptor, *, enums_as_ints: bool) -> Convert | None:
    """How a scalar field is given as JSON; `None` where the value is JSON as it is."""
    kind = field.type
    if kind in INT64 or kind in UINT64:
        return str
    if field.enum_type is not None:
        return _enum_writer(field.enum_type, enums_as_ints=enums_as_ints)
    return _WRITERS.get(kind)


def read_string(value: JsonValue) -> str | bytes:
    """A string that UTF-8 can carry; a very long one as these bytes, which messages take just as well."""
    if type(value) is not str:
        raise JsonError(f"a string is expected, not {kind_of(value)}")
    if value.isascii():
        return value
    if len(value) > PIECE:
        return _encoded(value)
    if _SURROGATE.search(value):
        raise half_a_pair()
    return value


def _encoded(text: str) -> bytes:
    # A piece at a time, and not by the message in one go: nobody else has a turn meanwhile.
    try:
        return b"".join([text[start : start + PIECE].encode() for start in range(0, len(text), PIECE)])
    except UnicodeEncodeError:
        raise half_a_pair() from None


def half_a_pair() -> JsonError:
    """The error for a string that UTF-8 cannot carry."""
    return JsonError("the string contains half of a surrogate pair, which is not a character")


def read_bool(value: JsonValue) -> bool:
    """`true` or `false`, not quoted."""
    if type(value) is not bool:
        raise JsonError(f"true or false is expected, without quotes, not {shown(value)}")
    return value


def read_double(value: JsonValue) -> float:
    """A number, also in quotes, or one of NaN, Infinity and -Infinity in quotes."""
    if is_number(value):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
        raise JsonError('the number is out of range; write infinity as the string "Infinity"')
    if type(value) is str:
        if value in _NAMED_FLOATS:
            return _NAMED_FLOATS[value]
        if _DECIMAL.fullmatch(value):
            return read_double(float(value))
    raise JsonError(f'a number, "NaN", "Infinity" or "-Infinity" is expected, not {shown(value)}')


def read_float(value: JsonValue) -> float:
    """Like `read_double`, within the range of 32 bits."""
    number = read_double(value)
    try:
        struct.pack("<f", number)
    except OverflowError:
        raise JsonError(f"the number is out of the range of a 32-bit float: {shown(value)}") from None
    return number


def read_bytes(value: JsonValue) -> bytes:
    """Base64, standard or URL-safe, with or without padding."""
    if type(value) is not str:
        raise JsonError(f"a base64 string is expected, not {kind_of(value)}")
    if len(value) <= PIECE:
        return _read_digits(value)
    # One call on all of it would keep everybody else waiting.
    cuts = range(0, len(value), PIECE)
    return b"".join(_read_digits(value[cut : cut + PIECE], is_last=cut == cuts[-1]) for cut in cuts)


def _read_digits(value: str, *, is_last: bool = True) -> bytes:
    if not _BASE64.fullmatch(value) or (not is_last and value.endswith("=")):
        raise JsonError("the string is not base64")
    digits = value.rstrip("=")
    try:
        return base64.urlsafe_b64decode(digits.replace("+", "-").replace("/", "_") + "=" * (-len(digits) % 4))
    except binascii.Error as error:
        raise JsonError("the string is not base64: its length is wrong") from error


def read_map_key(field: FieldDescriptor) -> Convert:
    """How the key of a map is read; JSON has it as a string."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _read_bool_key
    return reader_of(field)


def _read_bool_key(value: JsonValue) -> bool:
    if value not in ("true", "false"):
        raise JsonError(f'the key must be "true" or "false", not {shown(value)}')
    return value == "true"


def write_map_key(field: FieldDescriptor) -> Convert | None:
    """How the key of a map is given; `None` where it is a string already."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return lambda key: "true" if key else "false"
    return None if field.type == FieldDescriptor.TYPE_STRING else str


def _integer_reader(least: int, greatest: int) -> Convert:
    def read(value: JsonValue) -> int:
        number = value
        if type(number) is str and _DECIMAL.fullmatch(number):
            number = _number_of(number)
        if (type(number) is float and number.is_integer()) or (
            type(number) is Decimal and number == number.to_integral_value()
        ):
            number = int(number)
        if type(number) is not int:
            raise JsonError(f"an integer is expected, not {shown(value)}")
        if not least <= number <= greatest:
            raise JsonError(f"the integer is out of range ({least} to {greatest}): {shown(value)}")
        return number

    return read


def _number_of(text: str) -> int | float | Decimal:
    try:
        return number_of(text)
    except ValueError as error:
        raise JsonError(str(error)) from error


def _enum_reader(enum: EnumDescriptor) -> Convert:
    numbers = {value.name: value.number for value in enum.values}
    read_number = _integer_reader(-(2**31), 2**31 - 1)

    def read(value: JsonValue) -> int:
        if type(value) is str:
            number = numbers.get(value)
            if number is not None:
                return number
            if not _INTEGER.fullmatch(value):
                raise JsonError(f"{shown(value)} is not one of {', '.join(numbers)}")
        elif not is_number(value):
            raise JsonError(f"one of {', '.join(numbers)} is expected, not {kind_of(value)}")
        return read_number(value)

    return read


def _enum_writer(enum: EnumDescriptor, *, enums_as_ints: bool) -> Convert | None:
    if enum.full_name == NULL_VALUE:
        return lambda _: None
    if enums_as_ints:
        return None
    names = {value.number: value.name for value in reversed(enum.values)}  # of aliases, the first
    return lambda number: names.get(number, number)


def _write_double(value: float) -> JsonValue:
    return value if math.isfinite(value) else _float_name(value)


def _write_float(value: float) -> JsonValue:
    """The shortest decimal that reads back as the same 32-bit value."""
    if value in _SHORT_FLOATS:
        return value
    if not math.isfinite(value):
        return _float_name(value)
    for digits in range(6, 9):
        short = float(f"{value:.{digits}g}")
        if _as_float32(short) == value:
            return short
    return float(f"{value:.9g}")


_SHORT_FLOATS = frozenset({0.5, 1.0})
"""Of those that are written most often, confidences and the like, the decimals are known."""


def _as_float32(number: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.inf


def _float_name(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _write_bytes(value: bytes) -> str:
    if len(value) <= _WRITTEN_PIECE:
        return base64.b64encode(value).decode("ascii")
    pieces = (value[cut : cut + _WRITTEN_PIECE] for cut in range(0, len(value), _WRITTEN_PIECE))
    return "".join(base64.b64encode(piece).decode("ascii") for piece in pieces)


_WRITTEN_PIECE = PIECE // 4 * 3
"""Bytes that are written at once as base64; a multiple of three."""


_READERS: dict[int, Convert] = {
    FieldDescriptor.TYPE_STRING: read_string,
    FieldDescriptor.TYPE_BOOL: read_bool,
    FieldDescriptor.TYPE_DOUBLE: read_double,
    FieldDescriptor.TYPE_FLOAT: read_float,
    FieldDescriptor.TYPE_BYTES: read_bytes,
}
_WRITERS: dict[int, Convert] = {
    FieldDescriptor.TYPE_DOUBLE: _write_double,
    FieldDescriptor.TYPE_FLOAT: _write_float,
    FieldDescriptor.TYPE_BYTES: _write_bytes,
}


Write: TypeAlias = Callable[[ApiMessage], JsonValue]
"""A message as JSON."""

Read: TypeAlias = Callable[[JsonValue, ApiMessage, int], None]
"""Fills an empty message from JSON that lies at a depth; raises `JsonError`."""

WRAPPERS = frozenset(
    f"google.protobuf.{name}Value"
    for name in ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64")
)
"""Messages that stand for one scalar that may be absent."""

_NOT_PLAIN = WRAPPERS | {
    f"google.protobuf.{name}" for name in ("Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value")
}


def is_plain(descriptor: Descriptor) -> bool:
    """Whether a message's JSON is an object of its fields, so that an Any can hold `@type` among them."""
    return descriptor.full_name not in _NOT_PLAIN


_WHOLE_SECONDS = re.compile(r"[0-9]{1,11}s")
"""Durations as nearly all are written; every one of them is in range."""
_UPPER = re.compile(r"[A-Z]")
_AFTER_UNDERSCORE = re.compile(r"_([a-z])")


def write_time(message: ApiMessage) -> str:
    """A Timestamp (RFC 3339, UTC) or a Duration (`1.5s`); `JsonError` when it is out of the type's range."""
    try:
        return message.ToJsonString()
    except ValueError as error:
        raise JsonError(f"{message.DESCRIPTOR.name} out of range") from error


def read_timestamp(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a Timestamp from RFC 3339."""
    _read_text(value, message, "a time such as 2024-05-01T12:00:00Z")


def read_duration(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a Duration from seconds with the unit."""
    if value.__class__ is str and _WHOLE_SECONDS.fullmatch(value):
        message.SetInParent()
        message.seconds = int(value[:-1])
        return
    _read_text(value, message, "a duration in seconds such as 3.5s")


def _read_text(value: JsonValue, message: ApiMessage, expected: str) -> None:
    if type(value) is not str:
        raise JsonError(f"{expected} is expected, not {kind_of(value)}")
    message.SetInParent()
    try:
        message.FromJsonString(value)
    except (ValueError, OverflowError) as error:
        raise JsonError(f"{expected} is expected, not {shown(value)}") from error


def write_mask(message: ApiMessage) -> str:
    """A FieldMask as comma-joined camelCase paths."""
    return ",".join(_AFTER_UNDERSCORE.sub(lambda found: found[1].upper(), path) for path in message.paths)


def read_mask(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a FieldMask from comma-joined paths in camelCase, or in snake_case as they are in the message."""
    if type(value) is not str:
        raise JsonError(f"field paths joined by commas are expected, as one string, not {kind_of(value)}")
    message.SetInParent()
    paths = [path.strip() for path in value.split(",")] if value else []
    if not all(paths):
        raise JsonError(f"a field path is empty: {shown(value)}")
    message.paths.extend(_UPPER.sub(lambda found: f"_{found[0].lower()}", path) for path in paths)
