"""Answers of clients, whole or as the body alone."""

from collections.abc import Sequence

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.client_results import result_problems

PET: JsonObject = {"type": "object", "properties": {"id": {"$ref": "#/$defs/Id"}}, "required": ["id"]}
LIST: JsonObject = {"type": "object", "properties": {"pets": {"type": "array"}}, "required": ["pets"]}
DECLARED: JsonObject = {
    "type": "object",
    "properties": {"200": PET, "206": LIST},
    "$defs": {"Id": {"type": "integer"}},
}


@pytest.mark.proves("C1")
@pytest.mark.parametrize(
    ("output", "problems"),
    [
        ({"200": {"id": 1}}, ()),
        ({"200": {"id": "x"}}, ('200.id must be integer, got "x"',)),
        ({"200": {"id": 1}, "note": "kept"}, ()),
        ({"206": {"pets": []}}, ()),
        ({"id": 1}, ()),
        ({"pets": []}, ()),
        ({"id": "x"}, ('id must be integer, got "x"',)),
        ({"name": "Luna"}, ("id is required (integer)",)),
        ({"404": {"message": "none"}}, ()),
        ({"2XX": {}, "500": {}}, ()),
        ({}, ()),
    ],
)
async def test_an_answer_is_judged_by_what_is_declared_for_its_status(
    output: JsonObject, problems: Sequence[str]
) -> None:
    assert await result_problems(DECLARED, output) == problems


@pytest.mark.parametrize("declared", [None, {"type": "object", "properties": {}}])
async def test_what_is_not_declared_is_not_judged(declared: JsonObject | None) -> None:
    assert await result_problems(declared, {"id": "x"}) == ()
