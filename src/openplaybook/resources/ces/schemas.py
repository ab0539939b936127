"""Schemas of CX Agent Studio (`Schema`, a part of OpenAPI 3.0's) as JSON Schema 2020-12, and back.

The message has `type: "STRING"`, 64-bit numbers as texts, `nullable`, and `ref: "#/defs/Pet"`; JSON Schema has
`"string"`, numbers, `["string", "null"]` and `"$ref": "#/$defs/Pet"`. What the message has no field for (`pattern`,
`const` beside other types, `additionalProperties: false`, …) is lost on the way back.
"""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, number_of

_TYPES = frozenset({"STRING", "INTEGER", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"})
_AS_IT_IS = ("title", "description", "required", "uniqueItems", "default", "minimum", "maximum")
_COUNTS = ("minItems", "maxItems")
_ONE = ("items", "additionalProperties")
_LISTS = ("prefixItems", "anyOf")
_NULL: JsonObject = {"type": "null"}
_REF, _DEFS = "#/defs/", "#/$defs/"


def json_schema(schema: JsonObject) -> JsonObject:
    """The JSON Schema of a `Schema` (proto3 JSON). An empty one takes anything."""
    converted: JsonObject = {}
    kind = str(schema.get("type") or "")
    if kind in _TYPES:
        converted["type"] = kind.lower()
    converted |= {key: schema[key] for key in _AS_IT_IS if key in schema}
    converted |= {key: _whole(schema[key]) for key in _COUNTS if key in schema}
    if schema.get("enum"):
        converted["enum"] = [_of_type(each, kind) for each in as_list(schema["enum"])]
    converted |= {key: json_schema(as_object(schema[key])) for key in _ONE if key in schema}
    converted |= {key: _each(schema[key]) for key in _LISTS if key in schema}
    converted |= _named(schema, {"properties": "properties", "defs": "$defs"})
    if schema.get("ref"):
        converted["$ref"] = _swapped(str(schema["ref"]), _REF, _DEFS)
    return _nullable(converted) if schema.get("nullable") else converted


def ces_schema(schema: JsonValue) -> JsonObject:
    """The `Schema` (proto3 JSON) that says as much of a JSON Schema as the message can."""
    plain, is_nullable = _without_null(_joined(as_object(schema)))
    kinds = [str(each).upper() for each in _many(plain.get("type"))]
    if len(kinds) > 1:
        rest = {key: value for key, value in plain.items() if key != "type"}
        plain = {**rest, "anyOf": [{"type": kind.lower()} for kind in kinds]}
    converted: JsonObject = {"type": kinds[0]} if len(kinds) == 1 and kinds[0] in _TYPES else {}
    converted |= {key: plain[key] for key in _AS_IT_IS if key in plain}
    converted |= {key: str(plain[key]) for key in _COUNTS if key in plain}
    if "enum" in plain or "const" in plain:
        converted["enum"] = [_text_of(each) for each in as_list(plain.get("enum", [plain.get("const")]))]
    converted |= {key: ces_schema(plain[key]) for key in _ONE if key in plain and plain[key] is not False}
    converted |= {key: [ces_schema(each) for each in as_list(plain[key])] for key in _LISTS if key in plain}
    converted |= _named(plain, {"properties": "properties", "$defs": "defs"}, back=True)
    if "$ref" in plain:
        converted["ref"] = _swapped(str(plain["$ref"]), _DEFS, _REF)
    return {**converted, "nullable": True} if is_nullable else converted


def _each(schemas: JsonValue) -> list[JsonObject]:
    return [json_schema(as_object(each)) for each in as_list(schemas)]


def _named(schema: JsonObject, fields: Mapping[str, str], *, back: bool = False) -> JsonObject:
    """Members that hold schemas by name, under their name on the other side."""
    turned = ces_schema if back else json_schema
    return {
        other: {name: turned(as_object(each)) for name, each in as_object(schema[field]).items()}
        for field, other in fields.items()
        if field in schema
    }


def _whole(value: JsonValue) -> JsonValue:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else value


def _of_type(value: JsonValue, kind: str) -> JsonValue:
    """A value of an enumeration, which the message holds as a text, as the type has it."""
    if kind == "BOOLEAN":
        return {"true": True, "false": False}.get(str(value), value)
    if kind not in ("INTEGER", "NUMBER"):
        return value
    try:
        number = number_of(str(value))
        return number if kind == "NUMBER" or isinstance(number, int) else value
    except ValueError:
        return value


def _text_of(value: JsonValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _swapped(reference: str, old: str, new: str) -> str:
    return new + reference.removeprefix(old) if reference.startswith(old) else reference


def _nullable(schema: JsonObject) -> JsonObject:
    """The same schema that takes null as well."""
    if "enum" in schema:
        schema = {**schema, "enum": [*schema["enum"], None]}
    if "anyOf" in schema:
        schema = {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**rest, "anyOf": [{"$ref": schema["$ref"]}, _NULL]}
    return schema


def _without_null(schema: JsonObject) -> tuple[JsonObject, bool]:
    """The schema without null among what it takes, and whether it was."""
    kinds, choices, values = _many(schema.get("type")), as_list(schema.get("anyOf")), schema.get("enum")
    is_nullable = "null" in kinds or _NULL in choices
    if not is_nullable:
        return schema, False
    remaining = dict(schema)
    if kinds:
        remaining["type"] = [kind for kind in kinds if kind != "null"]
    if _NULL in choices:
        remaining["anyOf"] = [choice for choice in choices if choice != _NULL]
        only = as_object(remaining["anyOf"][0]) if len(remaining["anyOf"]) == 1 else {}
        if "$ref" in only and not kinds:
            del remaining["anyOf"]
            remaining |= only
    if values is not None:
        remaining["enum"] = [value for value in as_list(values) if value is not None]
    return remaining, True


def _joined(schema: JsonObject) -> JsonObject:
    """`oneOf` as `anyOf`, and the parts of `allOf` in one, the first word on a keyword holding."""
    if "oneOf" in schema and "anyOf" not in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    for part in as_list(schema.get("allOf")):
        other = _joined(as_object(part))
        both = {
            key: {**as_object(other[key]), **as_object(schema[key])}
            for key in ("properties", "$defs")
            if key in other and key in schema
        }
        required = list(dict.fromkeys([*as_list(schema.get("required")), *as_list(other.get("required"))]))
        schema = {**other, **schema, **both, **({"required": required} if required else {})}
    return schema


def _many(value: JsonValue) -> list[JsonValue]:
    return as_list(value) if isinstance(value, list) else [] if value is None else [value]
