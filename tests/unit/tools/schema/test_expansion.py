import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.expansion import cost_of
from openplaybook.tools.schema.validator import Validator


def ref(name: str) -> JsonObject:
    return {"$ref": f"#/$defs/{name}"}


def doubling(levels: int, keyword: str = "allOf") -> JsonObject:
    """Definitions of which each applies the next one twice."""
    definitions = {f"D{level}": {keyword: [ref(f"D{level + 1}"), ref(f"D{level + 1}")]} for level in range(levels)}
    return {**ref("D0"), "$defs": {**definitions, f"D{levels}": {"type": "object"}}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_schemas_that_double_with_each_reference_are_refused(keyword: str) -> None:
    assert not cost_of(doubling(8, keyword)).expands_too_far
    assert cost_of(doubling(40, keyword)).expands_too_far


def test_so_are_those_of_a_part_of_the_value() -> None:
    bomb = doubling(40)
    within = {"type": "object", "properties": {"a": {"items": ref("D0")}}, "$defs": bomb["$defs"]}
    assert cost_of(within).expands_too_far


def test_a_chain_longer_than_anybody_writes_is_refused() -> None:
    chain = {f"D{level}": ref(f"D{level + 1}") for level in range(5000)}
    assert cost_of({**ref("D0"), "$defs": chain}).expands_too_far


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"A": ref("A")}, **ref("A")},
        {"$defs": {"A": {"allOf": [ref("A"), ref("B")]}, "B": ref("A")}, **ref("A")},
        {"$defs": {"Node": {"properties": {"next": ref("Node"), "all": {"items": ref("Node")}}}}, **ref("Node")},
        {**ref("D0"), "$defs": {f"D{at}": {"properties": {"next": ref(f"D{at + 1}")}} for at in range(5000)}},
        {"oneOf": [{"const": at} for at in range(1000)]},
    ],
)
def test_references_in_a_circle_and_large_schemas_are_no_trouble(schema: JsonObject) -> None:
    assert not cost_of(schema).expands_too_far


def test_a_validator_of_such_a_schema_says_so_instead_of_judging_for_ever() -> None:
    with pytest.raises(InvalidSchema, match="refers to more than 20,000 schemas in place of one"):
        _ = Validator(doubling(40)).problems({})
