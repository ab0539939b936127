"""Responses of tools, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.ces.tool_messages import display_name_of, outcome_in, response_content

TOOLSET = "projects/p/locations/l/apps/a/toolsets/pets-1"
OBJECTS = st.dictionaries(st.text(min_size=4), st.integers() | st.text())


@given(OBJECTS)
def test_an_output_is_told_and_taken_as_the_same(output: JsonObject) -> None:
    told = response_content(output, None)
    if not {"output", "error"} & set(output):
        assert (told, outcome_in(told)) == (output, (output, None))


@pytest.mark.parametrize(
    ("output", "error", "told"),
    [
        ({"200": {"name": "Luna"}}, None, {"name": "Luna"}),
        ({"200": [1]}, None, {"output": [1]}),
        ({"200": 1, "201": 2}, None, {"200": 1, "201": 2}),
        ({}, None, {}),
        ("plain", None, {"output": "plain"}),
        (None, ("TIMEOUT", "Too long."), {"error": "TIMEOUT: Too long."}),
        ({"404": {"why": 1}}, ("HTTP_ERROR", "No."), {"error": "HTTP_ERROR: No.", "output": {"why": 1}}),
        (None, ("CLIENT_ERROR", "No such place."), {"error": "No such place."}),
        ({"error": "Mine.", "hint": 1}, ("TOOL_ERROR", "Mine."), {"error": "Mine.", "hint": 1}),
    ],
)
def test_what_a_call_gave_is_told_as_the_api_says(
    output: JsonValue, error: tuple[str, str] | None, told: JsonObject
) -> None:
    assert response_content(output, None if error is None else {"code": error[0], "message": error[1]}) == told


@pytest.mark.parametrize(
    ("response", "output", "error"),
    [
        ({"output": {"a": 1}, "more": 2}, {"a": 1}, None),
        ({"output": None}, {"result": None}, None),
        ({"error": "No."}, None, "No."),
        ({"error": {"code": 5}}, None, '{"code":5}'),
        ({"error": None, "a": 1}, {"a": 1}, None),
        ({}, {}, None),
    ],
)
def test_a_clients_response_says_what_came_of_its_call(
    response: JsonObject, output: JsonObject | None, error: str | None
) -> None:
    assert outcome_in(response) == (output, error)


def test_a_tool_of_a_toolset_is_called_by_both_names() -> None:
    assert display_name_of(TOOLSET, "getPet", "pets") == "pets_getPet"
    assert display_name_of(TOOLSET, "getPet", "") == "pets-1_getPet"
    assert display_name_of("projects/p/locations/l/apps/a/tools/t", "act", "") == "act"
