"""Regular expressions take memory as long as a validator lives, whatever the length of their text."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.dialect import Direction, to_2020_12
from openplaybook.tools.schema.patterns import MAX_PATTERNS, is_usable, with_few_patterns
from openplaybook.tools.schema.validator import Validator

DEAR = "(x{100}){60}y{7}"


def no_reference(reference: str) -> JsonObject:
    raise AssertionError(reference)


def test_a_pattern_that_takes_much_memory_is_the_services_to_check() -> None:
    assert (is_usable("^[a-z]{2,64}$"), is_usable(DEAR), is_usable("(")) == (True, False, False)
    schema = to_2020_12({"type": "string", "pattern": DEAR}, no_reference, Direction.INPUT)
    assert schema == {"type": "string"}


def test_names_that_cannot_be_matched_leave_an_object_open() -> None:
    source: JsonObject = {"patternProperties": {"(": {}, "^a": {"type": "string"}}, "additionalProperties": False}
    schema = to_2020_12(source, no_reference, Direction.INPUT)
    assert schema == {"patternProperties": {"^a": {"type": "string"}}}


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
