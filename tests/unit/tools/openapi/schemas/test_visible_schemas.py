"""Input schemas as the model sees them."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.filler import Filler
from openplaybook.tools.openapi.schemas.visible_schemas import VisibleSchemas
from openplaybook.tools.schema.dialect import Direction

SESSION: JsonObject = {"$ref": "@dialogflow/sessionId"}
ROOT: JsonObject = {"components": {"schemas": {"Session": SESSION, "Given": {"type": "string", "default": "d"}}}}


def seen(schema: JsonObject) -> JsonObject:
    definitions = Definitions(ROOT, Direction.INPUT)
    return VisibleSchemas(definitions, Filler(definitions)).visible(definitions.convert(schema)[0])


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
        (of(a={"default": "5", "type": "integer"}), {"a": {"default": 5, "type": "integer"}}, []),
        (of(a={"default": "five", "type": "integer"}), {"a": {"default": "five", "type": "integer"}}, ["a"]),
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
    visible = VisibleSchemas(definitions, Filler(definitions))
    assert visible.definition(name) is visible.definition(name)
    assert visible.definition(name) == {"type": "object", "properties": {}, "required": []}
    assert list(definitions.definition(name)["properties"]) == ["a"]


DEFAULTED: JsonObject = {
    "type": "object",
    "required": ["kind", "name", "session"],
    "properties": {
        "kind": {"type": "string", "default": "dog"},
        "name": {"type": "string"},
        "session": {"$ref": "@dialogflow/sessionId"},
    },
}


@pytest.mark.proves("O10")
@pytest.mark.parametrize("key", ["oneOf", "anyOf"])
def test_a_branch_requires_what_has_a_default_since_nothing_is_filled_in_there(key: str) -> None:
    root: JsonObject = {
        "components": {"schemas": {"A": DEFAULTED, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}}}
    }
    definitions = Definitions(root, Direction.INPUT)
    references: list[JsonObject] = [{"$ref": f"#/components/schemas/{name}"} for name in ("A", "B")]
    converted, _ = definitions.convert({key: [*references, DEFAULTED]})
    visible = VisibleSchemas(definitions, Filler(definitions))
    assert visible.visible(converted)[key][2]["required"] == ["kind", "name"]
    names = definitions.closure(("A", "B"))
    assert visible.beneath_alternatives(names, [converted]) == {"A", "B"}
    assert visible.definition("A", strict=True)["required"] == ["kind", "name"]
    assert visible.definition("A")["required"] == ["name"]


def test_what_alternatives_refer_to_is_beneath_them_too_and_nothing_else_is() -> None:
    schemas: JsonObject = {
        "Top": {"properties": {"one": {"oneOf": [{"properties": {"deep": {"$ref": "#/components/schemas/Deep"}}}]}}},
        "Deep": {"properties": {"turn": {"$ref": "#/components/schemas/Turn"}}},
        "Turn": {"required": ["angle"], "properties": {"angle": {"type": "integer", "default": 0}}},
        "Beside": {"properties": {"turn": {"$ref": "#/components/schemas/Turn"}}},
    }
    definitions = Definitions({"components": {"schemas": schemas}}, Direction.INPUT)
    visible = VisibleSchemas(definitions, Filler(definitions))
    top, beside = (definitions.convert({"$ref": f"#/components/schemas/{name}"})[0] for name in ("Top", "Beside"))
    assert visible.beneath_alternatives(definitions.closure(("Top",)), [top]) == {"Deep", "Turn"}
    assert visible.beneath_alternatives(definitions.closure(("Beside",)), [beside]) == frozenset()
    assert visible.beneath_alternatives([], [top]) == frozenset()


@pytest.mark.timeout(10)
def test_towers_of_parts_in_a_branch_are_looked_at_once() -> None:
    levels: JsonObject = {f"A{at}": {"allOf": [{"$ref": f"#/components/schemas/A{at + 1}"}] * 10} for at in range(14)}
    definitions = Definitions({"components": {"schemas": {**levels, "A14": DEFAULTED}}}, Direction.INPUT)
    converted, _ = definitions.convert({"anyOf": [{"$ref": "#/components/schemas/A0"}]})
    names = definitions.closure(("A0",))
    assert VisibleSchemas(definitions, Filler(definitions)).beneath_alternatives(names, [converted]) == {
        f"A{at}" for at in range(15)
    }
