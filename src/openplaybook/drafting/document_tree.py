"""A document as a tree: its objects looked up and made, for changing them in their place, and copied with changes."""

from collections.abc import Callable, Iterator
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, target

_MAX_HOPS = 16


def followed(root: JsonObject, value: JsonValue) -> JsonObject | None:
    """`value`, or what it refers to: the object of `root`, not a copy. None when there is none."""
    for _ in range(_MAX_HOPS):
        if not isinstance(value, dict):
            return None
        current = cast(JsonObject, value)
        reference = current.get("$ref")
        if not isinstance(reference, str):
            return current
        try:
            value = target(root, reference)
        except UnresolvableReference:
            return None
    return None


def member(root: JsonObject, holder: JsonObject, key: str) -> JsonObject | None:
    """The object under `key`, references followed, made when there is none; None when what is there is no object."""
    if holder.get(key) is None:
        holder[key] = {}
    return followed(root, holder[key])


def array(holder: JsonObject, key: str) -> list[JsonValue]:
    """The array under `key` itself, made when there is none."""
    if not isinstance(holder.get(key), list):
        holder[key] = []
    return as_list(holder[key])


def section(root: JsonObject, name: str) -> JsonObject:
    """A section of the components itself, such as `schemas`, made when there is none."""
    holder = root
    for key in ("components", name):
        if not isinstance(holder.get(key), dict):
            holder[key] = {}
        holder = as_object(holder[key])
    return holder


def parameter(root: JsonObject, name: str, place: str, *holders: JsonObject) -> JsonObject | None:
    """The parameter object of that name in the first holder that has it; header names in any case."""
    for holder in holders:
        for each in as_list(holder.get("parameters")):
            candidate = followed(root, each)
            if candidate is None or candidate.get("in") != place:
                continue
            known = str(candidate.get("name"))
            if known == name or (place == "header" and known.lower() == name.lower()):
                return candidate
    return None


def objects(value: JsonValue) -> Iterator[JsonObject]:
    """Every object in a value, outer ones first."""
    waiting: list[JsonValue] = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            members = cast(JsonObject, current)
            yield members
            waiting.extend(reversed(list(members.values())))
        elif isinstance(current, list):
            waiting.extend(reversed(cast(list[JsonValue], current)))


def changed(value: JsonValue, change: Callable[[str, JsonValue], JsonValue]) -> JsonValue:
    """A copy of a value in which every member that is neither object nor array is what `change` makes of it."""
    if isinstance(value, dict):
        return {
            key: changed(item, change) if isinstance(item, dict | list) else change(key, item)
            for key, item in cast(JsonObject, value).items()
        }
    if isinstance(value, list):
        return [changed(item, change) for item in cast(list[JsonValue], value)]
    return value
