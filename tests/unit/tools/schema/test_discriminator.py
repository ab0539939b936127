"""Alternatives that a discriminator tells apart."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.dialect import Direction, to_2020_12
from openplaybook.tools.schema.validator import Validator


def on_ref(reference: str) -> JsonObject:
    return {"$ref": "#/$defs/" + reference.rpartition("/")[2]}


def convert(schema: JsonObject) -> JsonObject:
    return to_2020_12(schema, on_ref, Direction.INPUT)


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
