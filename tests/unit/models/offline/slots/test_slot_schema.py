import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.slots.slot_schema import Slot, slots_of, type_of
from openplaybook.models.offline.slots.slot_values import arguments_of, fits, leaves, pick, spoken


def slot(schema: JsonObject) -> Slot:
    return slots_of({"type": "object", "properties": {"x": schema}})[0]


def test_a_nested_body_becomes_slots_with_paths() -> None:
    schema: JsonObject = {
        "type": "object",
        "required": ["requestBody"],
        "properties": {
            "petId": {"type": ["integer", "null"], "description": "Pet id"},
            "requestBody": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"$ref": "#/$defs/name"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "home": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}},
                    "parts": {"type": "array", "items": {"type": "object"}},
                    "size": {"anyOf": [{"type": "number"}, {"type": "null"}]},
                    "kind": {"enum": ["a", "b"], "default": "a"},
                },
            },
        },
        "$defs": {"name": {"type": "string", "description": "Its name"}},
    }
    slots = slots_of(schema)
    assert [(".".join(one.path), one.type, one.is_array, one.required, one.always_required) for one in slots] == [
        ("petId", "integer", False, False, False),
        ("requestBody.name", "string", False, True, True),
        ("requestBody.tags", "string", True, False, False),
        ("requestBody.home.city", "string", False, True, False),
        ("requestBody.parts", "", True, False, False),
        ("requestBody.size", "number", False, False, False),
        ("requestBody.kind", "string", False, False, False),
    ]
    assert slots[1].description == "Its name"
    assert slots[-1].options == ("a", "b")


def test_a_reference_to_itself_comes_to_an_end() -> None:
    node: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert max(len(one.path) for one in slots_of(node)) == 5


def test_a_constant_is_the_only_option() -> None:
    assert slot({"const": "x"}).options == ("x",)
    assert type_of({"const": 3}) == ""


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, 3, True),
        ({"type": "integer"}, 3.5, False),
        ({"type": "integer"}, True, False),
        ({"type": "number", "minimum": 1, "maximum": 2}, 1.5, True),
        ({"type": "number", "exclusiveMinimum": 1}, 1, False),
        ({"type": "integer", "multipleOf": 5}, 7, False),
        ({"type": "boolean"}, False, True),
        ({"type": "boolean"}, "yes", False),
        ({"type": "string", "minLength": 2, "maxLength": 3}, "abcd", False),
        ({"type": "string", "pattern": "^[0-9]{5}$"}, "12345", True),
        ({"type": "string", "pattern": "^[0-9]{5}$"}, "1234", False),
        ({"type": "string", "pattern": "(?<bad"}, "x", True),
        ({"type": "string"}, "", False),
        ({"enum": ["a"]}, "b", False),
        ({"type": "object"}, {}, False),
    ],
)
def test_a_value_fits_its_slot_or_not(schema: JsonObject, value: JsonValue, expected: bool) -> None:
    assert fits(slot(schema), value) is expected


def test_arguments_are_put_together_from_paths() -> None:
    assert arguments_of({("a",): 1, ("b", "c"): 2, ("b", "d"): [3]}) == {"a": 1, "b": {"c": 2, "d": [3]}}
    assert pick({"b": {"c": 2}}, ("b", "c")) == 2
    assert pick({"b": 1}, ("b", "c")) is None


def test_leaves_are_scalars_and_arrays_of_scalars() -> None:
    value: JsonObject = {"a": {"b": 1}, "c": [1, 2], "d": [{"e": 1}], "f": None, "g": []}
    assert list(leaves(value)) == [(("a", "b"), 1), (("c",), [1, 2])]


def test_leaves_of_a_very_deep_value_end() -> None:
    deep: JsonObject = {"a": 1}
    for _ in range(5000):
        deep = {"a": deep}
    assert list(leaves(deep)) == []


def test_values_are_said_as_one_would_write_them() -> None:
    assert [spoken(value) for value in (2.0, 2.5, True, False, "x")] == ["2", "2.5", "yes", "no", "x"]
