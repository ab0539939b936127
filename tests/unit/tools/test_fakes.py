"""Fakes: when they answer in a tool's place, and which function of theirs."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.sandbox.base import CodeFile, Execution
from openplaybook.tools.base import (
    Call,
    ExecutionPlace,
    Failure,
    InvalidTool,
    Outcome,
    Problem,
    Success,
    Tool,
    ToolContext,
)
from openplaybook.tools.toolbox import Toolbox
from tests.kit.code import PlayedExecutor, ran
from tests.kit.openapi import Remembering, description, responds

APP = "projects/p/locations/l/apps/a"
FAKE = "def fake_tool_call(tool, input, callback_context): ..."
ASKS = ToolContext("s", use_fakes=True)
LIST: JsonObject = {
    "operationId": "list-pets",
    "parameters": [{"in": "query", "name": "n", "schema": {"type": "integer"}}],
    "responses": {},
}
SHOP = description({"/pets": {"get": LIST}, "/buy": {"post": {"operationId": "buy", "responses": {}}}})


def config(code: str = FAKE, *, always: bool = False) -> JsonObject:
    return {"toolFakeConfig": {"codeBlock": {"pythonCode": code}, "enableFakeMode": always}}


def client_function(**more: object) -> JsonObject:
    return {
        "name": f"{APP}/tools/7f3-a",
        "displayName": "find_pet",
        "description": "Finds.",
        "functionSpec": {},
        **more,
    }


def toolset(**more: object) -> JsonObject:
    spec: JsonObject = {"textSchema": dumps(SHOP).decode()}
    return {"name": f"{APP}/toolsets/shop-id", "displayName": "shop", "openApiSpec": spec, **more}


def gives(value: object, **state: object) -> Execution:
    return ran(files=[CodeFile("!result.json", dumps({"result": value, "state": state}))])


def built(document: JsonObject, executor: PlayedExecutor | None = None) -> Tool:
    return Toolbox(Remembering(responds(b'{"real": true}')), executor=executor).build(document)


async def invoked(tool: Tool, context: ToolContext, position: int = 0) -> Outcome:
    return await tool.invoke(Call("c", tool.actions()[position], {"n": 1.0}), context)


def called(executor: PlayedExecutor) -> list[JsonObject]:
    return [as_object(loads(str(request.context["call"]))) for request in executor.requests]


async def test_a_fake_answers_where_the_conversation_asks_for_fakes() -> None:
    executor = PlayedExecutor([gives({"fake": True}, plan="gold")])
    tool = built(client_function(**config()), executor)
    assert await invoked(tool, ASKS) == Success({"fake": True}, "", {"plan": "gold"})
    (asked,) = called(executor)
    assert (asked["function"], asked["tool"], asked["arguments"]) == (
        "fake_tool_call",
        {"name": "find_pet", "description": "Finds."},
        {"n": 1},
    )
    assert executor.requests[0].tenant == APP


async def test_the_tool_itself_answers_where_nobody_asks_for_fakes() -> None:
    executor = PlayedExecutor([])
    outcome = await invoked(built(client_function(**config()), executor), ToolContext("s"))
    assert isinstance(outcome, Failure)
    assert (outcome.code, executor.requests) == ("CLIENT_SIDE", [])


async def test_a_tool_in_fake_mode_is_always_faked_and_never_the_clients() -> None:
    executor = PlayedExecutor([gives({})])
    tool = built(client_function(**config(always=True)), executor)
    assert [(each.place, each.has_fake) for each in tool.actions()] == [(ExecutionPlace.SERVER, True)]
    assert await invoked(tool, ToolContext("s")) == Success({})


def test_an_action_says_whether_it_has_a_fake() -> None:
    plain, faked = built(client_function()), built(client_function(**config()))
    assert [each.has_fake for each in plain.actions()] == [False]
    assert faked.actions() == [replace(plain.actions()[0], has_fake=True)]


async def test_a_fake_that_gives_none_has_the_tool_itself_called() -> None:
    executor = PlayedExecutor([gives(None, plan="gold"), gives({"result": None})])
    tool = built(toolset(**config()), executor)
    assert await invoked(tool, ASKS) == Success({"200": {"real": True}}, "", {"plan": "gold"})
    assert await invoked(tool, ASKS) == Success({"result": None})


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("def fake_shop_list_pets(t, i, c): ...\ndef fake_list_pets(t, i, c): ...\n" + FAKE, "fake_shop_list_pets"),
        (FAKE + "\ndef fake_list_pets(t, i, c): ...", "fake_list_pets"),
        ("def fake_shop_id(t, i, c): ...", "fake_shop_id"),
        ("def fake_shop(t, i, c): ...", "fake_shop"),
        ("async def fake_tool_call(t, i, c): ...", "fake_tool_call"),
    ],
)
async def test_a_fake_of_its_own_goes_before_the_one_for_all(code: str, function: str) -> None:
    executor = PlayedExecutor([gives({})])
    assert await invoked(built(toolset(**config(code)), executor), ASKS) == Success({})
    (asked,) = called(executor)
    assert (asked["function"], as_object(asked["tool"])["name"]) == (function, "shop_list-pets")


async def test_an_action_that_no_fake_is_for_is_called_itself() -> None:
    executor = PlayedExecutor([])
    tool = built(toolset(**config("def fake_buy(t, i, c): ...")), executor)
    assert [each.has_fake for each in tool.actions()] == [False, True]
    assert await invoked(tool, ASKS) == Success({"200": {"real": True}})


async def test_a_fake_that_fails_says_that_it_is_the_fake() -> None:
    error: JsonObject = {"error": {"text": "KeyError: 'a'", "line": 2, "source": "input['a']"}}
    executor = PlayedExecutor([ran(files=[CodeFile("!result.json", dumps(error))])])
    assert await invoked(built(client_function(**config()), executor), ASKS) == Failure(
        "CODE_FAILED", "The fake of find_pet failed. The code raised KeyError: 'a' (line 2 of the code: input['a'])."
    )


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("def f(:", Problem("$.toolFakeConfig.codeBlock.pythonCode", "is not Python: invalid syntax", 1)),
        (
            "def f(): ...",
            Problem(
                "$.toolFakeConfig.codeBlock.pythonCode",
                "defines no fake: a function fake_tool_call or fake_<tool id>",
            ),
        ),
    ],
)
def test_code_that_is_no_fake_is_refused_with_its_place(code: str, problem: Problem) -> None:
    with pytest.raises(InvalidTool) as refused:
        built(client_function(**config(code)))
    assert refused.value.problems == (problem,)
    assert Toolbox(Remembering()).check(client_function(**config(code))) == (problem,)


@pytest.mark.parametrize("given", [{}, {"enableFakeMode": True}, {"codeBlock": {"pythonCode": " "}}])
def test_a_fake_without_code_is_none(given: JsonObject) -> None:
    assert built(client_function(toolFakeConfig=given)).actions() == built(client_function()).actions()


async def test_a_dry_run_shows_the_tools_request_unless_the_fake_would_answer() -> None:
    for context, methods in ((ToolContext("s"), ["GET"]), (ToolContext("s", use_fakes=True), [])):
        tool = built(toolset(**config()))
        assert await tool.rehearse(Call("c", tool.actions()[0], {"n": 1}), context) is None
        assert [each.method for each in context.exchanges] == methods


async def test_a_faked_tool_judges_arguments_and_results_as_the_tool_does() -> None:
    schema: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tool = built(client_function(functionSpec={"outputSchema": schema}, **config()))
    (action,) = tool.actions()
    assert await tool.check_result(action, {"n": "x"}) == ('n must be integer, got "x"',)
    assert await tool.client_arguments(Call("c", action, {"a": 1}), ASKS) == {"a": 1}
