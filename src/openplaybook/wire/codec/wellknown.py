"""Well-known types with a JSON form of their own: times, masks, wrappers."""

import re
from collections.abc import Callable
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor

from openplaybook.jsonvalues import JsonValue
from openplaybook.wire.codec.errors import JsonError, kind_of, shown
from openplaybook.wire.messages import ApiMessage

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
