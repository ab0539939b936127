"""JSON texts: UTF-8, no key twice in an object, positions in errors.

Long strings are cut out of a large text and read a piece at a time, so that nobody waits until all of it is read.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from secrets import token_hex
from typing import ClassVar, Final, TypeAlias, cast

import orjson

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, as_list, as_object, dumps, few_exact, is_number, loads

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


Text: TypeAlias = bytes | bytearray

LONG: Final = 64 * 1024
"""Bytes of a string that is cut out, at the least."""

_QUOTE_MARK: Final = ord('"')
_BACKSLASH: Final = ord("\\")

_WHOLE = re.compile(
    rb"""
    (?: [^"\\]++
      | \\["\\/bfnrt]
      | \\u(?![dD][89aAbB])[0-9a-fA-F]{4}
      | \\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
    )*+
    """,
    re.VERBOSE,
)
"""What of a string has whole escapes, both halves of a pair together."""

_IS_KEY = re.compile(rb"[ \t\r\n]*+:")


class _NotCut(Exception):
    """The text is malformed, or has more strings than are read: who reads all of it says what is wrong."""


def without_long_strings(text: Text, most: int) -> tuple[bytes, Mapping[str, str]] | None:
    """A text with a name in the place of each long string, and these strings by name; None where it has none, is
    malformed in one, or has more than `most` strings. Names of members stay where they are."""
    strings: dict[str, str] = {}
    short: list[Text] = []
    mark, taken, at = token_hex(8), 0, 0
    try:
        for _ in range(most):
            start = _find(text, at)
            if start < 0:
                short.append(text[taken:])
                return (b"".join(short), strings) if strings else None
            start += 1
            end, pieces = _string(text, start)
            at = end + 1
            if pieces and not _IS_KEY.match(text, at):
                name = f"{mark}-{len(strings)}"
                strings[name] = "".join(pieces)
                short += [text[taken:start], name.encode()]
                taken = end
    except (_NotCut, ValueError):
        return None
    return None


def with_strings(read: JsonValue, strings: Mapping[str, str]) -> JsonValue:
    """A value with its long strings in the place of their names; objects and arrays stay the same ones."""
    if type(read) is str:
        return strings.get(read, read)
    left: list[JsonValue] = [read]
    while left:
        part = left.pop()
        # Members and items change in their places; none comes or goes.
        pairs: Iterable[tuple[str | int, JsonValue]] = as_object(part).items()
        for key, item in pairs if isinstance(part, dict) else enumerate(as_list(part)):
            if type(item) is str:
                if item in strings:
                    part[key] = strings[item]
            elif isinstance(item, dict | list):
                left.append(item)
    return read


def _find(text: Text, at: int) -> int:
    """Where the next quotation mark stands; -1 for none."""
    for start in range(at, len(text), PIECE):
        found = text.find(_QUOTE_MARK, start, start + PIECE)
        if found >= 0:
            return found
    return -1


def _string(text: Text, start: int) -> tuple[int, list[str]]:
    """Where a string ends that begins at `start`, and its pieces if it is long."""
    end = _end_of_piece(text, start)
    if end < len(text) and text[end] == _QUOTE_MARK and end - start < LONG:
        return end, []
    pieces = [_read(text, start, end)]
    while text[end : end + 1] != b'"':
        start, end = end, _end_of_piece(text, end)
        pieces.append(_read(text, start, end))
    return end, pieces


def _end_of_piece(text: Text, start: int) -> int:
    """Where a piece of a string ends: at the string's end, or between two characters."""
    limit = min(start + PIECE, len(text))
    end = text.find(_QUOTE_MARK, start, limit)
    is_whole = end >= 0
    end = end if is_whole else limit
    if text.find(_BACKSLASH, start, end) >= 0:
        match = _WHOLE.match(text, start, limit)
        end = match.end() if match else start
        is_whole = text[end : end + 1] in (b'"', b"\\")
    while not is_whole and start < end < len(text) and text[end] & 0xC0 == 0x80:
        end -= 1
    if end == start and text[end : end + 1] != b'"':
        raise _NotCut
    return end


def _read(text: Text, start: int, end: int) -> str:
    return cast(str, orjson.loads(b'"%b"' % memoryview(text)[start:end]))


MAX_NESTING = 400
"""Objects and arrays within each other; the parser's own recursion would end not far above."""

MAX_VALUES = 100_000
"""Values in one text. A request has some thousands at the most; each costs microseconds, and a text of the largest
size could hold ten million."""

MAX_EXACT = 5_000
"""Of these, numbers that neither 64 bits nor a double hold: they are read and written in Python, again and again."""

_ESCAPED_COLON = b"\\u003"
"""Each key of a text has a colon, which is lost with the key when it stands twice in an object: as many colons written
back as were read means that no key was lost. A colon read as an escape would be written as a colon."""


_LARGE = 1_000_000
"""Bytes of a text that is not written back as a whole: strings are most of it."""


_MOST_STRINGS = 2 * MAX_VALUES + 2
"""That a text may have, names and values: a little more, so that one too many is found by counting values."""


def parse_text(text: bytes | bytearray) -> JsonValue:
    """The value of a JSON text (RFC 8259).

    Raises `JsonError` with line and column, counted from 1, for a malformed text; for bytes that are not UTF-8, a key
    that is given twice in one object, NaN or Infinity outside quotes, nesting beyond `MAX_NESTING`, and more than
    `MAX_VALUES` values or `MAX_EXACT` numbers that no double holds."""
    cut = without_long_strings(text, _MOST_STRINGS) if len(text) >= _LARGE else None
    if cut is not None:
        short, strings = cut
        try:
            return with_strings(_parsed(short), strings)
        except JsonError:
            pass  # where it is malformed is told by all of it
    return _parsed(text)


def _parsed(text: bytes | bytearray) -> JsonValue:
    if sum(_count(text, mark) for mark in (b",", b"[", b"{")) >= MAX_VALUES:
        _check_shape(text)  # many of them may stand within strings
    try:
        value = loads(memoryview(text) if isinstance(text, bytearray) else text, most_exact=MAX_EXACT)
        if _ESCAPED_COLON not in text and _colons(value, len(text)) == _count(text, b":"):
            return value
    except (ValueError, TypeError):
        pass  # malformed or too deep: the parser below says what and where
    return _parse_slowly(text)


def _count(text: bytes | bytearray, mark: bytes) -> int:
    """How often one byte stands in a text; nobody waits until all of a large one is counted."""
    if len(text) < _LARGE:
        return text.count(mark)
    return sum(text.count(mark, start, start + _LARGE) for start in range(0, len(text), _LARGE))


def _colons(value: JsonValue, size: int) -> int:
    """Colons in the text of a value, which was read from so many bytes."""
    if size < _LARGE:
        return dumps(value).count(b":")
    colons, left = 0, [value]
    while left:
        part = left.pop()
        if type(part) is str:
            colons += part.count(":")
        elif type(part) is dict:
            members = cast(JsonObject, part)
            colons += len(members) + sum(key.count(":") for key in members)
            left += members.values()
        elif type(part) is list:
            left += cast(list[JsonValue], part)
    return colons


def _parse_slowly(text: bytes | bytearray) -> JsonValue:
    """Like `parse_text`, with a look at every key and good errors."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"byte {error.start} is not UTF-8") from error
    _check_shape(text)
    try:
        number = few_exact(MAX_EXACT)
        return json.JSONDecoder(
            object_pairs_hook=_object, parse_constant=_constant, parse_int=number, parse_float=number
        ).decode(decoded)
    except json.JSONDecodeError as error:
        raise JsonError(f"line {error.lineno} column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise JsonError(str(error)) from error


_PLAIN = re.compile(rb'[^"\[\]{},]*+')
_WITHIN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_QUOTE, _COMMA = ord('"'), ord(",")
_CLOSING = b"]}"


def _check_shape(text: bytes | bytearray) -> None:
    """Counts values and nesting before anything is built; a malformed text may pass, and fail in the parser.

    A piece at a time: one match over all of a large text would keep everybody else waiting."""
    depth, values = 0, 1
    for mark in _marks(text):
        if mark in _CLOSING:
            depth -= 1
            continue
        values += 1
        depth += mark != _COMMA
        if depth > MAX_NESTING:
            raise JsonError(f"objects and arrays are nested more than {MAX_NESTING} levels deep")
        if values > MAX_VALUES:
            raise _too_many()


def _too_many() -> JsonError:
    return JsonError(f"more than {MAX_VALUES:,} values")


def _marks(text: bytes | bytearray) -> Iterator[int]:
    """The brackets and commas outside strings; a string without its end is one too."""
    at, is_string, quotes = 0, False, 0
    while at < len(text):
        end = min(at + PIECE, len(text))
        pattern = _WITHIN_STRING if is_string else _PLAIN
        found = pattern.match(text, at, end)
        at = found.end() if found else at
        if at == end:
            continue
        mark = text[at]
        if mark == _QUOTE:
            is_string, quotes = not is_string, quotes + 1
            if quotes > 2 * _MOST_STRINGS:
                raise _too_many()
        elif not is_string:
            yield mark
        else:
            at += 1  # a backslash whose character is in the next piece
        at += 1


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise JsonError(f"the key {shown(key)} is given twice in one object")
            keys.add(key)
    return value


def _constant(name: str) -> JsonValue:
    raise JsonError(f'{name} is not JSON; floating point fields take it as a string, "{name}"')
