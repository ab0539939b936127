"""What holds for any schema of a description once it is converted."""

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.schema.dialect import Direction, is_true, map_children, to_2020_12


def on_ref(reference: str) -> JsonObject:
    return {"$ref": f"#/$defs/{reference.rpartition('/')[2]}"}


def convert(schema: JsonValue, direction: Direction = Direction.INPUT) -> JsonObject:
    return to_2020_12(schema, on_ref, direction)


@pytest.mark.parametrize(
    ("schema", "converted"),
    [
        # Types and their values.
        ({"type": "Integer"}, {"type": "integer"}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "double"}, {"type": "number"}),
        ({"type": "bool"}, {"type": "boolean"}),
        ({"type": ["string", "whatever", "string"]}, {"type": "string"}),
        ({"type": ["integer", "string"]}, {"type": ["integer", "string"]}),
        ({"type": []}, {}),
        ({"type": None}, {}),
        ({"type": 5}, {}),
        ({"type": "integer", "enum": ["1", 2, "x"]}, {"type": "integer", "enum": [1, 2, "x"]}),
        ({"type": "boolean", "enum": ["true"]}, {"type": "boolean", "enum": [True]}),
        ({"enum": [1, "a", None]}, {"enum": [1, "a", None]}),
        ({"enum": []}, {}),
        ({"const": None}, {"const": None}),
        ({"default": None}, {}),
        ({"type": "number", "default": "1.5"}, {"type": "number", "default": 1.5}),
        ({"type": "number", "default": "many"}, {"type": "number", "default": "many"}),
        ({"type": "string", "default": True}, {"type": "string", "default": "true"}),
        ({"type": "string", "examples": ["a", "b", "c", "d"]}, {"type": "string", "examples": ["a", "b", "c"]}),
        ({"type": "string", "examples": ["a"], "example": "b"}, {"type": "string", "examples": ["a", "b"]}),
        ({"type": "integer", "example": "7"}, {"type": "integer", "examples": [7]}),
        # Bounds.
        ({"minItems": "2", "maxItems": 3.0}, {"minItems": 2, "maxItems": 3}),
        ({"minimum": True, "maximum": None}, {}),
        (
            {"minimum": 10**400, "maximum": "9" * 400, "maxLength": "9" * 5000},
            {"minimum": 10**400, "maximum": 10**400 - 1},
        ),
        ({"minimum": float("-inf"), "maximum": "Infinity", "maxLength": float("inf"), "minLength": "nan"}, {}),
        ({"exclusiveMinimum": "5"}, {"exclusiveMinimum": 5}),
        ({"exclusiveMinimum": True}, {}),
        ({"exclusiveMaximum": False, "maximum": 3}, {"maximum": 3}),
        ({"multipleOf": "0.01"}, {"multipleOf": 0.01}),
        ({"multipleOf": -1}, {}),
        # Members.
        ({"required": ["a", "a", 5, None]}, {"required": ["a"]}),
        ({"required": "a"}, {}),
        ({"required": []}, {}),
        ({"properties": {"a": True, "b": False, "c": None}}, {"properties": {"a": {}, "b": {"not": {}}, "c": {}}}),
        ({"properties": "none"}, {"properties": {}}),
        ({"additionalProperties": True}, {"additionalProperties": True}),
        ({"additionalProperties": "true"}, {"additionalProperties": True}),
        ({"additionalProperties": None}, {"additionalProperties": True}),
        ({"unevaluatedProperties": False}, {"unevaluatedProperties": False}),
        ({"dependentRequired": {"a": ["b", 5]}}, {"dependentRequired": {"a": ["b"]}}),
        ({"items": []}, {"prefixItems": [{}]}),
        ({"items": None}, {}),
        ({"items": True}, {"items": {}}),
        ({"allOf": []}, {}),
        ({"allOf": "none"}, {}),
        ({"not": {"type": "string", "nullable": True}}, {"not": {"type": ["string", "null"]}}),
        # Words.
        ({"title": 5, "description": ["x"], "format": "date"}, {"format": "date"}),
        ({"uniqueItems": "true", "deprecated": False}, {"uniqueItems": True, "deprecated": False}),
        ({"x-agent-input-parameter": "petId"}, {"x-agent-input-parameter": "petId"}),
        ({"x-agent-input-parameter": 5}, {}),
        # References.
        ({"$ref": "#/a/Pet"}, {"$ref": "#/$defs/Pet"}),
        ({"$ref": "#/a/Pet", "description": "d", "type": "string"}, {"$ref": "#/$defs/Pet", "description": "d"}),
        (
            {"$ref": "#/a/Pet", "nullable": True, "description": "d"},
            {"description": "d", "anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]},
        ),
        ({"$ref": 5, "type": "string"}, {"type": "string"}),
        # What has another meaning beside a reference is none.
        (
            {"$ref": "#/a/Pet", "title": {"$ref": "#"}, "description": ["x"], "deprecated": "true", "xml": "x"},
            {"$ref": "#/$defs/Pet", "deprecated": True},
        ),
        (
            {"$ref": "#/a/Pet", "default": {"$ref": "#"}, "xml": {"name": "p"}},
            {"$ref": "#/$defs/Pet", "default": {"$ref": "#"}, "xml": {"name": "p"}},
        ),
        ({"nullable": True}, {}),
        ({"type": ["string", "null"], "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "null", "nullable": True}, {"type": ["null"]}),
        (False, {"not": {}}),
        (True, {}),
        ("text", {}),
    ],
)
def test_every_keyword_of_a_description_has_its_2020_12_form(schema: JsonValue, converted: JsonObject) -> None:
    assert convert(schema) == converted


@pytest.mark.parametrize(
    ("value", "expected"), [(True, True), ("true", True), ("True", False), (1, False), (False, False), (None, False)]
)
def test_only_true_and_its_quoted_form_are_true(value: JsonValue, expected: bool) -> None:
    assert is_true(value) is expected


KEYWORDS = [
    *("type", "properties", "items", "enum", "required", "nullable", "minimum", "exclusiveMinimum", "allOf", "anyOf"),
    *("pattern", "maxLength", "default", "example", "additionalProperties", "multipleOf", "readOnly", "not", "const"),
]
WORDS = st.sampled_from(["string", "integer", "object", "array", "true", "5", "a"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from(list(Direction)))
def test_a_converted_schema_compiles_and_is_json(schema: JsonValue, direction: Direction) -> None:
    converted = convert(schema, direction)
    jsonschema_rs.Draft202012Validator(converted)
    assert dumps(converted)


@given(VALUES)
def test_converting_leaves_the_document_alone_and_gives_the_same_again(schema: JsonValue) -> None:
    before = dumps(schema)
    assert convert(schema) == convert(schema)
    assert dumps(schema) == before


def without_examples(schema: JsonObject) -> JsonObject:
    """What of a schema does not depend on how it was written."""
    kept = map_children(schema, without_examples)
    return {key: value for key, value in kept.items() if key not in ("examples", "enum", "default", "type")}


@given(VALUES)
def test_what_was_converted_once_stays_as_it_is(schema: JsonValue) -> None:
    once = convert(schema)
    assert without_examples(convert(once)) == without_examples(once)


@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from(["readOnly", "writeOnly", "title"]), min_size=1))
def test_a_property_travels_in_one_direction_or_both(kinds: dict[str, str]) -> None:
    schema: JsonObject = {
        "required": list(kinds),
        "properties": {name: {kind: True if kind != "title" else "t"} for name, kind in kinds.items()},
    }
    for direction, gone in ((Direction.INPUT, "readOnly"), (Direction.OUTPUT, "writeOnly")):
        left = [name for name, kind in kinds.items() if kind != gone]
        converted = convert(schema, direction)
        assert (list(as_object(converted["properties"])), as_list(converted.get("required"))) == (left, left)
