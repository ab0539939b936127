"""Large values cut to a budget, still valid JSON, with a note of what was left out."""

import re
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads

BUDGET = 32_000
"""Bytes of JSON that a model is given of one answer."""

_MAX_NOTES = 5
_ROOM_FOR_MARKER = 4
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|"|[\[\]{},:]|[^\s\[\]{},:"]+')


@dataclass(slots=True)
class _Cut:
    notes: list[str] = field(default_factory=list[str])


def cut(value: JsonValue, budget: int = BUDGET) -> tuple[JsonValue, str]:
    """`value` in at most about `budget` bytes of compact JSON, and what was left out; the note is empty when nothing.

    Of an array the first items stay; of an object every small member stays and the large ones share the rest; of a
    string the beginning stays.
    """
    if len(dumps(value)) <= budget:
        return value, ""
    done = _Cut()
    result = _cut(value, budget, "$", done)
    more = len(done.notes) - _MAX_NOTES
    notes = [*done.notes[:_MAX_NOTES], *([f"and {more} more places"] if more > 0 else [])]
    return result, "Cut to fit: " + "; ".join(notes) + "."


def _cut(value: JsonValue, budget: int, path: str, done: _Cut) -> JsonValue:
    if len(dumps(value)) <= budget:
        return value
    if isinstance(value, str):
        return _cut_text(value, budget, path, done)
    if isinstance(value, list):
        return _cut_array(as_list(value), budget, path, done)
    if isinstance(value, dict):
        return _cut_object(as_object(value), budget, path, done)
    return value


def _cut_text(value: str, budget: int, path: str, done: _Cut) -> str:
    # Escapes make JSON longer than the text, so the text is shortened until it fits.
    kept = value[: max(budget - _ROOM_FOR_MARKER, 0)]
    while kept and len(dumps(kept)) > budget:
        kept = kept[: len(kept) * max(budget - _ROOM_FOR_MARKER, 0) // len(dumps(kept))]
    done.notes.append(f"{path} has the first {len(kept)} of {len(value)} characters")
    return kept + "…"


def _cut_array(items: list[JsonValue], budget: int, path: str, done: _Cut) -> list[JsonValue]:
    kept: list[JsonValue] = []
    left = budget - 2
    for item in items:
        size = len(dumps(item)) + 1
        if size > left:
            break
        kept.append(item)
        left -= size
    if not kept and items:
        kept.append(_cut(items[0], left, f"{path}[0]", done))
    if len(kept) < len(items):
        done.notes.append(f"{path} has the first {len(kept)} of {len(items)} items")
    return kept


def _cut_object(members: JsonObject, budget: int, path: str, done: _Cut) -> JsonObject:
    """Members from the smallest: each gets an equal share of what is left, so only large ones are cut."""
    by_size = sorted(((len(dumps(value)), key) for key, value in members.items()), key=lambda each: each[0])
    shares: dict[str, int] = {}
    left = budget - 2
    for position, (size, key) in enumerate(by_size):
        overhead = len(dumps(key)) + 2
        share = max(left // (len(by_size) - position) - overhead, 0)
        if share < min(size, _ROOM_FOR_MARKER):
            continue
        shares[key] = share
        left -= min(size, share) + overhead
    dropped = [key for key in members if key not in shares]
    if dropped:
        done.notes.append(f"{path} lacks {len(dropped)} of {len(members)} members")
    return {key: _cut(value, shares[key], f"{path}.{key}", done) for key, value in members.items() if key in shares}


def salvage(text: str) -> JsonValue:
    """The value of a JSON text whose end is missing, without the part that was cut; `ValueError` when it is not JSON.

    Keeps what ends in a comma or a closing bracket, and closes what is then open.
    """
    closers: list[str] = []
    end = 0
    tail = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == '"':
            break  # a text without its end: its commas and brackets are its own
        if token in "{[":
            closers.append("}" if token == "{" else "]")
            if not end:
                end, tail = match.end(), closers[0]
        elif token in "}]":
            if not closers or closers.pop() != token:
                break
            end, tail = match.end(), "".join(reversed(closers))
        elif token == ",":
            # What stands before a comma is whole; what stands after may be half.
            end, tail = match.start(), "".join(reversed(closers))
    return loads(text[:end] + tail)
