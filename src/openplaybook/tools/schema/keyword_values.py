"""Values, types and bounds of OpenAPI schemas, as JSON Schema 2020-12 wants them, whatever a generator wrote."""

import math
from decimal import Decimal

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, is_number, number_of

_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
BOUNDS = _COUNTS | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
"""Keywords that `fix_bounds` reads."""

TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
"""Of JSON Schema."""

_LARGEST_COUNT = 2**63
_MAX_OPTIONS = 20_000
"""Of an enumeration; a longer one is the service's to check."""


def is_true(value: JsonValue) -> bool:
    """True for `true`, and for the string some generators write."""
    return value is True or value == "true"


def fix_bounds(source: JsonObject, result: JsonObject) -> None:
    """Put the bounds of `source` into `result`: counts as integers, exclusive bounds as numbers."""
    for key, value in source.items():
        count = _number(value) if key in _COUNTS else None
        if count is not None and 0 <= count < _LARGEST_COUNT:
            result[key] = int(count)
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        limit = _number(source.get(bound))
        strict = source.get(exclusive)
        if is_true(strict) and limit is not None:
            result[exclusive] = limit
            continue
        if limit is not None:
            result[bound] = limit
        if not isinstance(strict, bool) and (strict_limit := _number(strict)) is not None:
            result[exclusive] = strict_limit
    step = _number(source.get("multipleOf"))
    if step is not None and step > 0:
        result["multipleOf"] = step


def _number(value: JsonValue) -> int | float | Decimal | None:
    """A bound as a number, infinity as none at all."""
    if isinstance(value, str):
        try:
            value = number_of(value.strip())
        except ValueError:
            return None
    if not is_number(value) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def fix_values(source: JsonObject, result: JsonObject) -> None:
    """Put `type` into `result`, and the keywords whose values follow it."""
    declared = source.get("type")
    only = _fix_type(declared, result)
    if declared == "file":
        result["format"] = "binary"
    if 0 < len(options := as_list(source.get("enum"))) <= _MAX_OPTIONS:
        result["enum"] = [_as_type(option, only) for option in options]
    if "const" in source:
        result["const"] = source["const"]
    if source.get("default") is not None:
        result["default"] = _as_type(source["default"], only)
    if "example" in source or "examples" in source:
        examples = [*as_list(source.get("examples")), source.get("example")]
        if listed := [
            _as_type(example, only) for example in examples if isinstance(example, str | bool) or is_number(example)
        ]:
            result["examples"] = listed[:3]


def _fix_type(declared: JsonValue, result: JsonObject) -> str:
    """Set the type; the answer is the type when it is the only one, else empty."""
    if declared is None:
        return ""
    if isinstance(declared, str) and declared in TYPES:
        result["type"] = declared
        return declared
    names = [declared] if isinstance(declared, str) else as_list(declared)
    types = [kind for kind in dict.fromkeys(json_type(name) for name in names) if kind]
    if types:
        result["type"] = types[0] if len(types) == 1 else types
    return types[0] if len(types) == 1 else ""


def json_type(name: JsonValue) -> str:
    """A JSON type for what a description calls a type; empty when it is none."""
    lowered = str(name).lower()
    if lowered in TYPES:
        return lowered
    return {"int": "integer", "float": "number", "double": "number", "bool": "boolean", "file": "string"}.get(
        lowered, ""
    )


def _as_type(value: JsonValue, kind: str) -> JsonValue:
    """A value of the description in the type its schema states, where YAML or a generator wrote it in another."""
    if kind == "string" and isinstance(value, bool):
        return "true" if value else "false"
    if kind == "string" and is_number(value):
        return str(value)
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if kind in ("integer", "number") and isinstance(value, str):
        number = _number(value)
        return value if number is None else number
    return value
