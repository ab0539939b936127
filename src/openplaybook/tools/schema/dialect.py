"""OpenAPI schemas as JSON Schema 2020-12, leniently: what has no meaning is left out rather than refused.

OpenAPI 3.1 is 2020-12 already; 3.0 differs in `nullable`, boolean `exclusiveMinimum` and `example` (OAS 3.0.4 §4.7.24).
Real descriptions add quoted numbers, `required: true` on a property, unknown types and enumerations whose values YAML
read as numbers.
"""

import math
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import TypeAlias, cast

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

OnRef: TypeAlias = Callable[[str], JsonObject]
"""Gives the schema that stands in place of a `$ref`; raises what its owner wants to see."""

INJECTION = "x-agent-input-parameter"
"""Extension that names where a value comes from; kept by the conversion."""

SESSION_ID = "@dialogflow/sessionId"
"""The built-in schema whose value is the session's id; becomes a string with `INJECTION` set to this."""

MAX_DEPTH = 64

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_ONE = frozenset({"not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems"})
_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
_OPEN = frozenset({"items", "additionalProperties", "unevaluatedProperties"})
_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_BOUNDS = _COUNTS | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_TEXTS = frozenset({"title", "description", "format", "pattern", INJECTION})
_FLAGS = frozenset({"uniqueItems", "deprecated", "readOnly", "writeOnly"})
_BESIDE_REF = frozenset({"title", "description", "default", "deprecated", INJECTION})


class Direction(Enum):
    """Which way the values of a schema travel."""

    INPUT = "readOnly"
    """To the service: its read-only properties are left out."""
    OUTPUT = "writeOnly"
    """From the service: its write-only properties are left out."""


class SchemaTooDeep(Exception):
    """A schema is nested more than `MAX_DEPTH` levels."""


def to_2020_12(schema: JsonValue, on_ref: OnRef, direction: Direction, depth: int = 0) -> JsonObject:
    """`schema` as JSON Schema 2020-12; raises `SchemaTooDeep`, and what `on_ref` raises."""
    if depth > MAX_DEPTH:
        raise SchemaTooDeep(f"schemas nested more than {MAX_DEPTH} levels are not supported")
    if not isinstance(schema, dict):
        return {"not": {}} if schema is False else {}
    source = cast(JsonObject, schema)
    reference = source.get("$ref")
    if isinstance(reference, str):
        return _reference(source, reference, on_ref)

    def convert(child: JsonValue) -> JsonObject:
        return to_2020_12(child, on_ref, direction, depth + 1)

    result: JsonObject = {}
    _fix_values(source, result)
    for key, value in source.items():
        _convert_keyword(key, value, result, convert)
    _drop_directed(source, result, direction)
    _fix_items(source, result, convert)
    if not _BOUNDS.isdisjoint(source):
        _fix_bounds(source, result)
    return _nullable(result) if is_true(source.get("nullable")) else result


def is_true(value: JsonValue) -> bool:
    """True for `true`, and for the string some generators write."""
    return value is True or value == "true"


def _reference(source: JsonObject, reference: str, on_ref: OnRef) -> JsonObject:
    result: JsonObject = {key: value for key, value in source.items() if key in _BESIDE_REF}
    if reference == SESSION_ID:
        return {**result, "type": "string", INJECTION: SESSION_ID}
    result = {**on_ref(reference), **result}
    return _nullable(result) if is_true(source.get("nullable")) else result


def _convert_keyword(
    key: str, value: JsonValue, result: JsonObject, convert: Callable[[JsonValue], JsonObject]
) -> None:
    """Put what `key` means into `result`; keywords that need others are left to the fixes."""
    if key in _TEXTS:
        if isinstance(value, str) and (key != "pattern" or _is_usable(value)):
            result[key] = value
    elif key in _FLAGS:
        result[key] = is_true(value)
    elif key in _NAMED:
        result[key] = {str(name): convert(child) for name, child in as_object(value).items()}
    elif key in _MANY:
        if children := as_list(value):
            result[key] = [convert(child) for child in children]
    elif key in _ONE:
        result[key] = convert(value)
    elif key in ("additionalProperties", "unevaluatedProperties"):
        result[key] = _open_or_closed(value, convert)
    elif key == "required":
        if names := _names(value):
            result[key] = names
    elif key == "dependentRequired":
        result[key] = {name: _names(needed) for name, needed in as_object(value).items()}


def _names(value: JsonValue) -> list[str]:
    return list(dict.fromkeys(name for name in as_list(value) if isinstance(name, str)))


@lru_cache(maxsize=1024)
def _is_usable(pattern: str) -> bool:
    """Whether the validator takes a regular expression; one it does not take is the service's to check."""
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except ValueError:
        return False
    return True


def _open_or_closed(value: JsonValue, convert: Callable[[JsonValue], JsonObject]) -> JsonValue:
    if isinstance(value, dict):
        return convert(value)
    return not (value is False or value == "false")


def _drop_directed(source: JsonObject, result: JsonObject, direction: Direction) -> None:
    """Leave out the properties that never travel this way."""
    if "properties" not in result:
        return
    properties = as_object(result["properties"])
    gone = {
        name
        for name, child in as_object(source.get("properties")).items()
        if is_true(as_object(child).get(direction.value))
    }
    if gone:
        result["properties"] = {name: child for name, child in properties.items() if name not in gone}
        if "required" in result:
            result["required"] = [name for name in result["required"] if name not in gone]


def _fix_items(source: JsonObject, result: JsonObject, convert: Callable[[JsonValue], JsonObject]) -> None:
    items = source.get("items")
    if isinstance(items, list):
        result["prefixItems"] = [convert(child) for child in cast(list[JsonValue], items)] or [{}]
    elif items is not None:
        result["items"] = convert(items)


def _fix_bounds(source: JsonObject, result: JsonObject) -> None:
    for key in _COUNTS & source.keys():
        count = _number(source[key])
        if count is not None and count >= 0:
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


def _number(value: JsonValue) -> int | float | None:
    """A bound as a number, infinity as none at all; integers that JSON writers refuse become floats."""
    if isinstance(value, str):
        try:
            value = int(value) if value.lstrip("-").isdigit() else float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    return value if isinstance(value, float) or -(2**63) <= value < 2**64 else number


def _fix_values(source: JsonObject, result: JsonObject) -> None:
    """`type`, and the keywords whose values follow it."""
    only = _fix_type(source.get("type"), result)
    if options := as_list(source.get("enum")):
        result["enum"] = [_as_type(option, only) for option in options]
    if "const" in source:
        result["const"] = source["const"]
    if source.get("default") is not None:
        result["default"] = _as_type(source["default"], only)
    if "example" in source or "examples" in source:
        examples = [*as_list(source.get("examples")), source.get("example")]
        if shown := [_as_type(example, only) for example in examples if isinstance(example, str | int | float)]:
            result["examples"] = shown[:3]


def _fix_type(declared: JsonValue, result: JsonObject) -> str:
    """Set the type; the answer is the type when it is the only one, else empty."""
    if declared is None:
        return ""
    if isinstance(declared, str) and declared in _TYPES:
        result["type"] = declared
        return declared
    names = [declared] if isinstance(declared, str) else as_list(declared)
    types = [kind for kind in dict.fromkeys(_type(name) for name in names) if kind]
    if types:
        result["type"] = types[0] if len(types) == 1 else types
    return types[0] if len(types) == 1 else ""


def _type(name: JsonValue) -> str:
    """A JSON type for what a description calls a type; empty when it is none."""
    lowered = str(name).lower()
    if lowered in _TYPES:
        return lowered
    return {"int": "integer", "float": "number", "double": "number", "bool": "boolean", "file": "string"}.get(
        lowered, ""
    )


def _as_type(value: JsonValue, kind: str) -> JsonValue:
    """A value of the description in the type its schema states, where YAML or a generator wrote it in another."""
    if kind == "string" and isinstance(value, bool):
        return "true" if value else "false"
    if kind == "string" and isinstance(value, int | float):
        return str(value)
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if kind in ("integer", "number") and isinstance(value, str):
        number = _number(value)
        return value if number is None else number
    return value


def _nullable(schema: JsonObject) -> JsonObject:
    """The same schema, null allowed too."""
    kind = schema.get("type")
    if kind is None or "$ref" in schema:
        beside = {key: schema.pop(key) for key in list(schema) if key in _BESIDE_REF}
        return {**beside, "anyOf": [schema, {"type": "null"}]} if schema else beside
    types = [kind] if isinstance(kind, str) else as_list(kind)
    schema["type"] = types if types == ["null"] else list(dict.fromkeys([*types, "null"]))
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*as_list(schema["enum"]), None]
    return schema


def map_children(schema: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """A converted schema with `change` applied to every schema directly in it."""
    result = dict(schema)
    for key, value in schema.items():
        if key in _NAMED:
            result[key] = {name: change(as_object(child)) for name, child in as_object(value).items()}
        elif key in _MANY:
            result[key] = [change(as_object(child)) for child in as_list(value)]
        elif isinstance(value, dict) and (key in _ONE or key in _OPEN):
            result[key] = change(as_object(value))
    return result
