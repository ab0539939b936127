"""Shared schemas of a document, converted once."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import Direction, SchemaTooDeep
from openplaybook.tools.schema.validator import Validator

PET: JsonObject = {"type": "object", "properties": {"owner": {"$ref": "#/components/schemas/Owner"}}}
OWNER: JsonObject = {"type": "object", "properties": {"pets": {"items": {"$ref": "#/components/schemas/Pet"}}}}
ROOT: JsonObject = {
    "components": {
        "schemas": {
            "Pet": PET,
            "Owner": OWNER,
            "Name": {"type": "string", "nullable": True},
            "Alias": {"$ref": "#/components/schemas/Name"},
            "Circle": {"$ref": "#/components/schemas/Circle"},
            "odd name": {"type": "integer"},
            "Broken": {"properties": {"a": {"$ref": "#/gone"}, "b": {"type": "string"}}},
        },
        "x-other": {"Pet": {"type": "boolean"}},
    }
}


def fresh(direction: Direction = Direction.INPUT) -> Definitions:
    return Definitions(ROOT, direction)


def pointing_at(*parts: str) -> JsonObject:
    return {"$ref": "#/components/" + "/".join(parts)}


def test_a_reference_becomes_a_definition_and_is_converted_when_it_is_asked_for() -> None:
    definitions = fresh()
    assert definitions.convert(pointing_at("schemas", "Pet")) == ({"$ref": "#/$defs/Pet"}, ("Pet",))
    assert definitions.definition("Pet") == {"type": "object", "properties": {"owner": {"$ref": "#/$defs/Owner"}}}


def test_the_same_object_is_converted_once() -> None:
    definitions = fresh()
    assert definitions.convert(PET)[0] is definitions.convert(PET)[0]
    definitions.convert(pointing_at("schemas", "Pet"))
    assert definitions.definition("Pet") is definitions.definition("Pet")


def test_a_closure_holds_what_is_needed_directly_or_not_once_each() -> None:
    definitions = fresh()
    _, names = definitions.convert(
        {"properties": {"a": pointing_at("schemas", "Pet"), "b": pointing_at("schemas", "Pet")}}
    )
    assert names == ("Pet",)
    assert sorted(definitions.closure(names)) == ["Owner", "Pet"]
    assert definitions.closure(()) == []


def test_names_are_legal_and_never_shared_by_two_schemas() -> None:
    definitions = fresh()
    ways = [
        ("schemas", "Pet"),
        ("x-other", "Pet"),
        ("schemas", "odd%20name"),
        ("schemas", "Pet", "properties", "owner"),
    ]
    names = [definitions.convert(pointing_at(*way))[1][0] for way in ways]
    assert names[0] == "Pet"
    assert len(set(names)) == 4
    assert [name.rpartition("_")[0] for name in names[1:]] == ["Pet", "odd_name", "owner"]
    assert definitions.definition(names[1]) == {"type": "boolean"}


def test_what_a_reference_stands_for_is_seen_through_it() -> None:
    definitions = fresh()
    alias, _ = definitions.convert({**pointing_at("schemas", "Alias"), "description": "d"})
    assert definitions.look_through(alias) == {"type": ["string", "null"], "description": "d"}
    assert definitions.look_through({"type": "string"}) == {"type": "string"}


def test_references_in_a_circle_stand_for_nothing() -> None:
    definitions = fresh()
    circle, names = definitions.convert(pointing_at("schemas", "Circle"))
    assert definitions.look_through(circle) == {}
    assert definitions.closure(names) == ["Circle"]


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("reference", "fault"),
    [
        ("#/components/schemas/Gone", "#/components/schemas/Gone does not exist in the document"),
        ("other.yaml#/Pet", "other.yaml#/Pet leaves the document"),
        ("Pet", "Pet leaves the document"),
    ],
)
def test_a_reference_that_leads_nowhere_stands_for_any_value_and_is_told(reference: str, fault: str) -> None:
    definitions = fresh()
    converted, names = definitions.convert({"items": {"$ref": reference}})
    assert converted == {"items": {"$ref": f"#/$defs/{names[0]}"}}
    assert (definitions.closure(names), definitions.definition(names[0])) == (list(names), {})
    assert definitions.faults(names) == [f"{fault}; any value is taken in its place"]


def test_a_fault_beneath_a_schema_leaves_the_rest_of_it() -> None:
    definitions = fresh()
    _, names = definitions.convert(pointing_at("schemas", "Broken"))
    closure = definitions.closure(names)
    assert definitions.definition("Broken")["properties"]["b"] == {"type": "string"}
    assert definitions.faults(closure) == ["#/gone does not exist in the document; any value is taken in its place"]
    assert definitions.faults(["Pet"]) == []


def test_a_schema_that_is_too_deep_is_refused() -> None:
    schema: JsonObject = {}
    for _ in range(70):
        schema = {"items": schema}
    with pytest.raises(SchemaTooDeep):
        fresh().convert(schema)


def test_each_direction_leaves_out_its_own() -> None:
    schema: JsonObject = {"properties": {"id": {"readOnly": True}, "secret": {"writeOnly": True}}}
    assert list(fresh().convert(schema)[0]["properties"]) == ["secret"]
    assert list(fresh(Direction.OUTPUT).convert(schema)[0]["properties"]) == ["id"]


def test_a_property_is_read_only_as_well_where_what_it_refers_to_says_so() -> None:
    schemas: JsonObject = {"Id": {"type": "string", "readOnly": True}, "Alias": {"$ref": "#/components/schemas/Id"}}
    definitions = Definitions({"components": {"schemas": schemas}}, Direction.INPUT)
    reference = "#/components/schemas/"
    converted, used = definitions.convert(
        {
            "required": ["a", "b", "d"],
            "properties": {
                "a": {"$ref": f"{reference}Id"},
                "b": {"$ref": f"{reference}Alias"},
                "c": {"$ref": f"{reference}Gone"},
                "d": {"$ref": f"{reference}Id", "readOnly": False},
                "e": {"$ref": "@dialogflow/sessionId"},
            },
        }
    )
    assert (list(converted["properties"]), converted["required"]) == (["c", "d", "e"], ["d"])
    assert used == ("Gone", "Id")


CLOSED: JsonObject = {"type": "object", "properties": {"key": {"type": "string"}}, "additionalProperties": False}
ANIMALS: JsonObject = {
    "Pet": {
        "type": "object",
        "description": "Any pet",
        "properties": {"kind": {"type": "string"}},
        "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat", "dog": "#/components/schemas/Dog"}},
    },
    "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"lives": {"type": "integer"}}}]},
    "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "string"}}}]},
    "Puppy": {"allOf": [{"$ref": "#/components/schemas/Dog"}, {"properties": {"age": {"type": "integer"}}}]},
}


def valid(schemas: JsonObject, value: JsonObject, name: str = "Pet", version: str = "components") -> bool:
    root: JsonObject = {"components": {"schemas": schemas}} if version == "components" else {"definitions": schemas}
    definitions = Definitions(root, Direction.INPUT)
    home = "#/components/schemas" if version == "components" else "#/definitions"
    converted, names = definitions.convert({"$ref": f"{home}/{name}"})
    known: JsonObject = {each: definitions.definition(each) for each in definitions.closure(names)}
    return Validator({**converted, "$defs": known}).problems(value) == ()


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ({"kind": "cat", "lives": 9}, True),
        ({"kind": "cat", "lives": "many"}, False),
        ({"kind": "dog", "bark": "wow"}, True),
        ({"kind": "dog", "bark": 1}, False),
        ({"kind": "Puppy", "bark": "wow", "age": 1}, True),
        ({"kind": "Puppy", "age": "x"}, False),
        ({"kind": "bird"}, True),
        ({"kind": "bird", "lives": "many"}, True),
        ({}, False),
    ],
)
def test_a_schema_with_a_discriminator_stands_for_what_is_made_of_it(value: JsonObject, fits: bool) -> None:
    assert valid(ANIMALS, value) == fits


def test_what_is_made_of_a_schema_with_a_discriminator_is_not_it_in_a_circle() -> None:
    assert valid(ANIMALS, {"kind": "dog", "bark": "wow"}, "Dog")
    assert not valid(ANIMALS, {"kind": 5, "bark": "wow"}, "Dog")


def test_the_discriminator_of_openapi_2_is_a_name_and_its_values_are_names() -> None:
    schemas: JsonObject = {
        "Pet": {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": "kind"},
        "Cat": {"allOf": [{"$ref": "#/definitions/Pet"}, {"properties": {"lives": {"type": "integer"}}}]},
    }
    assert valid(schemas, {"kind": "Cat", "lives": 9}, version="definitions")
    assert not valid(schemas, {"kind": "Cat", "lives": "many"}, version="definitions")


def test_a_class_of_half_an_api_is_taken_as_it_is() -> None:
    many: JsonObject = {
        f"Kind{n}": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"n": {"const": n}}}]}
        for n in range(11)
    }
    assert valid({"Pet": ANIMALS["Pet"], **many}, {"kind": "Kind1", "n": 5})


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        ({"allOf": [{"$ref": "#/components/schemas/Closed"}, {"properties": {"a": {}}}]}, {"key": "k", "a": 1}, True),
        ({"allOf": [{"$ref": "#/components/schemas/Closed"}, {"properties": {"a": {}}}]}, {"key": 5}, False),
        ({"allOf": [{"$ref": "#/components/schemas/Closed"}, CLOSED]}, {"key": "k"}, True),
        (
            {
                "allOf": [{"$ref": "#/components/schemas/Closed"}],
                "properties": {"a": {}},
                "additionalProperties": False,
            },
            {"key": "k", "a": 1},
            True,
        ),
        (
            {
                "allOf": [{"$ref": "#/components/schemas/Closed"}],
                "properties": {"a": {}},
                "additionalProperties": False,
            },
            {"key": "k", "b": 1},
            False,
        ),
        ({"allOf": [{"$ref": "#/components/schemas/Closed"}]}, {"a": 1}, False),
        ({"allOf": [{"$ref": "#/components/schemas/Closed"}, {"description": "d"}]}, {"a": 1}, False),
        ({"$ref": "#/components/schemas/Closed"}, {"a": 1}, False),
    ],
)
def test_closed_parts_of_a_whole_describe_it_together(schema: JsonObject, value: JsonObject, fits: bool) -> None:
    assert valid({"Closed": CLOSED, "Whole": schema}, value, "Whole") == fits
