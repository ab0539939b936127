"""google.protobuf.Struct, Value and ListValue: JSON within messages.

Numbers in them are doubles. One that a double would change is a string of its digits there; `exact` keeps what it was.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from operator import attrgetter
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, fits_double, number_text
from openplaybook.wire.codec.errors import JsonError, kind_of
from openplaybook.wire.codec.limits import MAX_DEPTH, too_deep
from openplaybook.wire.codec.scalars import half_a_pair
from openplaybook.wire.messages import ApiMessage

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


def read_struct(value: JsonValue, message: ApiMessage, depth: int) -> None:
    """Fills a Struct from an object."""
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
            if item.__class__ is str:  # most members are strings, and a call takes longer than setting one
                fields[key].string_value = item
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
        read_struct(value, message.struct_value, depth + 1)
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
