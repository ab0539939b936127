"""The tool as agents have it."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.tools.base import Call, ExecutionPlace, Failure, InvalidTool, ToolContext
from openplaybook.tools.code_interpreter.kind import CodeInterpreter
from openplaybook.tools.toolbox import Toolbox
from tests.kit.code import AGENT, TOOL, interpreter
from tests.kit.openapi import Remembering


@pytest.mark.proves("B2")
def test_the_toolbox_builds_it_from_what_every_agent_has() -> None:
    (document,) = builtin_tools(AGENT)
    tool = Toolbox(Remembering()).build(document)
    assert isinstance(tool, CodeInterpreter)
    (action,) = tool.actions()
    assert (action.name, action.action, action.tool) == ("generate_and_execute", "generate_and_execute", TOOL)
    assert (action.tool_display_name, action.place, action.safe_to_repeat) == (
        "code-interpreter",
        ExecutionPlace.SERVER,
        True,
    )
    assert action.input_schema["required"] == ["query"]
    assert list(action.input_schema["properties"]) == ["query", "files"]
    assert list(action.output_schema or {}) == ["type", "properties"]


def test_a_built_in_tool_that_is_not_known_is_none() -> None:
    with pytest.raises(InvalidTool) as refused:
        Toolbox(Remembering()).build(
            {"name": f"{AGENT}/tools/df-other-tool", "displayName": "other", "toolType": "BUILTIN_TOOL"}
        )
    assert [problem.path for problem in refused.value.problems] == ["$"]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ({"query": "4 + 4"}, {"generate_and_execute input": "4 + 4"}),
        ({"query": "sum", "files": ["a.csv"]}, {"generate_and_execute input": "sum", "files": ["a.csv"]}),
    ],
)
async def test_a_client_is_given_the_arguments_in_googles_spelling(arguments: JsonObject, given: JsonObject) -> None:
    tool = interpreter(None)
    assert await tool.client_arguments(Call("c", tool.actions()[0], arguments), ToolContext("s")) == given


async def test_a_client_is_given_no_arguments_that_are_none() -> None:
    tool = interpreter(None)
    refused = await tool.client_arguments(Call("c", tool.actions()[0], {}), ToolContext("s"))
    assert refused == Failure(
        "INVALID_ARGUMENTS", "query (generate_and_execute input): is required: a task in words, or Python code"
    )


async def test_a_clients_result_may_be_whole_or_bare_and_hold_no_file_in_both_ways() -> None:
    tool = interpreter(None)
    action = tool.actions()[0]
    bare: JsonObject = {"execution_result": "8", "execution_error": "", "output_files": [], "generated_code": "c"}
    assert await tool.check_result(action, bare) == ()
    assert await tool.check_result(action, {"generate_and_execute output": bare}) == ()
    placeholder = {**bare, "output_files": [{"name": "", "contents": ""}]}
    assert await tool.check_result(action, placeholder) == ()
    assert await tool.check_result(action, {"execution_result": 8}) == (
        "generate_and_execute output.execution_result must be string, got 8",
    )
