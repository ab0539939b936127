"""Structs with the order and the numbers that they were read with (`as_written`)."""

from decimal import Decimal
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


def _kept(value: JsonValue) -> bytes:
    # What is given are the message's own strings, so long ones need not be there twice.
    return dumps(value if rough_size(value, _MUCH) <= _MUCH else _with_holes(value))


def _with_holes(value: JsonValue) -> JsonValue:
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: _with_holes(item) for key, item in as_object(value).items()}
    if kind is list:
        return [_with_holes(item) for item in as_list(value)]
    return None if kind is str and len(value) > _LONG_TEXT else value


def _given(text: bytes, message: ApiMessage) -> JsonValue:
    """What a message says, in the order and with the long numbers of the text that was kept.

    Each value is the message's own: code that changes one in its place, at any depth, need not know of the text.
    """
    kept, kind = loads(text), message.DESCRIPTOR.name
    if kind == "Struct":
        return _members(as_object(kept), message)
    return _items(as_list(kept), message) if kind == "ListValue" else _value(kept, message)


def _members(kept: JsonObject, message: ApiMessage) -> JsonObject:
    fields = message.fields
    held = fields.get
    # Most members are strings, and a call takes longer than asking for one.
    given: JsonObject = {
        key: (item.__class__ is str and value.string_value) or _value(item, value)
        for key, item in kept.items()
        if (value := held(key)) is not None
    }
    if len(given) < len(fields):
        given |= {key: structs.write_value(fields[key]) for key in sorted(fields) if key not in given}
    return given


def _items(kept: list[JsonValue], message: ApiMessage) -> list[JsonValue]:
    values = message.values
    if len(values) != len(kept):
        return structs.write_list(message)
    return [_value(item, value) for item, value in zip(kept, values, strict=True)]


def _value(kept: JsonValue, message: ApiMessage) -> JsonValue:
    kind = cast(type[object], type(kept))
    if kind is int and kept and message.number_value == kept:
        return kept
    if kind is dict and message.HasField("struct_value"):
        return _members(kept, message.struct_value)
    if kind is list and message.HasField("list_value"):
        return _items(kept, message.list_value)
    now = structs.write_value(message)
    if kind in _EXACT_KINDS and now.__class__ is not bool and (now == kept or now == number_text(kept)):
        return kept
    return now


_EXACT_KINDS = frozenset({int, Decimal})
"""Of numbers that are given as they were written; clients of Google write whole ones as 7.0."""


def exactly(write: Write) -> Write:
    """A writer that gives what was kept, where something was."""

    def write_exactly(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        return _given(text, message) if text else write(message)

    return write_exactly


def for_doubles(write: Write) -> Write:
    """The same for readers whose numbers are doubles: of a number that these would change, the digits as a string."""

    def write_for_doubles(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        if not text:
            return write(message)
        given = _given(text, message)
        return with_digits(given) if may_have_long_numbers(text) else given

    return write_for_doubles


def with_digits(value: JsonValue) -> JsonValue:
    """`value` with a string of its digits in the place of every number that a double would change."""
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: with_digits(item) for key, item in as_object(value).items()}
    if kind is list:
        return [with_digits(item) for item in as_list(value)]
    return number_text(value) if (kind is int or kind is Decimal) and not fits_double(value) else value
