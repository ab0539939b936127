"""Schemas without references, for models whose dialect has none: what they refer to stands in place, cut to a size."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

MAX_BYTES = 32_768
"""Of one schema, roughly, as JSON."""

NOT_SHOWN = "(not shown in full)"

_PREFIX = "#/$defs/"
_LEVELS = (8, 6, 4, 3, 2, 1)
_MAX_TEXT = 120
_PUNCTUATION = 6
"""Bytes around each member: quotes, colon, comma."""


class _TooLarge(Exception):
    """There is no room for the schema with so many levels of references."""


def without_references(schema: JsonObject, max_bytes: int = MAX_BYTES) -> JsonObject:
    """A schema (2020-12) with what its `$defs` say in the places that refer to them.

    A schema that is within itself, and what goes deeper than there is room for, is named with its type and a note.
    """
    definitions = as_object(schema.get("$defs"))
    if not definitions:
        return schema
    top = {key: value for key, value in schema.items() if key != "$defs"}
    for levels in _LEVELS:
        try:
            return as_object(_Expansion(definitions, max_bytes).expanded(top, levels, frozenset()))
        except _TooLarge:
            continue
    # Nothing is left out of the schema itself, however large: that is for who made it.
    return as_object(_Expansion(definitions, None).expanded(top, 0, frozenset()))


class _Expansion:
    """One attempt, with the room that is left."""

    def __init__(self, definitions: JsonObject, room: int | None) -> None:
        self._definitions = definitions
        self._room = room

    def expanded(self, value: JsonValue, levels: int, within: frozenset[str]) -> JsonValue:
        """`value` with so many levels of references followed; `within` are the definitions it is a part of."""
        if isinstance(value, list):
            return [self.expanded(item, levels, within) for item in as_list(value)]
        if not isinstance(value, dict):
            self._take(len(str(value)))
            return value
        members = as_object(value)
        reference = members.get("$ref")
        if isinstance(reference, str):
            return self._followed(reference.removeprefix(_PREFIX), members, levels, within)
        self._take(sum(len(key) + _PUNCTUATION for key in members))
        return {key: self.expanded(item, levels, within) for key, item in members.items()}

    def _followed(self, name: str, members: JsonObject, levels: int, within: frozenset[str]) -> JsonObject:
        definition = as_object(self._definitions.get(name))
        beside = {key: item for key, item in members.items() if key != "$ref"}
        if not levels or name in within:
            named = {**_named(definition), **beside}
            self._take(len(str(named)))
            return named
        return as_object(self.expanded({**definition, **beside}, levels - 1, within | {name}))

    def _take(self, size: int) -> None:
        if self._room is not None:
            self._room -= size
            if self._room < 0:
                raise _TooLarge


def _named(definition: JsonObject) -> JsonObject:
    text = str(definition.get("description") or definition.get("title") or "")[:_MAX_TEXT]
    kind: JsonObject = {"type": definition["type"]} if "type" in definition else {}
    return {**kind, "description": f"{text}… {NOT_SHOWN}" if text else NOT_SHOWN}
