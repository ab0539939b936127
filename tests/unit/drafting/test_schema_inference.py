"""Values → the schema that holds for all of them."""

from decimal import Decimal

from openplaybook.drafting.schema_inference import MAX_DEPTH, schema_of
from openplaybook.jsonvalues import JsonObject, JsonValue


def of(*values: JsonValue, name: str = "") -> JsonObject:
    return schema_of(list(enumerate(values)), name)


def test_the_type_is_that_of_all_values() -> None:
    assert of("a") == {"type": "string"}
    assert of(1, 2) == {"type": "integer"}
    assert of(1, 2.5) == {"type": "number"}
    assert of(True, False) == {"type": "boolean"}
    assert of(3_000_000_000) == {"type": "integer", "format": "int64"}


def test_long_numbers_are_numbers() -> None:
    """64 bits do not hold every integer, nor doubles every decimal."""
    assert of(1, 10**30) == {"type": "integer"}
    assert of(-(2**63), 2**63 - 1) == {"type": "integer", "format": "int64"}
    assert of(Decimal("0.12345678901234567890"), 1) == {"type": "number"}


def test_values_of_several_types_are_alternatives() -> None:
    assert of("a", 1) == {"anyOf": [{"type": "string"}, {"type": "integer"}]}


def test_null_makes_nullable_and_nothing_else() -> None:
    assert of(None, "a") == {"type": "string", "nullable": True}
    assert of(None) == {"nullable": True}
    assert of(None, 1, "a") == {"anyOf": [{"type": "integer", "nullable": True}, {"type": "string"}]}


def test_a_member_is_required_that_is_in_every_object() -> None:
    assert of({"a": 1, "b": 1}, {"a": 2}) == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a"],
    }


def test_the_items_of_all_arrays_are_taken_together() -> None:
    assert of([{"a": 1}, {"a": None}], []) == {
        "type": "array",
        "items": {"type": "object", "properties": {"a": {"type": "integer", "nullable": True}}, "required": ["a"]},
    }
    assert of([]) == {"type": "array", "items": {}}


def test_objects_whose_keys_are_identifiers_are_maps() -> None:
    assert of({"17": {"a": 1}, "18": {"a": 2}}) == {
        "type": "object",
        "additionalProperties": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    }


def test_objects_with_many_keys_of_one_form_are_maps() -> None:
    codes = [f"{first}{second}X" for first in "ABCD" for second in "ABC"]
    assert of(dict.fromkeys(codes, 1.5)) == {"type": "object", "additionalProperties": {"type": "number"}}
    assert list(of(dict.fromkeys(codes[:-1], 1.5))["properties"]) == codes[:-1]


def test_a_few_words_that_come_again_and_again_are_an_enumeration() -> None:
    seen = [(at % 4, "open" if at % 2 else "closed") for at in range(8)]
    assert schema_of(seen, "status") == {"type": "string", "enum": ["closed", "open"]}
    assert schema_of([*seen, (1, None)], "status") == {
        "type": "string",
        "enum": ["closed", "open", None],
        "nullable": True,
    }


def test_an_enumeration_needs_good_evidence() -> None:
    enough = [(at % 4, "open" if at % 2 else "closed") for at in range(8)]
    plain = {"type": "string"}
    assert schema_of(enough[:-1], "status") == plain
    assert schema_of([(at // 4, value) for at, (_, value) in enumerate(enough)], "status") == plain
    assert schema_of([*enough, (0, "new")], "status") == plain
    assert schema_of([(0, value.title() + " now") for _, value in enough], "status") == plain
    for free in ("name", "userName", "title", "password", "city"):
        assert schema_of(enough, free) == plain


def test_what_lies_too_deep_may_be_anything() -> None:
    value: JsonValue = 1
    for _ in range(MAX_DEPTH + 5):
        value = [value]
    schema = of(value)
    for _ in range(MAX_DEPTH + 1):
        schema = schema["items"]
    assert schema == {"description": "Nested more deeply than this schema describes."}
