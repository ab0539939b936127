import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.dialect import Direction, SchemaTooDeep, map_children, to_2020_12
from openplaybook.tools.schema.validator import Validator


def on_ref(reference: str) -> JsonObject:
    return {"$ref": f"#/$defs/{reference.rsplit('/', 1)[-1]}"}


def convert(schema: JsonValue, direction: Direction = Direction.INPUT) -> JsonObject:
    return to_2020_12(schema, on_ref, direction)


@pytest.mark.parametrize(
    ("schema", "converted"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": "true"}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a"]},
        ),
        (
            {"$ref": "#/components/schemas/Pet", "nullable": True},
            {"anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]},
        ),
        (
            {"nullable": True, "allOf": [{"type": "string"}], "description": "d"},
            {"description": "d", "anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}),
        ({"maximum": 5, "exclusiveMaximum": "true"}, {"exclusiveMaximum": 5}),
        ({"exclusiveMinimum": 2, "minimum": 1}, {"exclusiveMinimum": 2, "minimum": 1}),
        ({"minimum": "3", "maxLength": "7"}, {"minimum": 3, "maxLength": 7}),
        ({"minLength": -1, "multipleOf": 0, "maximum": "many"}, {}),
        ({"maximum": 2**70}, {"maximum": float(2**70)}),
        ({"type": "string", "example": "Rex"}, {"type": "string", "examples": ["Rex"]}),
        ({"type": "object", "example": {"a": 1}}, {"type": "object"}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": "STRING"}, {"type": "string"}),
        ({"type": "whatever"}, {}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": [True, 1, "x"]}, {"type": "string", "enum": ["true", "1", "x"]}),
        ({"type": "integer", "default": "10"}, {"type": "integer", "default": 10}),
        ({"type": "boolean", "default": "false"}, {"type": "boolean", "default": False}),
        ({"type": "string", "default": 5}, {"type": "string", "default": "5"}),
        ({"type": "object", "required": True}, {"type": "object"}),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "prefixItems": [{"type": "string"}]}),
        ({"type": "object", "additionalProperties": "false"}, {"type": "object", "additionalProperties": False}),
        (
            {"type": "object", "additionalProperties": {"type": "string", "nullable": True}},
            {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        ),
        ({"pattern": "(?<x"}, {}),
        ({"pattern": "^.{0,262144}$"}, {}),
        ({"pattern": "^[a-z]+$"}, {"pattern": "^[a-z]+$"}),
        ({"minLength": -1, "maxLength": 1e308, "maxItems": 1e18}, {"maxItems": 10**18}),
        ({"enum": list(range(20_001))}, {}),
        ({"properties": {str(n): {} for n in range(10_001)}}, {}),
        ({"xml": "x", "discriminator": {}, "externalDocs": {}, "x-internal": 1}, {}),
        ({"xml": {"name": "x"}}, {"xml": {"name": "x"}}),
        ({"$dynamicRef": "#/components/schemas/Pet"}, {"$ref": "#/$defs/Pet"}),
        (
            {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"},
            {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"},
        ),
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "x-ces-session-context": "$context.session_id"},
            {"type": "string", "x-agent-input-parameter": "@dialogflow/sessionId"},
        ),
        (
            {"$ref": "#/components/schemas/Pet", "x-ces-session-context": "$context.variables.a.b"},
            {"$ref": "#/$defs/Pet", "x-agent-input-parameter": "$context.variables.a.b"},
        ),
        ({"x-ces-session-context": "$context.other"}, {"x-agent-input-parameter": "$context.other"}),
        ({"x-ces-session-context": 5}, {}),
        ({"oneOf": [True, False]}, {"oneOf": [{}, {"not": {}}]}),
        (None, {}),
    ],
)
def test_a_schema_means_the_same_in_2020_12(schema: JsonValue, converted: JsonObject) -> None:
    assert convert(schema) == converted


def test_limits_stand_in_the_order_of_the_description() -> None:
    limits: JsonObject = {"maxLength": 9, "minLength": 1, "maxItems": 3, "minItems": 2}
    for schema in (limits, dict(reversed(limits.items()))):
        assert list(convert(schema)) == list(schema)


def test_properties_that_never_travel_this_way_are_left_out() -> None:
    schema: JsonObject = {
        "type": "object",
        "required": ["id", "name", "password"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "name": {"type": "string"},
            "password": {"type": "string", "writeOnly": "true"},
        },
    }
    assert (convert(schema)["required"], list(convert(schema)["properties"])) == (
        ["name", "password"],
        ["name", "password"],
    )
    answered = convert(schema, Direction.OUTPUT)
    assert (answered["required"], list(answered["properties"])) == (["id", "name"], ["id", "name"])


@pytest.mark.proves("O3")
def test_the_session_id_becomes_a_string_with_its_source() -> None:
    assert convert({"$ref": "@dialogflow/sessionId"}) == {
        "type": "string",
        "x-agent-input-parameter": "@dialogflow/sessionId",
    }


def test_nesting_has_an_end() -> None:
    schema: JsonObject = {}
    for _ in range(200):
        schema = {"items": schema}
    with pytest.raises(SchemaTooDeep):
        convert(schema)


def test_children_are_the_schemas_directly_within() -> None:
    seen: list[JsonObject] = []

    def note(child: JsonObject) -> JsonObject:
        seen.append(child)
        return {}

    schema = convert({"properties": {"a": {"type": "string"}}, "items": {"type": "number"}, "anyOf": [{"title": "t"}]})
    assert map_children(schema, note) == {"properties": {"a": {}}, "items": {}, "anyOf": [{}]}
    assert len(seen) == 3


KEYWORDS = [
    *("type", "properties", "items", "enum", "required", "nullable", "minimum", "exclusiveMinimum", "allOf"),
    *("anyOf", "pattern", "maxLength", "default", "example", "additionalProperties", "$ref", "multipleOf"),
    *("readOnly", "not", "format", "uniqueItems", "const", "dependentSchemas", "dependentRequired"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_whatever_stands_in_a_document_comes_out_as_a_schema_that_compiles(value: JsonValue) -> None:
    converted = to_2020_12(value, lambda _: {"type": "string"}, Direction.INPUT)
    jsonschema_rs.Draft202012Validator(converted)


DOG: JsonObject = {"type": "object", "properties": {"kind": {"type": "string"}, "bark": {"type": "string"}}}
CAT: JsonObject = {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}}
REFERENCES: list[JsonObject] = [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}]


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_alternatives_that_look_alike_are_no_contradiction(keyword: str) -> None:
    converted = convert({keyword: REFERENCES, "discriminator": {"propertyName": "kind"}})
    told: JsonObject = {"required": ["kind"]}
    assert converted == {
        "anyOf": [{"allOf": [{"$ref": "#/$defs/Dog"}, told]}, {"allOf": [{"$ref": "#/$defs/Cat"}, told]}]
    }


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ({"kind": "d", "bark": "wow"}, True),
        ({"kind": "hound", "bark": "wow"}, True),
        ({"kind": "d", "bark": 5}, False),
        ({"kind": "c", "lives": 9}, True),
        ({"kind": "c", "lives": "nine"}, False),
        ({"kind": "bird"}, False),
        ({"lives": 9}, False),
    ],
)
def test_a_mapping_says_which_values_belong_to_which_alternative(value: JsonObject, fits: bool) -> None:
    mapping: JsonObject = {"d": "#/components/schemas/Dog", "hound": "Dog", "c": "Cat"}
    converted = convert({"oneOf": REFERENCES, "discriminator": {"propertyName": "kind", "mapping": mapping}})
    schema: JsonObject = {**converted, "$defs": {"Dog": DOG, "Cat": CAT}}
    assert (Validator(schema).problems(value) == ()) == fits


def test_a_discriminator_without_alternatives_changes_nothing() -> None:
    assert convert({"type": "object", "discriminator": {"propertyName": "kind"}}) == {"type": "object"}
    assert convert({"oneOf": [{"type": "object"}], "discriminator": "kind"}) == {"anyOf": [{"type": "object"}]}
