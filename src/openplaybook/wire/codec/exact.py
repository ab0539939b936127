"""Structs with the order and the numbers that they were read with (`as_written`)."""

from decimal import Decimal
from typing import cast

from openplaybook.jsonvalues import (
    JsonValue,
    as_list,
    as_object,
    dumps,
    fits_double,
    loads,
    may_have_long_numbers,
    number_text,
)
from openplaybook.wire.as_written import AS_WRITTEN
from openplaybook.wire.codec import structs
from openplaybook.wire.codec.structs import EXACT
from openplaybook.wire.codec.wellknown import Read, Write
from openplaybook.wire.messages import ApiMessage


def keeping(read: Read) -> Read:
    """A reader of a Struct, Value or ListValue that keeps the JSON too where the message says less."""

    def read_and_keep(value: JsonValue, message: ApiMessage, depth: int) -> None:
        read(value, message, depth)
        if says_more(value):
            setattr(message, AS_WRITTEN, _kept(value))

    return read_and_keep


def read_struct(value: JsonValue, message: ApiMessage, depth: int = 0) -> None:
    """Fills a Struct from an object, and keeps that too where it says more. Raises `JsonError`."""
    structs.read_struct(value, message, depth)
    if says_more(value):
        setattr(message, AS_WRITTEN, _kept(value))


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
_HOLES = b" "
"""Begins a text in which null stands for long strings too: they are in the message."""


def _kept(value: JsonValue) -> bytes:
    text = dumps(value)
    return text if len(text) <= _MUCH else _HOLES + dumps(_with_holes(value))


def _with_holes(value: JsonValue) -> JsonValue:
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: _with_holes(item) for key, item in as_object(value).items()}
    if kind is list:
        return [_with_holes(item) for item in as_list(value)]
    return None if kind is str and len(value) > _LONG_TEXT else value


def _filled(value: JsonValue, message: ApiMessage) -> JsonValue:
    """`value` with the strings of its message in the holes."""
    if isinstance(value, dict):
        fields = message.fields if message.DESCRIPTOR.name == "Struct" else message.struct_value.fields
        return {key: _filled(item, fields[key]) if key in fields else item for key, item in as_object(value).items()}
    if isinstance(value, list):
        items = message.values if message.DESCRIPTOR.name == "ListValue" else message.list_value.values
        return [_filled(item, held) for item, held in zip(as_list(value), items, strict=False)]
    return message.string_value if value is None and message.WhichOneof("kind") == "string_value" else value


def exactly(write: Write) -> Write:
    """A writer that gives what was kept, where something was."""

    def write_exactly(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        if text and _is_of(value := loads(text), message):
            return _filled(value, message) if text.startswith(_HOLES) else value
        return write(message)

    return write_exactly


def for_doubles(write: Write) -> Write:
    """The same for readers whose numbers are doubles: of a number that these would change, the digits as a string."""

    def write_for_doubles(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        if text and _is_of(value := loads(text), message):
            given = with_digits(value) if may_have_long_numbers(text) else value
            return _filled(given, message) if text.startswith(_HOLES) else given
        return write(message)

    return write_for_doubles


def with_digits(value: JsonValue) -> JsonValue:
    """`value` with a string of its digits in the place of every number that a double would change."""
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: with_digits(item) for key, item in as_object(value).items()}
    if kind is list:
        return [with_digits(item) for item in as_list(value)]
    return number_text(value) if (kind is int or kind is Decimal) and not fits_double(value) else value


def _is_of(value: JsonValue, message: ApiMessage) -> bool:
    """Whether what was kept is of a message as it is now: code that changes a Struct need not know of it."""
    if not isinstance(value, dict):
        return True
    if message.DESCRIPTOR.name != "Struct":
        return message.WhichOneof("kind") == "struct_value"
    fields = message.fields
    return len(fields) == len(as_object(value)) and all(key in fields for key in as_object(value))
