"""Schemas as the validator compiles them."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.expansion import MAX_EXPANSION, ValidationCost
from openplaybook.tools.schema.patterns import options

Compiled: TypeAlias = jsonschema_rs.Draft202012Validator
Formats: TypeAlias = Mapping[str, Callable[[str], bool]]


MAX_PATTERNS = 200
"""In one validator: what is compiled of them stays as long as it does."""


def compile_schema(
    schema: JsonObject, formats: Formats | None, cost: ValidationCost, *, patient: bool = False
) -> Compiled:
    """What judges values by a schema of which `found` is known; raises `InvalidSchema`.

    Without `formats` none is checked. `patient`: its patterns may take long, since nobody else waits.
    """
    if cost.expands_too_far:
        raise InvalidSchema(f"refers to more than {MAX_EXPANSION:,} schemas in place of one")
    try:
        return jsonschema_rs.Draft202012Validator(
            with_few_patterns(schema),
            offline=True,
            pattern_options=options(patient=patient),
            validate_formats=formats is not None,
            formats=dict(formats) if formats is not None else None,
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        first_line = str(error).partition("\n")[0]
        raise InvalidSchema(first_line[:300] or "not a JSON Schema") from error


def with_few_patterns(schema: JsonObject) -> JsonObject:
    """`schema`, or one without the patterns that are too many for a validator."""
    return schema if _count(schema) <= MAX_PATTERNS else as_object(_Pruner().pruned(schema))


def _count(schema: JsonObject) -> int:
    count, waiting = 0, list[JsonValue]([schema])
    while waiting:
        value = waiting.pop()
        members = as_object(value)
        count += isinstance(members.get("pattern"), str) + len(as_object(members.get("patternProperties")))
        waiting.extend((*members.values(), *as_list(value)))
    return count


class _Pruner:
    """Keeps the first patterns it meets."""

    def __init__(self) -> None:
        self._left = MAX_PATTERNS

    def pruned(self, value: JsonValue) -> JsonValue:
        """A copy of a value with at most as many patterns as are left."""
        if isinstance(value, list):
            return [self.pruned(item) for item in as_list(value)]
        if not isinstance(value, dict):
            return value
        members = dict(as_object(value))
        if isinstance(members.get("pattern"), str) and not self._take(1):
            del members["pattern"]
        if "patternProperties" in members and not self._take(len(as_object(members["patternProperties"]))):
            del members["patternProperties"]
            members.pop("additionalProperties", None)
        return {key: self.pruned(item) for key, item in members.items()}

    def _take(self, patterns: int) -> bool:
        self._left -= patterns
        return self._left >= 0
