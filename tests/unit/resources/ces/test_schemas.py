from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.ces.schemas import ces_schema, json_schema

PAIRS: list[tuple[JsonObject, JsonObject]] = [
    ({}, {}),
    ({"type": "STRING"}, {"type": "string"}),
    ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
    ({"type": "STRING", "enum": ["EAST", "WEST"]}, {"type": "string", "enum": ["EAST", "WEST"]}),
    ({"type": "INTEGER", "enum": ["101", "201"]}, {"type": "integer", "enum": [101, 201]}),
    ({"type": "BOOLEAN", "enum": ["true"]}, {"type": "boolean", "enum": [True]}),
    (
        {"type": "STRING", "enum": ["a"], "nullable": True},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    (
        {"type": "ARRAY", "items": {"type": "NUMBER"}, "minItems": "1", "maxItems": "9007199254740993"},
        {"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 9007199254740993},
    ),
    (
        {"type": "ARRAY", "prefixItems": [{"type": "STRING"}, {"type": "INTEGER"}], "uniqueItems": True},
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "uniqueItems": True},
    ),
    (
        {"type": "INTEGER", "minimum": 0.0, "maximum": 10.0, "default": 5.0, "title": "Count"},
        {"type": "integer", "minimum": 0.0, "maximum": 10.0, "default": 5.0, "title": "Count"},
    ),
    (
        {
            "type": "OBJECT",
            "properties": {"pet": {"ref": "#/defs/Pet"}, "other": {"ref": "#/defs/Pet", "nullable": True}},
            "required": ["pet"],
            "defs": {"Pet": {"type": "OBJECT", "properties": {"name": {"type": "STRING"}}}},
        },
        {
            "type": "object",
            "properties": {
                "pet": {"$ref": "#/$defs/Pet"},
                "other": {"anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]},
            },
            "required": ["pet"],
            "$defs": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}},
        },
    ),
    (
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": True, "description": "Either."},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "Either."},
    ),
    (
        {"type": "OBJECT", "additionalProperties": {"type": "STRING"}},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ),
]


@pytest.mark.parametrize(("message", "schema"), PAIRS)
def test_a_schema_of_an_app_and_its_json_schema_are_each_other(message: JsonObject, schema: JsonObject) -> None:
    assert (json_schema(message), ces_schema(schema)) == (schema, message)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": ["string", "integer"]}, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "STRING"}], "nullable": True}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"type": "object", "additionalProperties": False}, {"type": "OBJECT"}),
        ({"type": "object", "additionalProperties": True}, {"type": "OBJECT", "additionalProperties": {}}),
        ({"type": "string", "pattern": "a+", "format": "uuid"}, {"type": "STRING"}),
        (
            {
                "allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}],
                "properties": {"b": {"type": "number"}},
                "required": ["b"],
            },
            {
                "type": "OBJECT",
                "properties": {"a": {"type": "STRING"}, "b": {"type": "NUMBER"}},
                "required": ["b", "a"],
            },
        ),
        (True, {}),
    ],
)
def test_what_the_message_has_no_field_for_is_told_as_well_as_it_can(schema: JsonValue, message: JsonObject) -> None:
    assert ces_schema(schema) == message


def _enumeration(kind: str) -> st.SearchStrategy[list[str]]:
    texts = {"INTEGER": st.integers().map(str), "NUMBER": st.integers().map(lambda n: str(float(n)))}
    return st.lists(texts.get(kind, st.text(max_size=5)), min_size=1, max_size=3)


@st.composite
def _schemas(draw: st.DrawFn, depth: int = 2) -> JsonObject:
    kind = draw(st.sampled_from(["STRING", "INTEGER", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"]))
    schema: JsonObject = {"type": kind, "description": draw(st.text(max_size=8))}
    inner = _schemas(depth=depth - 1) if depth else st.just(cast(JsonObject, {"type": "STRING"}))
    if draw(st.booleans()):
        schema["nullable"] = True
    if kind in ("STRING", "INTEGER", "NUMBER") and draw(st.booleans()):
        schema["enum"] = draw(_enumeration(kind))
    if kind == "OBJECT":
        schema["properties"] = draw(st.dictionaries(st.text(max_size=5), inner, max_size=3))
        schema["required"] = sorted(schema["properties"])
    if kind == "ARRAY":
        schema["items"] = draw(inner)
        schema["minItems"] = str(draw(st.integers(0, 2**63 - 1)))
    if draw(st.booleans()):
        schema["anyOf"] = draw(st.lists(inner, min_size=1, max_size=2))
    return schema


@given(_schemas())
def test_any_schema_of_an_app_comes_back_as_it_was(message: JsonObject) -> None:
    assert ces_schema(json_schema(message)) == message
