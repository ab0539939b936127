import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.validator import Validator

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "petId": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["cat", "dog"]},
        "tag": {"type": ["string", "null"]},
        "version": {"const": 2},
        "choice": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "requestBody": {"$ref": "#/$defs/Pet"},
        "never": False,
    },
    "required": ["petId"],
    "additionalProperties": False,
    "$defs": {
        "Pet": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "labels": {"type": "array", "items": {"type": "string"}}},
            "required": ["name", "owner"],
        }
    },
}


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ({"petId": 3}, ()),
        ({}, ("petId is required (integer)",)),
        ({"petId": "abc"}, ('petId must be integer, got "abc"',)),
        ({"petId": "3"}, ('petId must be integer, got "3"',)),
        ({"petId": 3, "kind": "cow"}, ('kind must be one of "cat", "dog", got "cow"',)),
        ({"petId": 3, "tag": 5}, ("tag must be null or string, got 5",)),
        ({"petId": 3, "version": 1}, ("version must be 2, got 1",)),
        ({"petId": 3, "never": 1}, ("never is not allowed",)),
        ({"petId": 0}, ("petId: 0 is less than the minimum of 1",)),
        ({"petId": 3, "requestBody": {"owner": 1}}, ("requestBody.name is required (string)",)),
        ({"petId": 3, "requestBody": {"name": "x"}}, ("requestBody.owner is required",)),
        (
            {"petId": 3, "requestBody": {"name": "x", "owner": 1, "labels": ["a", 2]}},
            ("requestBody.labels[1] must be string, got 2",),
        ),
        (
            {"petId": 3, "colour": 1},
            ("colour is not known; allowed: petId, kind, tag, version, choice, requestBody, never",),
        ),
        (
            {"petId": 3, "choice": True},
            ('choice fits none of the allowed forms: true is not of type "string"; true is not of type "integer"',),
        ),
        (5, ("the value must be object, got 5",)),
    ],
)
def test_a_problem_says_which_argument_why_and_what_is_allowed(value: JsonValue, problems: tuple[str, ...]) -> None:
    assert Validator(SCHEMA).problems(value) == problems


def test_the_type_of_a_missing_property_is_found_behind_its_reference() -> None:
    schema = {**SCHEMA, "required": ["requestBody"]}
    assert Validator(schema).problems({}) == ("requestBody is required (object)",)


def test_problems_are_few_and_short() -> None:
    values = {f"unknown{position}": "x" * 1000 for position in range(100)}
    problems = Validator({"properties": {name: {"type": "integer"} for name in values}}).problems(values)
    assert len(problems) == 5
    assert all(len(problem) < 200 for problem in problems)


def test_a_whole_number_passes_as_an_integer() -> None:
    assert Validator(SCHEMA).problems({"petId": 3.0}) == ()


@pytest.mark.parametrize("schema", [{"type": "file"}, {"$ref": "#/$defs/none"}, {"$ref": "https://example.com/s"}])
def test_an_invalid_schema_is_refused_without_fetching_anything(schema: JsonObject) -> None:
    with pytest.raises(InvalidSchema):
        Validator(schema).compile()


ANIMALS: JsonObject = {
    "properties": {
        "pet": {
            "anyOf": [
                {"type": "null"},
                {"properties": {"kind": {"const": "dog"}, "bark": {"type": "string"}}, "required": ["bark"]},
                {"properties": {"kind": {"enum": ["cat"]}, "lives": {"type": "integer"}}},
            ]
        }
    }
}


@pytest.mark.parametrize(
    ("pet", "message"),
    [
        ({"kind": "dog"}, "pet.bark is required (string)"),
        ({"kind": "dog", "bark": 5}, "pet.bark must be string, got 5"),
        ({"kind": "cat", "lives": "nine"}, 'pet.lives must be integer, got "nine"'),
    ],
)
def test_the_alternative_that_a_value_names_is_the_one_it_is_judged_by(pet: JsonObject, message: str) -> None:
    assert Validator(ANIMALS).problems({"pet": pet}) == (message,)


def test_a_value_that_names_no_alternative_is_told_them_all() -> None:
    (message,) = Validator(ANIMALS).problems({"pet": {"kind": "bird"}})
    assert message.startswith("pet fits none of the allowed forms: ")


def test_faults_are_given_one_by_one_with_their_places() -> None:
    found = Validator(SCHEMA).faults({"petId": "x", "requestBody": {"name": 1, "owner": "Ann"}})
    assert found is not None
    assert sorted((fault.keyword, fault.where) for fault in found) == [
        ("type", ("petId",)),
        ("type", ("requestBody", "name")),
    ]
    assert Validator(SCHEMA).faults({"petId": 3}) == ()


def test_faults_that_take_long_to_find_are_not_looked_for() -> None:
    deep: JsonObject = {"petId": 3}
    for _ in range(200):
        deep = {"petId": deep}
    assert Validator(SCHEMA).faults(deep) is None
    assert Validator(SCHEMA).faults({"petId": "x", "tag": "y" * 1_000_000}) is None
    items: JsonObject = {"type": "array", "items": {"type": "integer"}}
    assert Validator(items).faults(["x"] * 10_000) is None
    assert Validator(items).faults([1] * 10_000) == ()
