"""Large values cut to a budget, still valid JSON, with a note of what was left out."""

import re
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, is_deep, loads

BUDGET = 32_000
"""Bytes of JSON that a model is given of one answer."""

MAX_DEPTH = 20
"""Arrays and objects within each other that are kept: traces carry answers in protobuf, which takes some 30."""

_MAX_NOTES = 5
_COMMA = _COLON = 1
_EMPTY = len(dumps(""))
"""Bytes of the marks around a text, an array or an object."""
_MARKED = len(dumps("…"))
_SMALL = 64
"""Bytes up to which a member with its name stays whole as long as there is room."""
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.?)*+(?:"|\Z)|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
"""A string without its end is one token too: looked for again at each of its quotes, it would take quadratic time."""
_UNENDED = re.compile(
    r'"(?:[^"\\]|\\(?:u(?![dD][89abAB])[0-9a-fA-F]{4}|u[dD][89abAB].{2}\\u[0-9a-fA-F]{4}|[^u]))*+', re.DOTALL
)
"""The beginning of a string up to a last whole character."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is left of a value that was too large."""

    value: JsonValue
    notes: list[str]


def cut(value: JsonValue, budget: int = BUDGET) -> tuple[JsonValue, str]:
    """`value` in at most `budget` bytes of compact JSON, and what was left out; the note is empty when nothing.

    Of an array the first items stay; of an object every small member stays and the large ones share the rest; of a
    string the beginning stays. A value of which nothing can stay is left out; the whole becomes null then.
    """
    notes: list[str] = []
    if is_deep(value, MAX_DEPTH):
        notes.append(f"$ has {MAX_DEPTH} levels of objects and arrays, and … for what is deeper")
        value = _down_to(value, MAX_DEPTH)
    if not notes and len(dumps(value)) <= budget:
        return value, ""
    piece = _cut(value, budget, "$") or _Piece(None, ["$ does not fit"])
    notes += piece.notes
    more = len(notes) - _MAX_NOTES
    sentences = [*notes[:_MAX_NOTES], *([f"and {more} more places"] if more > 0 else [])]
    return piece.value, "Cut to fit: " + "; ".join(sentences) + "."


def _down_to(value: JsonValue, depth: int) -> JsonValue:
    if not isinstance(value, dict | list):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, list):
        return [_down_to(item, depth - 1) for item in as_list(value)]
    return {key: _down_to(item, depth - 1) for key, item in as_object(value).items()}


def _cut(value: JsonValue, budget: int, path: str) -> _Piece | None:
    """The part of a value that fits, or None when no part does."""
    if len(dumps(value)) <= budget:
        return _Piece(value, [])
    if isinstance(value, str):
        return _cut_text(value, budget, path)
    if isinstance(value, list) and budget >= _EMPTY:
        return _cut_array(as_list(value), budget, path)
    if isinstance(value, dict) and budget >= _EMPTY:
        return _cut_object(as_object(value), budget, path)
    return None


def _cut_text(value: str, budget: int, path: str) -> _Piece | None:
    room = budget - _MARKED
    beginning = value[: max(room, 0)]
    # Escapes and other alphabets make JSON longer than the text, so the text is shortened until it fits.
    while beginning and (size := len(dumps(beginning)) - _EMPTY) > room:
        beginning = beginning[: min(len(beginning) * room // size, len(beginning) - 1)]
    note = f"{path} has the first {len(beginning)} of {len(value)} characters"
    return _Piece(f"{beginning}…", [note]) if beginning else None


def _cut_array(items: list[JsonValue], budget: int, path: str) -> _Piece:
    first_items: list[JsonValue] = []
    notes: list[str] = []
    left = budget - _EMPTY + _COMMA
    for item in items:
        size = len(dumps(item)) + _COMMA
        if size > left:
            break
        first_items.append(item)
        left -= size
    if not first_items and (piece := _cut(items[0], left - _COMMA, f"{path}[0]")):
        first_items, notes = [piece.value], piece.notes
    if len(first_items) < len(items):
        notes = [*notes, f"{path} has the first {len(first_items)} of {len(items)} items"]
    return _Piece(first_items, notes)


def _cut_object(members: JsonObject, budget: int, path: str) -> _Piece:
    """Members from the smallest: each gets an equal share of what is left, so only large ones are cut."""
    by_size = sorted(members, key=lambda key: len(dumps(members[key])))
    pieces: dict[str, _Piece] = {}
    left = budget - _EMPTY + _COMMA
    for position, key in enumerate(by_size):
        overhead = len(dumps(key)) + _COLON + _COMMA
        is_small = len(dumps(members[key])) + overhead <= min(left, _SMALL)
        room = left if is_small else left // (len(by_size) - position)
        piece = _cut(members[key], room - overhead, f"{path}.{key}")
        if piece is not None:
            pieces[key] = piece
            left -= len(dumps(piece.value)) + overhead
    dropped = len(members) - len(pieces)
    fitting = [(key, pieces[key]) for key in members if key in pieces]
    notes = [f"{path} lacks {dropped} of {len(members)} members"] if dropped else []
    return _Piece(
        {key: piece.value for key, piece in fitting}, notes + [note for _, piece in fitting for note in piece.notes]
    )


def salvage(text: str) -> JsonValue:
    """The value of a JSON text whose end is missing, without the part that was cut; `ValueError` when it is not JSON.

    Keeps what ends in a comma or a closing bracket, and the beginning of a text value that is cut, which may be all
    that there is; and closes what is then open.
    """
    closers: list[str] = []
    end = depth = 0
    before = beginning = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            closers.append("}" if token == "{" else "]")
            if not end:
                end, depth = match.end(), 1
        elif token in "}]":
            if not closers or closers[-1] != token:
                break
            closers.pop()
            end, depth = match.end(), len(closers)
        elif token == ",":
            # What stands before a comma is whole; what stands after may be half.
            end, depth = match.start(), len(closers)
        elif match.end() == len(text) and (before == ":" or closers[-1:] == ["]"]):
            beginning = _closed(text[: match.start()], token, closers)
        before = token
    if beginning:
        try:
            return loads(beginning)
        except ValueError:
            # The text has what JSON forbids, such as a line break: it is left out.
            pass
    return loads(text[:end] + "".join(reversed(closers[:depth])))


def _closed(before: str, token: str, closers: list[str]) -> str:
    """JSON that ends with a text value, which may lack its end; empty where the last token is none."""
    whole = _UNENDED.match(token)
    if whole is None or len(whole[0]) == 1:
        return ""
    last = token if token[len(whole[0]) :] == '"' else f'{whole[0]}…"'
    return f"{before}{last}{''.join(reversed(closers))}"
