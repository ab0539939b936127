"""The schemas of a report: each definition once."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.openapi import description

HOME = "#/definitions/"


def ref(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def sends(name: str) -> JsonObject:
    return {"requestBody": {"content": {"application/json": {"schema": ref(name)}}}}


def answers(name: str) -> JsonObject:
    return {"responses": {"200": {"description": "", "content": {"application/json": {"schema": ref(name)}}}}}


def report(schemas: JsonObject, **operations: JsonObject) -> JsonObject:
    paths: JsonObject = {f"/{name}": {"post": each} for name, each in operations.items()}
    return inspect(dumps(description(paths, components={"schemas": schemas})).decode(), "spec")


def references(value: JsonValue) -> Iterator[str]:
    members = as_object(value)
    if isinstance(members.get("$ref"), str):
        yield members["$ref"]
    for item in (*members.values(), *as_list(value)):
        yield from references(item)


def body(action: JsonObject) -> JsonValue:
    return action["inputSchema"]["properties"]["requestBody"]


def answer(action: JsonObject) -> JsonValue:
    return action["outputSchema"]["properties"]["200"]


PET: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}, "mother": ref("Pet")}}


def test_a_definition_that_many_use_is_written_once_and_every_reference_leads_to_it() -> None:
    found = report({"Pet": PET}, a=sends("Pet"), b={**sends("Pet"), **answers("Pet")}, c=answers("Pet"))
    pet: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}, "mother": {"$ref": HOME + "Pet"}}}
    assert found["definitions"] == {"Pet": pet}
    first, second, third = found["actions"]
    assert [body(first), body(second), answer(second), answer(third)] == [{"$ref": HOME + "Pet"}] * 4
    assert "$defs" not in first["inputSchema"]


def test_what_is_answered_otherwise_than_it_is_sent_has_a_definition_of_its_own() -> None:
    schemas: JsonObject = {
        "Owner": {"properties": {"pet": ref("Pet"), "plain": ref("Plain")}},
        "Pet": {"properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}}},
        "Plain": {"type": "object"},
    }
    found = report(schemas, a={**sends("Owner"), **answers("Owner")})
    definitions = found["definitions"]
    assert set(definitions) == {"Owner", "Owner.output", "Pet", "Pet.output", "Plain"}
    assert list(definitions["Pet"]["properties"]) == ["name"]
    assert list(definitions["Pet.output"]["properties"]) == ["id", "name"]
    assert definitions["Owner.output"]["properties"] == {
        "pet": {"$ref": HOME + "Pet.output"},
        "plain": {"$ref": HOME + "Plain"},
    }


def test_beneath_alternatives_what_has_a_default_stays_required() -> None:
    pet: JsonObject = {"type": "object", "properties": {"kind": {"default": "cat"}}, "required": ["kind"]}
    found = report({"Pet": pet, "Any": {"oneOf": [ref("Pet"), {"type": "null"}]}}, a=sends("Pet"), b=sends("Any"))
    definitions = found["definitions"]
    assert (definitions["Pet"]["required"], definitions["Pet.strict"]["required"]) == ([], ["kind"])
    assert definitions["Any"]["oneOf"][0] == {"$ref": HOME + "Pet.strict"}


def test_a_schema_that_is_called_like_a_form_of_another_keeps_apart_from_it() -> None:
    schemas: JsonObject = {"Pet": {"properties": {"id": {"readOnly": True}}}, "Pet.output": {"title": "mine"}}
    found = report(schemas, a=sends("Pet.output"), b={**sends("Pet"), **answers("Pet")})
    assert found["definitions"][body(found["actions"][0])["$ref"].removeprefix(HOME)] == {"title": "mine"}
    assert "id" in found["definitions"][answer(found["actions"][1])["$ref"].removeprefix(HOME)]["properties"]


def test_properties_called_like_keywords_are_schemas_and_values_are_none() -> None:
    names = ("default", "enum", "const", "examples", "oneOf", "$ref")
    properties: JsonObject = {name: ref("Pet") for name in names}
    value: JsonObject = {"$ref": "#/$defs/Pet"}
    found = report({"Pet": PET, "Odd": {"properties": properties, "default": value, "const": value}}, a=sends("Odd"))
    odd = found["definitions"]["Odd"]
    assert odd["properties"] == {name: {"$ref": HOME + "Pet"} for name in names}
    assert (odd["default"], odd["const"]) == (value, value)


def test_every_reference_of_a_report_leads_to_a_definition_and_every_definition_is_used() -> None:
    schemas: JsonObject = {
        f"s{number}": {"properties": {"next": ref(f"s{(number * 7 + 1) % 50}"), "other": ref(f"s{number // 2}")}}
        for number in range(50)
    }
    operations = {f"o{number}": {**sends(f"s{number}"), **answers(f"s{49 - number}")} for number in range(50)}
    found = report(schemas, **operations)
    used = {reference.removeprefix(HOME) for reference in references([found["actions"], found["definitions"]])}
    assert used == set(found["definitions"])
    assert len(dumps(found)) < 3 * len(dumps([schemas, operations]))


def test_answers_that_cannot_be_read_are_none_and_leave_the_others_alone() -> None:
    deep: JsonObject = {}
    for _ in range(70):
        deep = {"items": deep}
    found = report({"Deep": deep, "Pet": PET}, a=answers("Deep"), b=answers("Pet"))
    assert [action["outputSchema"] is None for action in found["actions"]] == [True, False]
    assert set(found["definitions"]) == {"Pet"}


def test_a_document_without_schemas_to_share_has_no_definitions() -> None:
    assert list(report({}, a={"responses": {}})) == ["document", "actions", "problems"]
