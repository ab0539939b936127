"""Regular expressions take memory as long as a validator lives, so a validator has few."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.compilation import MAX_PATTERNS, with_few_patterns
from openplaybook.tools.schema.validator import Validator


def of_patterns(count: int) -> JsonObject:
    return {"properties": {f"p{number}": {"type": "string", "pattern": "^a$"} for number in range(count)}}


def test_a_validator_has_the_first_patterns_and_leaves_the_others_to_the_service() -> None:
    few, many = of_patterns(MAX_PATTERNS), of_patterns(MAX_PATTERNS + 1)
    assert with_few_patterns(few) is few
    last = f"p{MAX_PATTERNS}"
    assert with_few_patterns(many) == {"properties": {**many["properties"], last: {"type": "string"}}}
    validator = Validator(many)
    assert validator.problems({"p0": "b"}) == ('p0: "b" does not match "^a$"',)
    assert validator.problems({last: "b"}) == ()


def test_patterns_of_names_count_and_an_object_without_them_is_open() -> None:
    named: JsonObject = {"patternProperties": {f"^{number}$": {} for number in range(MAX_PATTERNS)}}
    closed: JsonObject = {"patternProperties": {"^b$": {}}, "additionalProperties": False}
    whole: JsonObject = {"prefixItems": [named, closed]}
    assert with_few_patterns(whole) == {"prefixItems": [named, {}]}
