"""Functions of the client."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Action, Call, ExecutionPlace, Failure, InvalidTool, ToolContext
from openplaybook.tools.function.kind import FunctionTool, build
from tests.kit.openapi import PARTS, TOOL

NODE: JsonObject = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}


def function(**spec: JsonValue) -> FunctionTool:
    return build({"name": TOOL, "displayName": "get weather", "description": "d"}, spec, PARTS)


def problems(**spec: JsonValue) -> list[tuple[str, str]]:
    with pytest.raises(InvalidTool) as caught:
        function(**spec)
    return [(problem.path.removeprefix("$.functionSpec."), problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("schema", "seen"),
    [
        (None, {"type": "object", "properties": {}}),
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object"}),
        (
            {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
            {"type": "object", "properties": {"a": {"type": "string"}}},
        ),
        ({"properties": {"a": {}}}, {"properties": {"a": {}}, "type": "object"}),
        ({**NODE, "$defs": {"Node": NODE}}, {**NODE, "$defs": {"Node": NODE}}),
        (
            {"type": "object", "properties": {"a": {"readOnly": True}, "b": {}}, "required": ["a", "b"]},
            {"type": "object", "properties": {"b": {}}, "required": ["b"]},
        ),
    ],
)
def test_the_model_sees_the_input_schema_in_the_current_dialect(schema: JsonValue, seen: JsonObject) -> None:
    (action,) = function(inputSchema=schema).actions()
    assert action == Action("get_weather", "get weather", TOOL, "get weather", "d", seen, place=ExecutionPlace.CLIENT)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("text", ("inputSchema", "must be a JSON Schema object")),
        (["a"], ("inputSchema", "must be a JSON Schema object")),
        ({"type": "array"}, ("inputSchema.type", "must be object, since parameters have names; got array")),
        ({"title": "t"}, ("inputSchema.type", "must be object, since parameters have names; got nothing")),
        (
            {"type": ["object", "null"]},
            ("inputSchema.type", "must be object, since parameters have names; got ['object', 'null']"),
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "https://x.org/a"}}},
            ("inputSchema", "the reference 'https://x.org/a' is not allowed; references start with #/$defs/"),
        ),
    ],
)
def test_a_schema_that_names_no_parameters_is_refused(schema: JsonValue, problem: tuple[str, str]) -> None:
    assert problems(inputSchema=schema) == [problem]


def test_a_schema_that_is_nested_without_end_is_refused() -> None:
    schema: JsonObject = {"type": "object"}
    for _ in range(100):
        schema = {"type": "object", "properties": {"a": schema}}
    assert problems(inputSchema=schema) == [("inputSchema", "schemas nested more than 64 levels are not supported")]


def test_both_schemas_are_judged_at_once() -> None:
    assert [path for path, _ in problems(inputSchema="a", outputSchema="b")] == ["inputSchema", "outputSchema"]


async def test_the_server_does_not_run_it() -> None:
    tool = function()
    outcome = await tool.invoke(Call("c", tool.actions()[0], {}), ToolContext("s"))
    assert outcome == Failure("CLIENT_SIDE", "get weather is a function of the client; this server cannot run it")


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ({"degrees": 23.5}, ()),
        ({"degrees": 23.5, "more": 1}, ()),
        ({}, ("degrees is required (number)",)),
        ({"degrees": "warm"}, ('degrees must be number, got "warm"',)),
    ],
)
async def test_a_result_is_checked_against_the_output_schema(output: JsonObject, found: tuple[str, ...]) -> None:
    tool = function(
        outputSchema={"type": "object", "required": ["degrees"], "properties": {"degrees": {"type": "number"}}}
    )
    assert await tool.check_result(tool.actions()[0], output) == found
    assert await function().check_result(tool.actions()[0], output) == ()
