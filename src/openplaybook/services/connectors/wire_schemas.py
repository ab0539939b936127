"""JSON Schemas as the `JsonSchema` of Integration Connectors: types in lists, and the type of JDBC beside them."""

from collections.abc import Mapping, Sequence

from openplaybook.connectors.base import DataType, Field
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number

_TYPES: Mapping[DataType, tuple[str, str]] = {
    DataType.STRING: ("string", ""),
    DataType.TEXT: ("string", ""),
    DataType.BOOLEAN: ("boolean", ""),
    DataType.SMALLINT: ("integer", ""),
    DataType.INTEGER: ("integer", ""),
    DataType.BIGINT: ("integer", "int64"),
    DataType.DOUBLE: ("number", ""),
    DataType.DECIMAL: ("string", "decimal"),
    DataType.DATE: ("string", "date"),
    DataType.TIME: ("string", "time"),
    DataType.TIMESTAMP: ("string", "date-time"),
    DataType.TIMESTAMP_WITH_ZONE: ("string", "date-time"),
    DataType.UUID: ("string", "uuid"),
    DataType.BINARY: ("string", "byte"),
    DataType.STRUCT: ("object", ""),
    DataType.ARRAY: ("array", ""),
}
"""Type and format in JSON Schema; of other types any value."""

_SCHEMAS = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
_LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf")
_MAPS_OF_SCHEMAS = ("$defs", "definitions", "patternProperties", "properties")
_COUNTS = ("maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties")
_TEXTS = ("$comment", "$id", "$ref", "contentEncoding", "contentMediaType", "description", "format", "pattern", "title")
_FLAGS = ("readOnly", "uniqueItems", "writeOnly")
_NOTHING: JsonValue = object()
"""In place of what is left out."""
_ANYTHING = ("const", "default", "exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")


def object_schema(fields: Sequence[Field], prefix: str, description: str = "") -> JsonObject:
    """The schema of an object with these fields; `prefix` stands before types of JDBC."""
    properties = {each.name: field_schema(each, prefix) for each in fields}
    schema: JsonObject = {"type": ["object"], "properties": properties}
    if description:
        schema["description"] = description
    required: list[JsonValue] = [each.name for each in fields if each.is_required]
    if required:
        schema["required"] = required
    return schema


def field_schema(field: Field, prefix: str) -> JsonObject:
    """The schema of one field's value."""
    kind, text_form = _TYPES.get(field.data_type, ("", ""))
    schema = wire_schema(field.schema) if field.schema is not None else {}
    if kind and "type" not in schema:
        schema["type"] = [kind, "null"] if field.is_nullable and not field.is_required else [kind]
    if text_form:
        schema.setdefault("format", text_form)
    if field.description:
        schema["description"] = field.description
    if field.values:
        schema["enum"] = [*field.values]
    if field.default is not None:
        schema["default"] = field.default
    schema["jdbcType"] = f"{prefix}{field.data_type.value}"
    return schema


def wire_schema(schema: JsonObject) -> JsonObject:
    """A JSON Schema as a `JsonSchema`: what that has no member for is left out, as is what is no JSON Schema, and
    what says nothing about a value, such as a schema that is `true`."""
    made = {key: _member(key, value) for key, value in schema.items()}
    return {key: value for key, value in made.items() if value is not _NOTHING}


def _member(key: str, value: JsonValue) -> JsonValue:
    if key in _SCHEMAS:
        return _schema(value)
    if key in _LISTS_OF_SCHEMAS and isinstance(value, list):
        return [_one_of_several(each) for each in as_list(value)]
    if key in _MAPS_OF_SCHEMAS and isinstance(value, dict):
        return {name: _one_of_several(each) for name, each in as_object(value).items()}
    if key == "type":
        return [value] if isinstance(value, str) else _texts(value)
    if key == "required":
        return _texts(value)
    return value if _fits(key, value) else _NOTHING


def _schema(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return wire_schema(as_object(value))
    return {"not": {}} if value is False else _NOTHING


def _one_of_several(value: JsonValue) -> JsonObject:
    """A schema that cannot be left out without changing what the others mean: it then says nothing."""
    schema = _schema(value)
    return {} if schema is _NOTHING else as_object(schema)


def _texts(value: JsonValue) -> JsonValue:
    return [each for each in as_list(value) if isinstance(each, str)] if isinstance(value, list) else _NOTHING


def _fits(key: str, value: JsonValue) -> bool:
    """Whether a member stays as it is."""
    is_a_number = is_number(value)
    if key in _TEXTS:
        return isinstance(value, str)
    if key in _COUNTS:
        return isinstance(value, int) and is_a_number and 0 <= value < 2**31
    if key in _FLAGS:
        return isinstance(value, bool)
    if key in ("enum", "examples"):
        return isinstance(value, list)
    return key in _ANYTHING or (key == "multipleOf" and is_a_number)
