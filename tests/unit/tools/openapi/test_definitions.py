"""Shared schemas of a document, converted once."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.openapi.references import UnresolvableReference
from openplaybook.tools.schema.dialect import Direction, SchemaTooDeep

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


@pytest.mark.parametrize("reference", ["#/components/schemas/Gone", "other.yaml#/Pet", "Pet"])
def test_a_reference_that_leads_nowhere_is_refused(reference: str) -> None:
    with pytest.raises(UnresolvableReference):
        fresh().convert({"items": {"$ref": reference}})


def test_a_refused_schema_does_not_mix_its_names_into_the_next() -> None:
    definitions = fresh()
    broken: JsonObject = {"allOf": [pointing_at("schemas", "Name"), {"$ref": "#/gone"}]}
    with pytest.raises(UnresolvableReference):
        definitions.convert(broken)
    assert definitions.convert(pointing_at("schemas", "Owner"))[1] == ("Owner",)


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
