from dataclasses import replace

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.prompt.functions import MAX_DESCRIPTION_CHARS, function_description
from tests.unit.models.building import WEATHER

SCHEMA: JsonObject = {"type": "object", "properties": {"200": {"type": "object"}, "404": {}}}


def test_the_output_schema_joins_the_description() -> None:
    assert function_description(replace(WEATHER, output_schema=SCHEMA)) == (
        'Calls Weather.\nReturns JSON of this schema: {"type":"object","properties":{"200":{"type":"object"},"404":{}}}'
    )


def test_without_a_description_the_schema_stands_alone() -> None:
    described = function_description(replace(WEATHER, description="", output_schema={"type": "object"}))
    assert described == 'Returns JSON of this schema: {"type":"object"}'


def test_a_large_output_schema_is_told_by_its_members() -> None:
    large: JsonObject = {**SCHEMA, "description": "x" * 2000}
    assert function_description(replace(WEATHER, output_schema=large)) == (
        "Calls Weather.\nReturns a JSON object with 200, 404."
    )


def test_a_large_schema_without_members_is_left_out() -> None:
    large: JsonObject = {"description": "x" * 2000}
    assert function_description(replace(WEATHER, output_schema=large)) == "Calls Weather."


def test_a_long_description_is_cut() -> None:
    described = function_description(replace(WEATHER, description="x" * 5000))
    assert described == "x" * (MAX_DESCRIPTION_CHARS - 1) + "…"
