"""Long strings cut out of a large JSON text and read a piece at a time, so that nobody waits until all of it is read.

The parser reads a text in one go, and others of this process wait meanwhile. Nearly all of a large text is one string:
a package, a file, a description. What is left without it is short.
"""

import re
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Final, TypeAlias, cast

import orjson

from openplaybook.jsonvalues import PIECE, JsonValue, as_list, as_object

Text: TypeAlias = bytes | bytearray

LONG: Final = 64 * 1024
"""Bytes of a string that is cut out, at the least."""

_QUOTE: Final = ord('"')
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
    kept: list[Text] = []
    mark, taken, at = token_hex(8), 0, 0
    try:
        for _ in range(most):
            start = _find(text, at)
            if start < 0:
                kept.append(text[taken:])
                return (b"".join(kept), strings) if strings else None
            start += 1
            end, pieces = _string(text, start)
            at = end + 1
            if pieces and not _IS_KEY.match(text, at):
                name = f"{mark}-{len(strings)}"
                strings[name] = "".join(pieces)
                kept += [text[taken:start], name.encode()]
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
        found = text.find(_QUOTE, start, start + PIECE)
        if found >= 0:
            return found
    return -1


def _string(text: Text, start: int) -> tuple[int, list[str]]:
    """Where a string ends that begins at `start`, and its pieces if it is long."""
    end = _end_of_piece(text, start)
    if end < len(text) and text[end] == _QUOTE and end - start < LONG:
        return end, []
    pieces = [_read(text, start, end)]
    while text[end : end + 1] != b'"':
        start, end = end, _end_of_piece(text, end)
        pieces.append(_read(text, start, end))
    return end, pieces


def _end_of_piece(text: Text, start: int) -> int:
    """Where a piece of a string ends: at the string's end, or between two characters."""
    limit = min(start + PIECE, len(text))
    end = text.find(_QUOTE, start, limit)
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
