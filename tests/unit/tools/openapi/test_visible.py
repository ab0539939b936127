"""Input schemas as the model sees them."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.openapi.visible import VisibleSchemas
from openplaybook.tools.schema.dialect import Direction

SESSION: JsonObject = {"$ref": "@dialogflow/sessionId"}
ROOT: JsonObject = {"components": {"schemas": {"Session": SESSION, "Given": {"type": "string", "default": "d"}}}}


def seen(schema: JsonObject) -> JsonObject:
    definitions = Definitions(ROOT, Direction.INPUT)
    return VisibleSchemas(definitions).visible(definitions.convert(schema)[0])


def of(**properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize(
    ("schema", "properties", "required"),
    [
        (of(a={"type": "string"}), {"a": {"type": "string"}}, ["a"]),
        (of(a=SESSION, b={}), {"b": {}}, ["b"]),
        (of(a={"$ref": "#/components/schemas/Session"}, b={}), {"b": {}}, ["b"]),
        (of(a={"x-agent-input-parameter": "n", "type": "string"}), {"a": {"type": "string"}}, []),
        (of(a={"default": 5, "type": "integer"}), {"a": {"default": 5, "type": "integer"}}, []),
        (of(a={"$ref": "#/components/schemas/Given"}), {"a": {"$ref": "#/$defs/Given"}}, []),
    ],
)
def test_what_has_a_value_without_the_model_is_hidden_or_optional(
    schema: JsonObject, properties: JsonObject, required: list[str]
) -> None:
    visible = seen(schema)
    assert (visible["properties"], visible["required"]) == (properties, required)


@pytest.mark.parametrize("place", ["items", "additionalProperties", "not"])
def test_sources_are_taken_out_at_any_depth(place: str) -> None:
    schema: JsonObject = {place: of(a={"x-agent-input-parameter": "n"}, b=SESSION)}
    assert seen(schema) == {place: {"type": "object", "properties": {"a": {}}, "required": []}}
    assert seen({"allOf": [{"x-agent-input-parameter": "n", "title": "t"}]}) == {"allOf": [{"title": "t"}]}


def test_a_definition_is_made_visible_once_and_the_original_is_kept() -> None:
    definitions = Definitions({"d": {"S": of(a=SESSION)}}, Direction.INPUT)
    (name,) = definitions.convert({"$ref": "#/d/S"})[1]
    visible = VisibleSchemas(definitions)
    assert visible.definition(name) is visible.definition(name)
    assert visible.definition(name) == {"type": "object", "properties": {}, "required": []}
    assert list(definitions.definition(name)["properties"]) == ["a"]
