from decimal import Decimal

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.digits import has_digits, with_numbers

INTEGER: JsonObject = {"type": "integer"}
LONG = 123456789012345678901234567890


@pytest.mark.parametrize(
    ("schema", "given", "read"),
    [
        (INTEGER, str(LONG), LONG),
        (INTEGER, "-7", -7),
        (INTEGER, "7.0", 7),
        (INTEGER, "1e3", 1000),
        (INTEGER, "7.5", "7.5"),
        (INTEGER, "007", "007"),
        (INTEGER, "+7", "+7"),
        (INTEGER, " 7", " 7"),
        (INTEGER, "٣", "٣"),
        (INTEGER, "9" * 5_000, "9" * 5_000),
        ({"type": "number"}, "0.5", 0.5),
        ({"type": "number"}, "0.12345678901234567890", Decimal("0.12345678901234567890")),
        ({"type": ["integer", "null"]}, "7", 7),
        ({"type": ["integer", "string"]}, "7", "7"),
        ({"type": "string"}, "7", "7"),
        ({}, "7", "7"),
        ({"enum": ["7", 7]}, "7", "7"),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "7", 7),
        ({"anyOf": [INTEGER, {"type": "string"}]}, "7", "7"),
        ({"oneOf": [INTEGER, {}]}, "7", "7"),
        ({"allOf": [INTEGER, {"minimum": 1}]}, "7", 7),
        ({"$ref": "#/$defs/N", "$defs": {"N": INTEGER}}, "7", 7),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, "7", "7"),
        ({"items": INTEGER}, ["7", "x", 3], [7, "x", 3]),
        ({"prefixItems": [{"type": "string"}], "items": INTEGER}, ["7", "7"], ["7", 7]),
        (
            {"properties": {"n": INTEGER}, "additionalProperties": {"type": "number"}},
            {"n": "1", "m": "2"},
            {"n": 1, "m": 2},
        ),
        ({"properties": {"n": INTEGER}}, {"n": "1", "m": "2"}, {"n": 1, "m": "2"}),
        ({"anyOf": [{"type": "object", "properties": {"n": INTEGER}}, {"type": "string"}]}, {"n": "1"}, {"n": 1}),
        (
            {"oneOf": [{"properties": {"n": INTEGER}}, {"properties": {"n": {"type": "string"}}}]},
            {"n": "1"},
            {"n": "1"},
        ),
        ({"type": "object", "allOf": [{"properties": {"n": INTEGER}}]}, {"n": "1"}, {"n": 1}),
    ],
)
def test_digits_are_a_number_where_the_schema_says_so_and_nothing_else(
    schema: JsonObject, given: JsonValue, read: JsonValue
) -> None:
    found = with_numbers(given, schema)
    assert (found, str(found)) == (read, str(read))


def test_digits_are_found_at_any_depth() -> None:
    assert has_digits({"a": [{"b": "12"}]})
    assert not has_digits({"12": ["x", 12, None, {"b": "1 2"}]})


def test_a_schema_that_refers_to_itself_without_end_leaves_the_value() -> None:
    circle: JsonObject = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}
    assert with_numbers({"a": ["7"]}, circle) == {"a": ["7"]}
