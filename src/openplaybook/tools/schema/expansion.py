"""How often one value is judged: schemas that apply in place multiply, and a small description can ask for 2^40.

JSON Schema 2020-12 core §10.2: `allOf`, `anyOf`, `oneOf`, `not`, `if` and their like, and `$ref`, judge the value
itself, and no validator remembers what it has judged.
"""

from collections.abc import Iterable

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

MAX_EXPANSION = 20_000
"""Schemas that one value is judged by. Real descriptions reach some hundreds."""

_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_OF_PARTS = frozenset(
    {"items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"}
)
_BY_NAME = frozenset({"properties", "patternProperties", "$defs"})
_PREFIX = "#/$defs/"


def expands_too_far(schema: JsonObject) -> bool:
    """Whether a value, or a part of it at any depth, is judged by more than `MAX_EXPANSION` schemas at once."""
    counter = _Counter(as_object(schema.get("$defs")))
    waiting: list[JsonValue] = [schema]
    try:
        while waiting:
            current = as_object(waiting.pop())
            if counter.count(current, waiting) > MAX_EXPANSION:
                return True
    except RecursionError:
        return True
    return False


class _Counter:
    """Counts schemas, each definition once."""

    def __init__(self, definitions: JsonObject) -> None:
        self._definitions = definitions
        self._counts: dict[str, int] = {}

    def count(self, schema: JsonObject, parts: list[JsonValue]) -> int:
        """How many schemas judge what `schema` judges; those of its parts are added to `parts`."""
        total = 1
        for key, value in schema.items():
            if key in _OF_PARTS:
                parts.append(value)
            elif key in _BY_NAME:
                parts.extend(as_object(value).values())
            elif key == "prefixItems":
                parts.extend(as_list(value))
            elif key == "$ref":
                total += self._of_definition(str(value))
            elif key in _IN_PLACE:
                total += self._of_all(_children(value, key), parts)
        return total

    def _of_all(self, children: Iterable[JsonValue], parts: list[JsonValue]) -> int:
        total = 0
        for child in children:
            total += self.count(as_object(child), parts)
            if total > MAX_EXPANSION:
                break
        return total

    def _of_definition(self, reference: str) -> int:
        name = reference.removeprefix(_PREFIX)
        if name not in self._counts:
            # Met again before it is counted, it refers to itself, which validators see.
            self._counts[name] = 1
            # Its parts are counted with the definitions.
            self._counts[name] = self.count(as_object(self._definitions.get(name)), [])
        return self._counts[name]


def _children(value: JsonValue, key: str) -> Iterable[JsonValue]:
    if key == "dependentSchemas":
        return as_object(value).values()
    return as_list(value) if isinstance(value, list) else (value,)
