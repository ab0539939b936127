"""What is wrong with a JSON text or value."""

from decimal import Decimal
from typing import ClassVar

from openplaybook.jsonvalues import is_number

_MAX_SEGMENT = 130
"""Longer than any field's name and any id."""


class JsonError(Exception):
    """A JSON value that is not what the message needs. The message says what is wrong and what is allowed."""

    code: ClassVar[str] = "INVALID_JSON"

    def __init__(self, message: str, *segments: str) -> None:
        super().__init__(message)
        self.message = message
        self._segments = [_short(segment) for segment in reversed(segments)]

    def within(self, segment: str) -> "JsonError":
        """Puts a segment (`.name` or `[0]`) before the path, as the error leaves the value it is in."""
        self._segments.append(_short(segment))
        return self

    @property
    def path(self) -> str:
        """JSON path of the value, from `$`."""
        return "$" + "".join(reversed(self._segments))

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def shown(value: object) -> str:
    """A value for a message, cut to a readable length."""
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _short(segment: str) -> str:
    """A key of any length in a path."""
    return segment if len(segment) <= _MAX_SEGMENT else f"{segment[: _MAX_SEGMENT - 3]}..."


def kind_of(value: object) -> str:
    """What a JSON value is, in JSON's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if is_number(value):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list) else "an object"


MAX_DEPTH = 90
"""Messages within messages, a map entry counting as one: protobuf reads 100 from the wire, and a resource travels
inside requests, lists and operations. An object in a Struct takes three, an array two."""


def too_deep() -> JsonError:
    """The error for a message below `MAX_DEPTH`."""
    return JsonError("nested too deeply: protobuf allows about 30 levels of objects")
