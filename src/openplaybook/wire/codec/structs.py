"""google.protobuf.Struct, Value and ListValue: JSON within messages.

Numbers in them are doubles. One that a double would change is a string of its digits there; `exact` keeps what it was.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from operator import attrgetter
from typing import cast

from openplaybook.jsonvalues import (
    JsonObject,
    JsonValue,
    as_list,
    as_object,
    dumps,
    fits_double,
    loads,
    may_have_long_numbers,
    number_text,
    rough_size,
)
from openplaybook.wire.codec.json_parser import MAX_DEPTH, JsonError, kind_of, too_deep
from openplaybook.wire.codec.scalars import Read, Write, half_a_pair
from openplaybook.wire.messages import AS_WRITTEN, ApiMessage

EXACT = 2.0**53
"""Up to here every whole double is one integer; beyond, it is given as the double it is."""


def write_struct(message: ApiMessage) -> JsonObject:
    """A Struct as an object, its keys in order: a Struct has none, and an answer given again is to be the same."""
    fields = message.fields
    # Most members are strings: asking for one that is there takes less than asking which member is.
    return {
        key: (value := fields[key]).string_value or _BY_KIND[value.WhichOneof("kind")](value) for key in sorted(fields)
    }


def write_list(message: ApiMessage) -> list[JsonValue]:
    """A ListValue as an array."""
    return [value.string_value or _BY_KIND[value.WhichOneof("kind")](value) for value in message.values]


def write_value(message: ApiMessage) -> JsonValue:
    """A Value as what it holds; whole numbers as integers, and an empty Value as null.

    Raises `JsonError` for NaN and infinities, which JSON lacks and a reader would take for strings."""
    return _BY_KIND[message.WhichOneof("kind")](message)


def _number(message: ApiMessage) -> JsonValue:
    number = message.number_value
    if number.is_integer() and -EXACT <= number <= EXACT:
        return int(number) or (0 if math.copysign(1.0, number) > 0 else number)  # -0.0 stays what it is
    if number - number == 0.0:  # neither infinite nor NaN
        return number
    raise JsonError("a Value cannot give NaN or infinity as JSON")


_BY_KIND: dict[str | None, Callable[[ApiMessage], JsonValue]] = {
    "string_value": attrgetter("string_value"),
    "number_value": _number,
    "bool_value": attrgetter("bool_value"),
    "struct_value": lambda message: write_struct(message.struct_value),
    "list_value": lambda message: write_list(message.list_value),
    "null_value": lambda _: None,
    None: lambda _: None,
}
"""How a Value is given, by the member that is set. Tables and `attrgetter` take half the time of a chain of ifs, and
Structs are most of what a turn carries."""


def fill_struct(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a Struct from an object, whose order is not kept."""
    kind = cast(type[object], type(value))
    if kind is not dict:
        raise JsonError(f"an object is expected, not {kind_of(value)}")
    message.SetInParent()
    depth += 2
    if depth > MAX_DEPTH:
        raise too_deep()
    fields = message.fields
    for key, item in value.items():
        try:
            # Most members are strings and numbers, and a call takes longer than setting one.
            kind = item.__class__
            if kind is str:
                fields[key].string_value = item
            elif kind is int and -EXACT <= item <= EXACT:
                fields[key].number_value = item
            else:
                read_value(item, fields[key], depth)
        except JsonError as error:
            raise error.within(f".{key}") from None
        except UnicodeEncodeError:
            raise (half_a_pair() if _has_half_a_pair(key) else half_a_pair().within(f".{key}")) from None


def _has_half_a_pair(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def read_list(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a ListValue from an array."""
    if not isinstance(value, list):
        raise JsonError(f"an array is expected, not {kind_of(value)}")
    message.SetInParent()
    depth += 1
    if depth > MAX_DEPTH:
        raise too_deep()
    items = cast(list[JsonValue], value)
    add = message.values.add
    for index, item in enumerate(items):
        try:
            read_value(item, add(), depth)
        except JsonError as error:
            raise error.within(f"[{index}]") from None


def read_value(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a Value from anything."""
    kind = cast(type[object], type(value))
    if kind is str:
        try:
            message.string_value = value
        except UnicodeEncodeError:
            raise half_a_pair() from None
    elif kind is bool:
        message.bool_value = value
    elif kind is float:
        if value - value != 0.0:
            raise JsonError("the number is out of range of a double")
        message.number_value = value
    elif kind is int and -EXACT <= value <= EXACT:
        message.number_value = value
    elif kind is int or kind is Decimal:
        _read_long(value, message)
    elif kind is dict:
        fill_struct(value, message.struct_value, depth + 1)
    elif kind is list:
        read_list(value, message.list_value, depth + 1)
    elif value is None:
        message.null_value = 0
    else:
        raise JsonError(f"{kind.__name__} is not a JSON value")


def _read_long(value: int | Decimal, message: ApiMessage) -> None:
    if fits_double(value):
        message.number_value = float(value)
        return
    try:
        message.string_value = number_text(value)
    except TypeError as error:
        raise JsonError(str(error)) from error


def keeping(read: Read) -> Read:
    """A reader of a Struct, Value or ListValue that keeps the JSON too where the message says less."""

    def read_and_keep(value: JsonValue, message: ApiMessage, depth: int) -> None:
        read(value, message, depth)
        if says_more(value):
            setattr(message, AS_WRITTEN, _written_text(value))

    return read_and_keep


def read_struct(value: JsonValue, message: ApiMessage, depth: int = 0) -> None:
    """Fills a Struct from an object, and keeps that too where it says more. Raises `JsonError`."""
    fill_struct(value, message, depth)
    if says_more(value):
        setattr(message, AS_WRITTEN, _written_text(value))


def says_more(value: JsonValue) -> bool:
    """Whether JSON has an order or a number that a Struct does not hold. Members in order of their names need none."""
    kind = cast(type[object], type(value))
    if kind is dict:
        before = ""
        for key, item in value.items():
            if key < before:
                return True
            before = key
            if item.__class__ not in _PLAIN and says_more(item):
                return True
        return False
    if kind is list:
        return any(item.__class__ not in _PLAIN and says_more(item) for item in value)
    return kind is Decimal or (kind is int and not -EXACT <= value <= EXACT)


_PLAIN = frozenset({str, float, bool, type(None)})
"""Types whose values a Struct always holds; asking takes less than calling."""


_LONG_TEXT = 500
_MUCH = 4_000


def _written_text(value: JsonValue) -> bytes:
    # What is given are the message's own strings, so long ones need not be there twice.
    return dumps(value if rough_size(value, _MUCH) <= _MUCH else _with_holes(value))


def _with_holes(value: JsonValue) -> JsonValue:
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: _with_holes(item) for key, item in as_object(value).items()}
    if kind is list:
        return [_with_holes(item) for item in as_list(value)]
    return None if kind is str and len(value) > _LONG_TEXT else value


def _read_back(text: bytes, message: ApiMessage) -> JsonValue:
    """What a message says, in the order and with the long numbers of the text that was kept.

    Each value is the message's own: code that changes one in its place, at any depth, need not know of the text.
    """
    written, kind = loads(text), message.DESCRIPTOR.name
    if kind == "Struct":
        return _members(as_object(written), message)
    return _items(as_list(written), message) if kind == "ListValue" else _value(written, message)


def _members(written: JsonObject, message: ApiMessage) -> JsonObject:
    fields = message.fields
    field_of = fields.get
    # Most members are strings, and a call takes longer than asking for one.
    members: JsonObject = {
        key: (item.__class__ is str and value.string_value) or _value(item, value)
        for key, item in written.items()
        if (value := field_of(key)) is not None
    }
    if len(members) < len(fields):
        members |= {key: write_value(fields[key]) for key in sorted(fields) if key not in members}
    return members


def _items(written: list[JsonValue], message: ApiMessage) -> list[JsonValue]:
    values = message.values
    if len(values) != len(written):
        return write_list(message)
    return [_value(item, value) for item, value in zip(written, values, strict=True)]


def _value(written: JsonValue, message: ApiMessage) -> JsonValue:
    kind = cast(type[object], type(written))
    if kind is int and written and message.number_value == written:
        return written
    if kind is dict and message.HasField("struct_value"):
        return _members(written, message.struct_value)
    if kind is list and message.HasField("list_value"):
        return _items(written, message.list_value)
    now = write_value(message)
    if kind in _EXACT_KINDS and now.__class__ is not bool and (now == written or now == number_text(written)):
        return written
    return now


_EXACT_KINDS = frozenset({int, Decimal})
"""Of numbers that are given as they were written; clients of Google write whole ones as 7.0."""


def exactly(write: Write) -> Write:
    """A writer that gives what was kept, where something was."""

    def write_exactly(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        return _read_back(text, message) if text else write(message)

    return write_exactly


def for_doubles(write: Write) -> Write:
    """The same for readers whose numbers are doubles: of a number that these would change, the digits as a string."""

    def write_for_doubles(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        if not text:
            return write(message)
        value = _read_back(text, message)
        return with_digits(value) if may_have_long_numbers(text) else value

    return write_for_doubles


def with_digits(value: JsonValue) -> JsonValue:
    """`value` with a string of its digits in the place of every number that a double would change."""
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: with_digits(item) for key, item in as_object(value).items()}
    if kind is list:
        return [with_digits(item) for item in as_list(value)]
    return number_text(value) if (kind is int or kind is Decimal) and not fits_double(value) else value
