"""OpenAPI schemas as JSON Schema 2020-12, leniently: what has no meaning is left out rather than refused.

OpenAPI 3.1 is 2020-12 already; 3.0 differs in `nullable`, boolean `exclusiveMinimum` and `example` (OAS 3.0.4 §4.7.24).
Real descriptions add quoted numbers, `required: true` on a property, unknown types and enumerations whose values YAML
read as numbers.
"""

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.schema.keyword_values import BOUNDS, fix_bounds, fix_values, is_true
from openplaybook.tools.schema.patterns import is_usable

OnRef: TypeAlias = Callable[[str], JsonObject]
"""Gives the schema that stands in place of a `$ref`; raises what its owner wants to see."""

INJECTION = "x-agent-input-parameter"
"""Extension that names where a value comes from; kept by the conversion."""

SESSION_CONTEXT = "x-ces-session-context"
"""The same in the words of CX Agent Studio: a path within the context of the session; becomes `INJECTION`."""

SESSION_ID = "@dialogflow/sessionId"
"""The built-in schema whose value is the session's id; becomes a string with `INJECTION` set to this."""

CONTEXT = "$context."
"""What such paths begin with."""
CONTEXT_PATHS = frozenset({"project_id", "project_number", "location", "app_id", "variables"})
"""Those that are known beside `session_id` and `variables.NAME`."""
VARIABLES = "variables."

DATA = frozenset({"const", "default", "enum", "examples", "xml"})
"""Keywords that hold values, which may look like schemas."""

MAX_DEPTH = 64

_ONE = frozenset({"not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems"})
_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
_OPEN = frozenset({"items", "additionalProperties", "unevaluatedProperties"})
_TEXTS = frozenset({"title", "description", "format", "pattern", "contentMediaType", "contentEncoding", INJECTION})
_FLAGS = frozenset({"uniqueItems", "deprecated", "readOnly", "writeOnly"})
_CONVERTED = (
    _ONE
    | _MANY
    | _NAMED
    | _TEXTS
    | _FLAGS
    | {
        "additionalProperties",
        "unevaluatedProperties",
        "required",
        "dependentRequired",
        "xml",
    }
)
"""Keywords that are converted one by one; others need others, or have no meaning."""
_NULLABLE = frozenset({"nullable", "x-nullable"})
_MAX_NAMED = 10_000
"""Properties of one schema; more of them are the service's to check."""

_DESCRIBES_MEMBERS = frozenset({"$ref", "properties", "allOf", "oneOf", "anyOf"})
_CLOSED = ("additionalProperties", False)
_BESIDE_REF = frozenset({"title", "description", "default", "deprecated", "xml", INJECTION})


class Direction(Enum):
    """Which way the values of a schema travel."""

    INPUT = "readOnly"
    """To the service: its read-only properties are left out."""
    OUTPUT = "writeOnly"
    """From the service: its write-only properties are left out."""


class SchemaTooDeep(Exception):
    """A schema is nested more than `MAX_DEPTH` levels."""


def to_2020_12(
    schema: JsonValue,
    on_ref: OnRef,
    direction: Direction,
    depth: int = 0,
    on_part: OnRef | None = None,
    described: OnRef | None = None,
) -> JsonObject:
    """`schema` as JSON Schema 2020-12; raises `SchemaTooDeep`, and what `on_ref` raises.

    `on_part` gives the schema in place of a `$ref` that is one of several parts (`allOf`) of a whole. `described` gives
    what a `$ref` refers to, as the description has it; it may say there that it is read-only.
    """
    if depth > MAX_DEPTH:
        raise SchemaTooDeep(f"schemas nested more than {MAX_DEPTH} levels are not supported")
    if not isinstance(schema, dict):
        return {"not": {}} if schema is False else {}
    source = cast(JsonObject, schema)
    reference = source.get("$ref", source.get("$dynamicRef"))
    if isinstance(reference, str):
        return _reference(source, reference, on_ref)

    def convert(child: JsonValue) -> JsonObject:
        return to_2020_12(child, on_ref, direction, depth + 1, on_part, described)

    if "properties" in source:
        source = _without_directed(source, direction, described)
    result: JsonObject = {}
    fix_values(source, result)
    for key, value in source.items():
        if key in _CONVERTED:
            _convert_keyword(key, value, result, convert)
    if "items" in source:
        _fix_items(source, result, convert)
    if "patternProperties" in result:
        _fix_patterns(result)
    if "allOf" in result:
        _join_parts(source, result, on_part or on_ref)
    if not BOUNDS.isdisjoint(source):
        fix_bounds(source, result)
    if "discriminator" in source:
        alternatives(source, result)
    if SESSION_CONTEXT in source:
        _inject(source, result)
    return _nullable(result) if not _NULLABLE.isdisjoint(source) and _allows_null(source) else result


def injection_of(session_context: str) -> str:
    """What `SESSION_CONTEXT` says, as a value of `INJECTION`; an unknown path stays as it is, and is unknown there."""
    return SESSION_ID if session_context == f"{CONTEXT}session_id" else session_context


def is_context_path(source: JsonValue) -> bool:
    """Whether a source is a known path within the context of the session: the model never sees what it fills in."""
    if not isinstance(source, str) or not source.startswith(CONTEXT):
        return False
    path = source.removeprefix(CONTEXT)
    return path in CONTEXT_PATHS or (path.startswith(VARIABLES) and path != VARIABLES)


def _inject(source: JsonObject, result: JsonObject) -> None:
    if isinstance(source[SESSION_CONTEXT], str):
        result.setdefault(INJECTION, injection_of(source[SESSION_CONTEXT]))


def _allows_null(source: JsonObject) -> bool:
    return is_true(source.get("nullable")) or is_true(source.get("x-nullable"))


def _reference(source: JsonObject, reference: str, on_ref: OnRef) -> JsonObject:
    result: JsonObject = {}
    for key, value in source.items():
        if key == "default":
            result[key] = value
        elif key in _BESIDE_REF:
            _convert_keyword(key, value, result, as_object)
    if reference == SESSION_ID:
        return {**result, "type": "string", INJECTION: SESSION_ID}
    result = {**on_ref(reference), **result}
    if SESSION_CONTEXT in source:
        _inject(source, result)
    return _nullable(result) if _allows_null(source) else result


def _convert_keyword(
    key: str, value: JsonValue, result: JsonObject, convert: Callable[[JsonValue], JsonObject]
) -> None:
    """Put what `key` means into `result`; keywords that need others are left to the fixes."""
    if key in _TEXTS:
        if isinstance(value, str) and (key != "pattern" or is_usable(value)):
            result[key] = value
    elif key in _FLAGS:
        result[key] = is_true(value)
    elif key in _NAMED:
        if len(as_object(value)) > _MAX_NAMED:
            return
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
    elif key == "xml" and isinstance(value, dict):
        result[key] = value


def _join_parts(source: JsonObject, result: JsonObject, on_part: OnRef) -> None:
    """Let the parts of a whole describe it together.

    Parts that each allow no other properties than their own, as generators write them, would allow no value at all.
    """
    parts = [as_object(part) for part in as_list(source["allOf"])]
    describing = sum(not _DESCRIBES_MEMBERS.isdisjoint(part) for part in parts) + ("properties" in source)
    if describing < 2:
        return
    joined: list[JsonObject] = []
    for part, converted in zip(parts, as_list(result["allOf"]), strict=True):
        if isinstance(part.get("$ref"), str):
            converted = _reference(part, part["$ref"], on_part)
        joined.append({key: value for key, value in converted.items() if (key, value) != _CLOSED})
    result["allOf"] = joined
    if result.get("additionalProperties") is False:
        del result["additionalProperties"]
        result["unevaluatedProperties"] = False


def _names(value: JsonValue) -> list[str]:
    return list(dict.fromkeys(name for name in as_list(value) if isinstance(name, str)))


def _fix_patterns(result: JsonObject) -> None:
    """Leave out the names that the validator cannot match; what they allow is open then."""
    named = as_object(result["patternProperties"])
    usable = {pattern: child for pattern, child in named.items() if is_usable(pattern)}
    if len(usable) < len(named):
        result["patternProperties"] = usable
        result.pop("additionalProperties", None)


def _open_or_closed(value: JsonValue, convert: Callable[[JsonValue], JsonObject]) -> JsonValue:
    if isinstance(value, dict):
        return convert(value)
    return not (value is False or value == "false")


def _without_directed(source: JsonObject, direction: Direction, described: OnRef | None) -> JsonObject:
    """`source` without the properties that never travel this way (OAS 3.0.3 §4.7.24.1)."""

    def is_left_out(child: JsonValue) -> bool:
        members = as_object(child)
        reference = members.get("$ref")
        if described is not None and isinstance(reference, str) and direction.value not in members:
            members = described(reference)
        return is_true(members.get(direction.value))

    properties = as_object(source["properties"])
    gone = {name for name, child in properties.items() if is_left_out(child)}
    if not gone:
        return source
    kept: JsonObject = {**source, "properties": {name: each for name, each in properties.items() if name not in gone}}
    if isinstance(source.get("required"), list):
        kept["required"] = [name for name in as_list(source["required"]) if name not in gone]
    return kept


def _fix_items(source: JsonObject, result: JsonObject, convert: Callable[[JsonValue], JsonObject]) -> None:
    items = source.get("items")
    if isinstance(items, list):
        result["prefixItems"] = [convert(child) for child in cast(list[JsonValue], items)] or [{}]
    elif items is not None:
        result["items"] = convert(items)


def _nullable(schema: JsonObject) -> JsonObject:
    """The same schema, null allowed too."""
    kind = schema.get("type")
    if kind is None or "$ref" in schema:
        beside = {key: schema.pop(key) for key in list(schema) if key in _BESIDE_REF}
        return {**beside, "anyOf": [schema, {"type": "null"}]} if schema else beside
    types = [kind] if isinstance(kind, str) else as_list(kind)
    # An enumeration has to name null itself (OAS 3.0.3, proposal "Clarify Semantics of nullable").
    schema["type"] = types if types == ["null"] else list(dict.fromkeys([*types, "null"]))
    return schema


def map_children(schema: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """A converted schema with `change` applied to every schema directly in it."""
    result = dict(schema)
    for key, value in schema.items():
        if not isinstance(value, dict | list):
            continue
        if key in _NAMED:
            result[key] = {name: change(as_object(child)) for name, child in as_object(value).items()}
        elif key in _MANY:
            result[key] = [change(as_object(child)) for child in as_list(value)]
        elif isinstance(value, dict) and (key in _ONE or key in _OPEN):
            result[key] = change(as_object(value))
    return result


def alternatives(source: JsonObject, result: JsonObject) -> None:
    """Make the converted alternatives of `source` such that a value needs to fit one of them, not only one.

    The discriminator (OAS 3.1.1 §4.8.25), which has to be there, says which one it is; the schemas themselves are often
    alike. A `mapping` also names the values that belong to an alternative, which then holds for these only.
    """
    branches = as_list(result.pop("oneOf", result.get("anyOf")))
    if not branches:
        return
    discriminator = as_object(source["discriminator"])
    name, mapping = discriminator.get("propertyName"), as_object(discriminator.get("mapping"))
    written = as_list(source.get("oneOf") or source.get("anyOf"))
    result["anyOf"] = [
        _only_for(branch, name, _values(as_object(each).get("$ref"), mapping)) if isinstance(name, str) else branch
        for branch, each in zip(branches, written, strict=False)
    ]


def _values(reference: object, mapping: JsonObject) -> list[str]:
    """The values that stand for the schema of a reference; they name it by the reference or its last part."""
    if not isinstance(reference, str):
        return []
    names = (reference, reference.rpartition("/")[2])
    return [value for value, target in mapping.items() if target in names]


def _only_for(branch: JsonObject, name: str, values: list[str]) -> JsonObject:
    condition: JsonObject = {"properties": {name: {"enum": values}}} if values else {}
    return {"allOf": [branch, {**condition, "required": [name]}]}
