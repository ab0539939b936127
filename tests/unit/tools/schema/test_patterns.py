"""Regular expressions take memory, whatever the length of their text."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.schema.dialect import Direction, to_2020_12
from openplaybook.tools.schema.patterns import is_usable

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
