"""JSON Schemas of systems as Integration Connectors has them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.connectors.base import DataType, Field
from openplaybook.jsonvalues import JsonObject
from openplaybook.services.connectors.wire_schemas import field_schema, object_schema, wire_schema
from openplaybook.wire.api import load_api
from tests.kit.discovery_documents import document, faults
from tests.kit.thoroughness import examples

WORDS = [*document("connectors.v2")["schemas"]["JsonSchema"]["properties"], "nullable", "x-vendor", "required", "type"]
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner, max_size=4),
    max_leaves=20,
)
SCHEMAS = st.dictionaries(st.sampled_from(WORDS), ANYTHING, max_size=8)


@settings(max_examples=examples(300))
@given(SCHEMAS)
def test_whatever_a_vendor_writes_becomes_a_schema_of_the_document(schema: JsonObject) -> None:
    api = load_api()

    made = api.codec.from_json(wire_schema(schema), api.message("google.cloud.connectors.v2.JsonSchema")())

    assert faults("connectors.v2", api.codec.to_json(made), "JsonSchema") == []


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("data_type", list(DataType))
def test_every_type_of_a_field_is_one_of_the_document(data_type: DataType, version: str) -> None:
    prefix = "DATA_TYPE_" if version == "v1" else ""

    schema = object_schema([Field("a", data_type, is_required=True)], prefix, "About it")

    assert faults(f"connectors.{version}", schema, "JsonSchema") == []
    assert schema["required"] == ["a"]


def test_what_a_vendors_schema_says_is_kept() -> None:
    vendors: JsonObject = {
        "type": "object",
        "required": ["a"],
        "additionalProperties": False,
        "properties": {
            "a": {"type": ["string", "null"], "enum": ["x", None], "maxLength": 5, "nullable": True},
            "b": {"type": "array", "items": {"$ref": "#/$defs/c"}, "minItems": 1},
        },
        "$defs": {"c": {"type": "number", "minimum": 0, "multipleOf": 0.5}},
        "oneOf": [{"title": "One"}],
    }

    assert wire_schema(vendors) == {
        "type": ["object"],
        "required": ["a"],
        "additionalProperties": {"not": {}},
        "properties": {
            "a": {"type": ["string", "null"], "enum": ["x", None], "maxLength": 5},
            "b": {"type": ["array"], "items": {"$ref": "#/$defs/c"}, "minItems": 1},
        },
        "$defs": {"c": {"type": ["number"], "minimum": 0, "multipleOf": 0.5}},
        "oneOf": [{"title": "One"}],
    }


def test_a_field_says_its_values_default_and_whether_it_may_be_null() -> None:
    field = Field("size", DataType.STRING, is_nullable=False, values=("s", "m"), default="m", description="How large")

    assert field_schema(field, "") == {
        "type": ["string"],
        "description": "How large",
        "enum": ["s", "m"],
        "default": "m",
        "jdbcType": "VARCHAR",
    }


def test_what_is_needed_is_not_said_to_be_nullable() -> None:
    needed, other = Field("query", DataType.TEXT, is_required=True), Field("note", DataType.TEXT)

    schema = object_schema([needed, other], "")

    assert [each["type"] for each in schema["properties"].values()] == [["string"], ["string", "null"]]
