"""Structs with the order and the numbers that they were read with (`as_written`)."""

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, fits_double, loads, number_text
from openplaybook.wire.as_written import AS_WRITTEN
from openplaybook.wire.codec import structs
from openplaybook.wire.codec.structs import EXACT, write_list, write_struct, write_value
from openplaybook.wire.codec.wellknown import Read, Write
from openplaybook.wire.messages import ApiMessage

Merge: TypeAlias = Callable[[JsonValue, ApiMessage], JsonValue]
"""What was written, and a message that says what counts → the message's JSON."""


def keeping(read: Read) -> Read:
    """A reader of a Struct, Value or ListValue that keeps the JSON too where the message says less."""

    def read_and_keep(value: JsonValue, message: ApiMessage, depth: int) -> None:
        read(value, message, depth)
        if says_more(value):
            setattr(message, AS_WRITTEN, dumps(_outline(value)))

    return read_and_keep


def read_struct(value: JsonValue, message: ApiMessage, depth: int = 0) -> None:
    """Fills a Struct from an object, and keeps that too where it says more. Raises `JsonError`."""
    structs.read_struct(value, message, depth)
    if says_more(value):
        setattr(message, AS_WRITTEN, dumps(value))


def says_more(value: JsonValue) -> bool:
    """Whether JSON has an order or a number that a Struct does not hold. Members in order of their names need none."""
    kind = cast(type[object], type(value))
    if kind is dict:
        before = ""
        for key, item in as_object(value).items():
            if key < before or (item.__class__ is not str and says_more(item)):
                return True
            before = key
        return False
    if kind is list:
        return any(item.__class__ is not str and says_more(item) for item in as_list(value))
    return kind is Decimal or (kind is int and not -EXACT <= value <= EXACT)


def _outline(value: JsonValue) -> JsonValue:
    """The value without its texts, which the message says as they are: a file is not to be there twice."""
    kind = cast(type[object], type(value))
    if kind is dict:
        return {key: _outline(item) for key, item in as_object(value).items()}
    if kind is list:
        return [_outline(item) for item in as_list(value)]
    return None if kind is str else value


def as_written(write: Write, merge: Merge) -> Write:
    """A writer that looks at what was kept, where something was."""

    def write_as_written(message: ApiMessage) -> JsonValue:
        text: bytes = getattr(message, AS_WRITTEN)
        return merge(loads(text), message) if text else write(message)

    return write_as_written


class Merger:
    """Writes Structs in the order that was kept; what the message says is what counts."""

    def __init__(self, *, numbers: bool) -> None:
        """`numbers`: give long numbers as numbers, rather than as the digits that stand in the message."""
        self._numbers = numbers

    def struct(self, model: JsonValue, message: ApiMessage) -> JsonValue:
        """A Struct as an object."""
        if not isinstance(model, dict):
            return write_struct(message)
        fields = message.fields
        result: JsonObject = {
            key: self.value(item, fields[key]) for key, item in as_object(model).items() if key in fields
        }
        if len(result) < len(fields):
            result.update((key, write_value(fields[key])) for key in sorted(fields) if key not in result)
        return result

    def list(self, model: JsonValue, message: ApiMessage) -> JsonValue:
        """A ListValue as an array."""
        values = message.values
        if not isinstance(model, list) or len(as_list(model)) != len(values):
            return write_list(message)
        return [self.value(item, value) for item, value in zip(as_list(model), values, strict=True)]

    def value(self, model: JsonValue, message: ApiMessage) -> JsonValue:
        """A Value as what it holds."""
        kind = message.WhichOneof("kind")
        if kind == "struct_value":
            return self.struct(model, message.struct_value)
        if kind == "list_value":
            return self.list(model, message.list_value)
        return model if self._numbers and _is_same(model, message, kind) else write_value(message)


def _is_same(model: JsonValue, message: ApiMessage, kind: str | None) -> bool:
    """Whether a long number is what the message says in its digits, or as a double."""
    if type(model) is not int and type(model) is not Decimal:
        return False
    if fits_double(model):
        return kind == "number_value" and float(model) == message.number_value
    return kind == "string_value" and number_text(model) == message.string_value
