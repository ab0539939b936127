"""JSON texts: UTF-8, no key twice in an object, positions in errors."""

import json
import re
from collections.abc import Iterator
from typing import cast

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, dumps, few_exact, loads
from openplaybook.wire.codec.errors import JsonError, shown
from openplaybook.wire.codec.long_strings import with_strings, without_long_strings

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
        return _decoder().decode(decoded)
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
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {shown(key)} is given twice in one object")
            seen.add(key)
    return value


def _constant(name: str) -> JsonValue:
    raise JsonError(f'{name} is not JSON; floating point fields take it as a string, "{name}"')


def _decoder() -> json.JSONDecoder:
    number = few_exact(MAX_EXACT)
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_int=number, parse_float=number)
