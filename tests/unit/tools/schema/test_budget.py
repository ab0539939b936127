"""Schemas within a budget of bytes."""

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.schema.budget import MAX_BYTES, NOT_SHOWN, Budget, shortened, stub
from tests.kit.openapi import harness, json_body, operation


def wide(properties: int, description: str = "") -> JsonObject:
    members: JsonObject = {f"property_{n}": {"type": "string"} for n in range(properties)}
    return {"type": "object", **({"description": description} if description else {}), "properties": members}


def chain(length: int, properties: int) -> JsonObject:
    """Definitions of which each refers to the next, and the last to the first."""
    return {
        f"D{n}": {
            **wide(properties, f"Number {n}"),
            "allOf": [{"$ref": f"#/$defs/D{(n + 1) % length}"}],
        }
        for n in range(length)
    }


def size(schema: JsonObject) -> int:
    return len(dumps(schema))


def test_what_fits_is_left_as_it_is() -> None:
    schema: JsonObject = {"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": chain(3, 2)}
    assert Budget().fitted(schema) is schema
    assert Budget().fitted({"type": "object"}) == {"type": "object"}


def test_the_nearest_definitions_are_shown_and_the_next_named() -> None:
    schema: JsonObject = {"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": chain(50, 20)}
    fitted = Budget(3000).fitted(schema)
    assert fitted["properties"] == schema["properties"]
    shown = [name for name, each in fitted["$defs"].items() if "properties" in each]
    named = {name: each for name, each in fitted["$defs"].items() if "properties" not in each}
    assert shown == [f"D{n}" for n in range(len(shown))]
    assert len(shown) >= 2
    after = f"D{len(shown)}"
    assert named == {after: {"type": "object", "description": f"Number {len(shown)}… {NOT_SHOWN}"}}
    assert size(fitted) <= 3000


def test_a_definition_that_is_too_large_by_itself_is_shortened() -> None:
    inner: JsonObject = {"type": "object", "properties": {"deep": wide(30, "Inside")}}
    large: JsonObject = {"type": "object", "properties": {f"p{n}": inner for n in range(10)}}
    fitted = Budget(6000).fitted({"properties": {"a": {"$ref": "#/$defs/L"}}, "$defs": {"L": large}})
    shown = fitted["$defs"]["L"]
    assert list(shown["properties"]) == list(large["properties"])
    assert shown["properties"]["p0"]["properties"]["deep"] == {
        "type": "object",
        "description": f"Inside… {NOT_SHOWN}",
    }


def test_long_lists_of_options_and_long_texts_are_cut_where_there_is_no_room() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"unit": {"type": "string", "description": "x" * 500, "enum": [f"unit{n}" for n in range(900)]}},
    }
    unit = shortened(schema, 1000)["properties"]["unit"]
    assert unit["description"].startswith("x" * 120 + "… One of unit0, unit1, ")
    assert unit["description"].endswith(NOT_SHOWN)
    assert "enum" not in unit
    assert shortened(schema, 100_000) is schema


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, {"description": NOT_SHOWN}),
        ({"type": "array", "title": "Pets", "items": {}}, {"type": "array", "description": f"Pets… {NOT_SHOWN}"}),
        ({"type": ["object", "null"]}, {"type": ["object", "null"], "description": NOT_SHOWN}),
    ],
)
def test_a_stub_says_its_type_and_that_it_is_one(schema: JsonObject, expected: JsonObject) -> None:
    assert stub(schema) == expected


@given(st.integers(1, 60), st.integers(0, 60), st.integers(500, MAX_BYTES))
def test_what_is_fitted_is_a_schema_whose_references_lead_somewhere(length: int, properties: int, room: int) -> None:
    schema: JsonObject = {"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": chain(length, properties)}
    fitted = Budget(room).fitted(schema)
    jsonschema_rs.Draft202012Validator(fitted)
    assert size(fitted) <= max(room, 700)


def test_a_large_declaration_is_cut_and_judged_in_full() -> None:
    schemas: JsonObject = {
        name: {**each, "allOf": [{"$ref": each["allOf"][0]["$ref"].replace("$defs", "components/schemas")}]}
        for name, each in chain(50, 60).items()
    }
    document = {**operation(body=json_body({"$ref": "#/components/schemas/D0"})), "components": {"schemas": schemas}}
    assert size(harness(document).action().input_schema) <= MAX_BYTES
