"""A document as a tree of values: looked through, and copied with changes."""

from collections.abc import Callable, Iterator
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue


def objects(value: JsonValue) -> Iterator[JsonObject]:
    """Every object in a value, outer ones first."""
    waiting: list[JsonValue] = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            found = cast(JsonObject, current)
            yield found
            waiting.extend(reversed(list(found.values())))
        elif isinstance(current, list):
            waiting.extend(reversed(cast(list[JsonValue], current)))


def changed(value: JsonValue, change: Callable[[str, JsonValue], JsonValue]) -> JsonValue:
    """A copy of a value in which every member that is neither object nor array is what `change` makes of it."""
    if isinstance(value, dict):
        return {key: _member(key, item, change) for key, item in cast(JsonObject, value).items()}
    if isinstance(value, list):
        return [changed(item, change) for item in cast(list[JsonValue], value)]
    return value


def _member(key: str, value: JsonValue, change: Callable[[str, JsonValue], JsonValue]) -> JsonValue:
    return changed(value, change) if isinstance(value, dict | list) else change(key, value)
