"""Numbers that come as texts of their digits, read where a schema says that a number is meant.

A Struct holds doubles, so a client that speaks protobuf gives a longer number as a text (`"12345678901234567890"`), as
Google's own JSON does with 64-bit integers.
"""

import re
from dataclasses import dataclass
from typing import Final

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, number_of

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,5})?")
"""A number as JSON has it: `007` and `+1` are identifiers."""

_MAX_DEPTH: Final = 64
_MAX_STEPS: Final = 20_000
"""Values and alternatives of schemas that are looked at; what comes after stays as it is."""

_KINDS: Final = {str: "string", bool: "boolean", dict: "object", list: "array", type(None): "null"}


def has_digits(value: JsonValue) -> bool:
    """Whether a text anywhere in a value is a number."""
    waiting: list[JsonValue] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if _NUMBER.fullmatch(each):
                return True
        elif isinstance(each, dict):
            waiting.extend(as_object(each).values())
        elif isinstance(each, list):
            waiting.extend(as_list(each))
    return False


def with_numbers(value: JsonValue, schema: JsonObject) -> JsonValue:
    """`value` with every text of digits as the number, where the schema (2020-12) says integer or number and says
    nothing of texts there; references point into the schema itself.

    Of several alternatives (`anyOf`, `oneOf`) all that a value may be have to agree.
    """
    return _Reading(schema).read(value, schema, 0) if has_digits(value) else value


@dataclass(slots=True)
class _Reading:
    root: JsonObject
    steps: int = 0

    def read(self, value: JsonValue, schema: JsonValue, depth: int) -> JsonValue:
        """`value` as one schema says."""
        self.steps += 1
        resolved = self._looked_through(schema)
        if not resolved or depth > _MAX_DEPTH or self.steps > _MAX_STEPS:
            return value
        if isinstance(value, str):
            return self._number(value, resolved, depth) if _NUMBER.fullmatch(value) else value
        if isinstance(value, list):
            first, rest = as_list(resolved.get("prefixItems")), resolved.get("items")
            value = [
                self.read(item, first[at] if at < len(first) else rest, depth + 1)
                for at, item in enumerate(as_list(value))
            ]
        elif isinstance(value, dict):
            named, rest = as_object(resolved.get("properties")), resolved.get("additionalProperties")
            value = {name: self.read(item, named.get(name, rest), depth + 1) for name, item in as_object(value).items()}
        else:
            return value
        for part in as_list(resolved.get("allOf")):
            value = self.read(value, part, depth + 1)
        return self._alternatives(value, resolved, depth)

    def _alternatives(self, value: JsonValue, resolved: JsonObject, depth: int) -> JsonValue:
        kind = _KINDS[type(value)]
        for key in ("anyOf", "oneOf"):
            options = [each for each in as_list(resolved.get(key)) if kind in self._kinds(each, depth)]
            readings = [self.read(value, each, depth + 1) for each in options]
            if readings and all(each == readings[0] for each in readings):
                value = readings[0]
        return value

    def _number(self, text: str, resolved: JsonObject, depth: int) -> JsonValue:
        kinds = self._kinds(resolved, depth)
        if "string" in kinds or not kinds & {"integer", "number"}:
            return text
        try:
            number = number_of(text)
        except ValueError:
            return text
        if "number" in kinds:
            return number
        if isinstance(number, int):
            return number
        is_whole = number.is_integer() if isinstance(number, float) else number == number.to_integral_value()
        return int(number) if is_whole else text

    def _kinds(self, schema: JsonValue, depth: int) -> frozenset[str]:
        """The types that values of a schema may have."""
        self.steps += 1
        resolved = self._looked_through(schema)
        if depth > _MAX_DEPTH or self.steps > _MAX_STEPS:
            return _ALL
        declared = resolved.get("type")
        kinds = frozenset([declared] if isinstance(declared, str) else map(str, as_list(declared))) or _ALL
        for part in as_list(resolved.get("allOf")):
            kinds &= self._kinds(part, depth + 1)
        for key in ("anyOf", "oneOf"):
            if options := as_list(resolved.get(key)):
                kinds &= frozenset[str]().union(*(self._kinds(each, depth + 1) for each in options))
        constants = [*as_list(resolved.get("enum")), *([resolved["const"]] if "const" in resolved else [])]
        if constants and not any(isinstance(each, str) for each in constants):
            kinds -= {"string"}
        return kinds

    def _looked_through(self, schema: JsonValue) -> JsonObject:
        """The schema that references lead to; empty for one that leads nowhere."""
        resolved = as_object(schema)
        for _ in range(_MAX_DEPTH):
            reference = resolved.get("$ref")
            if not isinstance(reference, str):
                return resolved
            target: JsonValue = self.root if reference.startswith("#/") else None
            for step in reference.removeprefix("#/").split("/"):
                target = as_object(target).get(step.replace("~1", "/").replace("~0", "~"))
            resolved = as_object(target)
        return {}


_ALL: Final = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
