"""Schemas without references."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.pydantic_ai.schema_expansion import NOT_SHOWN, without_references

PET: JsonObject = {
    "type": "object",
    "description": "An animal",
    "properties": {"owner": {"$ref": "#/$defs/Owner"}, "name": {"type": "string"}},
}
OWNER: JsonObject = {"type": "object", "properties": {"pets": {"type": "array", "items": {"$ref": "#/$defs/Pet"}}}}


def over(definitions: JsonObject, name: str) -> JsonObject:
    return {"type": "object", "properties": {"a": {"$ref": f"#/$defs/{name}"}}, "$defs": definitions}


def test_a_schema_without_definitions_stays_as_it_is() -> None:
    schema: JsonObject = {"type": "object", "properties": {}}
    assert without_references(schema) is schema


def test_what_is_referred_to_stands_in_place_and_a_circle_is_named() -> None:
    assert without_references(over({"Pet": PET, "Owner": OWNER}, "Pet")) == {
        "type": "object",
        "properties": {
            "a": {
                "type": "object",
                "description": "An animal",
                "properties": {
                    "owner": {
                        "type": "object",
                        "properties": {
                            "pets": {
                                "type": "array",
                                "items": {"type": "object", "description": f"An animal… {NOT_SHOWN}"},
                            }
                        },
                    },
                    "name": {"type": "string"},
                },
            }
        },
    }


def test_words_beside_a_reference_win() -> None:
    schema: JsonObject = {"properties": {"a": {"$ref": "#/$defs/Pet", "description": "Mine"}}, "$defs": {"Pet": PET}}
    assert without_references(schema)["properties"]["a"]["description"] == "Mine"


def doubling(levels: int) -> JsonObject:
    made: JsonObject = {
        f"D{n}": {"type": "object", "properties": {side: {"$ref": f"#/$defs/D{n + 1}"} for side in ("l", "r")}}
        for n in range(levels)
    }
    return {**made, f"D{levels}": {"type": "string"}}


@pytest.mark.timeout(10)
@given(st.integers(1, 200), st.integers(500, 40_000))
def test_a_schema_that_doubles_with_each_level_keeps_its_size(levels: int, room: int) -> None:
    expanded = without_references(over(doubling(levels), "D0"), room)
    text = dumps(expanded).decode()
    assert len(text) <= max(room, 400)
    assert "$ref" not in text
    assert json.loads(text)["properties"]["a"]["type"] == "object"
