"""Of an answer, only the fields that its description declares."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_DEFINITIONS = "#/$defs/"
_PARTS = ("allOf", "anyOf", "oneOf")
_MAX_DEPTH = 100
"""Arrays and objects within each other that are looked through; what is deeper stays as it is."""
_MAX_PARTS = 1_000
"""Schemas that together describe one value; a value described by more stays as it is."""


def only_declared(answers: JsonObject | None, status: str, value: JsonValue) -> JsonValue:
    """The body without members that the schema of its status does not declare.

    `answers` has a schema for each status (`outputs.output_schema`). Objects whose members are open, and all that has
    no schema, stay as they are.
    """
    declared = as_object(as_object(answers).get("properties"))
    schema = declared.get(status) or declared.get(f"{status[:1]}XX")
    if schema is None:
        return value
    return _Pruner(as_object(as_object(answers).get("$defs"))).kept(value, [as_object(schema)], 0)


class _Pruner:
    def __init__(self, definitions: JsonObject) -> None:
        self._definitions = definitions

    def kept(self, value: JsonValue, schemas: list[JsonObject], depth: int) -> JsonValue:
        """What is left of a value that any of the schemas may describe."""
        parts = list(self._parts(schemas))
        if depth > _MAX_DEPTH or len(parts) > _MAX_PARTS:
            return value
        if isinstance(value, list):
            items = [as_object(part["items"]) for part in parts if "items" in part]
            values = as_list(value)
            return [self.kept(item, items, depth + 1) for item in values] if items else values
        return self._kept_members(as_object(value), parts, depth) if isinstance(value, dict) else value

    def _kept_members(self, members: JsonObject, parts: list[JsonObject], depth: int) -> JsonObject:
        if not any(as_object(part.get("properties")) for part in parts) or any(map(_is_open, parts)):
            return members
        known: dict[str, list[JsonObject]] = {}
        for part in parts:
            for name, schema in as_object(part.get("properties")).items():
                known.setdefault(name, []).append(as_object(schema))
        return {name: self.kept(member, known[name], depth + 1) for name, member in members.items() if name in known}

    def _parts(self, schemas: list[JsonObject]) -> Iterator[JsonObject]:
        """The schemas, and those that they refer to or are composed of, each definition once."""
        followed: set[str] = set()
        waiting = list(schemas)
        for schema in waiting:
            yield schema
            if len(waiting) > _MAX_PARTS:
                return
            reference = schema.get("$ref")
            if isinstance(reference, str) and reference not in followed:
                followed.add(reference)
                waiting.append(as_object(self._definitions.get(reference.removeprefix(_DEFINITIONS))))
            waiting.extend(as_object(part) for key in _PARTS for part in as_list(schema.get(key)))


def _is_open(schema: JsonObject) -> bool:
    """Whether an object may have members of any name, as its schema expressly says."""
    return bool(schema.get("additionalProperties")) or "patternProperties" in schema
