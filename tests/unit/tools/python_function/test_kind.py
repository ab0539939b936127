"""Python functions as tools, with an executor that plays a part."""

import asyncio
import json
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.sandbox.base import (
    CodeFile,
    Ended,
    Execution,
    ExecutionLimits,
    InvalidRequest,
    Request,
    SandboxFailed,
    SandboxUnavailable,
    Skipped,
    ToolCaller,
)
from openplaybook.tools.base import (
    Action,
    Call,
    EarlierCall,
    Failure,
    InDoubt,
    InvalidTool,
    Outcome,
    Problem,
    Success,
    Tool,
    ToolContext,
)
from openplaybook.tools.toolbox import Toolbox
from tests.kit.code import PlayedExecutor, ran
from tests.kit.openapi import Remembering

APP = "projects/p/locations/l/apps/a"
NAME = f"{APP}/tools/t"
CODE = 'def find_pet(name: str, n: int = 1) -> dict:\n    """Finds a pet."""\n'
RESULT = "!result.json"


def resource(code: str = CODE, **more: object) -> JsonObject:
    function: JsonObject = {"name": "find_pet", "pythonCode": code} if code else {"name": "find_pet"}
    return {"name": NAME, "displayName": "find_pet", "description": "", "pythonFunction": function, **more}


def built(executor: PlayedExecutor | None, document: JsonObject | None = None) -> Tool:
    return Toolbox(Remembering(), executor=executor).build(document or resource())


async def invoked(
    executor: PlayedExecutor | None,
    arguments: JsonObject | None = None,
    context: ToolContext | None = None,
    document: JsonObject | None = None,
) -> Outcome:
    tool = built(executor, document)
    call = Call("c1", tool.actions()[0], arguments if arguments is not None else {"name": "Rex"})
    return await tool.invoke(call, context or ToolContext("s"))


def wrote(outcome: JsonObject, stdout: str = "", ended: Ended = Ended.EXIT) -> Execution:
    """An execution that has written an outcome."""
    files = [CodeFile(RESULT, dumps(outcome))]
    return replace(ran(stdout, files=files), ended=ended)


def asked(executor: PlayedExecutor, position: int = 0) -> JsonObject:
    """What the code was asked to do."""
    return as_object(loads(str(executor.requests[position].context["call"])))


def test_a_function_is_one_action_that_its_signature_declares() -> None:
    (action,) = built(None).actions()
    assert action == Action(
        name="find_pet",
        action="find_pet",
        tool=NAME,
        tool_display_name="find_pet",
        description="Finds a pet.",
        input_schema={
            "type": "object",
            "properties": {"name": {"type": "string"}, "n": {"type": "integer", "default": 1}},
            "required": ["name"],
            "additionalProperties": False,
        },
        safe_to_repeat=True,
    )
    assert action.output_schema == {"type": "object"}
    assert built(None, resource(description="Given.")).actions()[0].description == "Given."


async def test_the_code_is_told_what_to_call_and_of_the_conversation() -> None:
    executor = PlayedExecutor([wrote({"result": {}})])
    context = ToolContext(
        "s",
        parameters={"plan": "gold", "token": "t0p"},
        secret_parameters={"token"},
        session=f"{APP}/sessions/s",
        call_id="c1",
        turn_id="t1",
        playbook="vet",
        user_text="Where is Rex?",
        earlier=lambda: [EarlierCall("shop", "list", {"a": 1}, [1]), EarlierCall("look", "look", {}, {"b": 2})],
    )
    assert await invoked(executor, {"name": "Rex", "n": 2.0}, context) == Success({})
    said = {"role": "user", "parts": [{"text": "Where is Rex?"}]}

    def part(role: str, part: JsonObject) -> JsonObject:
        return {"author": "vet", "content": {"role": role, "parts": [part]}}

    assert asked(executor) == {
        "code": CODE,
        "function": "find_pet",
        "arguments": {"name": "Rex", "n": 2},
        "filled": [],
        "tool": None,
        "context": {
            "function_call_id": "c1",
            "user_content": said,
            "state": {"plan": "gold"},
            "events": [
                part("model", {"function_call": {"name": "shop_list", "args": {"a": 1}}}),
                part("tool", {"function_response": {"name": "shop_list", "response": {"result": [1]}}}),
                part("model", {"function_call": {"name": "look", "args": {}}}),
                part("tool", {"function_response": {"name": "look", "response": {"b": 2}}}),
                {"author": "user", "content": said},
            ],
            "session_id": "s",
            "invocation_id": "t1",
            "agent_name": "vet",
            "project_id": "p",
            "location": "l",
            "app_id": "a",
        },
    }
    request = executor.requests[0]
    assert (request.tenant, request.session, list(request.tools)) == (APP, "", [])
    assert "t0p" not in json.dumps(request.context)
    assert [file.name for file in request.files] == [
        f"_tool/{name}.py" for name in ("__init__", "conversion", "entry_point", "tool_context")
    ]
    assert [(each.method, each.request_body, each.error) for each in context.exchanges] == [
        ("RUN", 'find_pet({"name": "Rex", "n": 2})', "")
    ]


async def test_of_a_long_conversation_the_newest_calls_are_told() -> None:
    executor = PlayedExecutor([wrote({"result": {}})])
    calls = [EarlierCall("look", "look", {"n": n}, {"text": "x" * 50_000}) for n in range(9)]
    await invoked(executor, context=ToolContext("s", earlier=lambda: calls))
    events = as_object(asked(executor)["context"])["events"]
    parts = [event["content"]["parts"][0] for event in events]
    assert [part["function_call"]["args"]["n"] for part in parts if "function_call" in part] == [4, 5, 6, 7, 8]
    assert len(parts) == 11


@pytest.mark.parametrize(
    ("execution", "outcome"),
    [
        (wrote({"result": {"a": 1}, "state": {"n": 2, "gone": None}}), Success({"a": 1}, "", {"n": 2, "gone": None})),
        (wrote({"result": [1]}, "looked\n"), Success({"result": [1]}, "The code printed: looked")),
        (wrote({"result": None}), Success({"result": None})),
        (wrote({"result": 1}, ended=Ended.TIME), Success({"result": 1})),
        (
            wrote({"error": {"text": "ValueError: no", "line": 3, "source": "raise"}}, "x\n"),
            Failure("CODE_FAILED", "The code raised ValueError: no (line 3 of the code: raise). The code printed: x"),
        ),
        (
            wrote({"error": {"text": "NameError: f", "line": 0, "source": ""}}),
            Failure("CODE_FAILED", "The code raised NameError: f."),
        ),
        (
            replace(ran(), ended=Ended.TIME, exit_code=None),
            Failure("TIMEOUT", "The code was ended after 30 s, the time it may take."),
        ),
        (
            replace(ran("half"), ended=Ended.MEMORY, exit_code=None),
            Failure("CODE_FAILED", "The code was ended by the limit: memory. The code printed: half"),
        ),
        (
            ran(stderr="Fatal\n", exit_code=3),
            Failure("CODE_FAILED", "The code ended without a result. Fatal\nexit code 3"),
        ),
        (
            replace(ran(), skipped=[Skipped(RESULT, "too large: at most 5 bytes")]),
            Failure("RESULT_TOO_LARGE", "What the code returned is not taken: too large: at most 5 bytes."),
        ),
        (
            wrote({"result": "x" * 1024 * 1024}),
            Failure("RESULT_TOO_LARGE", "What the code returned is 1,048,589 bytes as JSON; allowed are 1,048,576."),
        ),
        (
            ran(files=[CodeFile(RESULT, b"{")]),
            Failure("CODE_FAILED", "What the code returned is not readable JSON."),
        ),
        (
            ran(files=[CodeFile(RESULT, b'{"result":' + b"[" * 70 + b"]" * 70 + b"}")]),
            Failure("RESULT_TOO_LARGE", "What the code returned is nested more than 64 levels."),
        ),
        (InvalidRequest("code: is too long"),
         Failure("INVALID_ARGUMENTS", "The code cannot be run with what it was given: code: is too long")),
        (SandboxUnavailable("no user namespaces"), Failure("CODE_UNAVAILABLE", "no user namespaces")),
    ],
)  # fmt: skip
async def test_what_came_of_the_code_is_the_outcome(execution: Execution | Exception, outcome: Outcome) -> None:
    assert await invoked(PlayedExecutor([execution])) == outcome


async def test_code_that_reached_nobody_runs_again_when_its_sandbox_breaks() -> None:
    executor = PlayedExecutor([SandboxFailed("gone"), wrote({"result": {"a": 1}})])
    assert await invoked(executor) == Success({"a": 1})
    executor = PlayedExecutor([SandboxFailed("gone")] * 2)
    assert await invoked(executor) == Failure("SANDBOX_FAILED", "The sandbox broke under the code: gone")


@pytest.mark.parametrize(
    ("body", "offered"),
    [
        ("return 1", []),
        ("return tools.shop_buy()", ["shop_buy"]),
        ("return await async_tools.shop_buy()", ["shop_buy"]),
    ],
)
async def test_only_code_that_names_tools_is_given_any(body: str, offered: list[str]) -> None:
    async def call(name: str, arguments: JsonObject) -> Outcome:
        raise AssertionError

    executor = PlayedExecutor([wrote({"result": 1})])
    context = ToolContext("s", call=call, callable=["shop_buy"])
    await invoked(executor, {}, context, resource(f"async def find_pet():\n    {body}"))
    assert list(executor.requests[0].tools) == offered


async def test_code_that_called_tools_is_in_doubt_when_its_sandbox_breaks() -> None:
    class Breaking(PlayedExecutor):
        async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
            assert caller is not None
            await caller("shop_buy", {})
            return await super().execute(request)

    async def call(name: str, arguments: JsonObject) -> Outcome:
        return Success({})

    outcome = await invoked(
        Breaking([SandboxFailed("gone")]),
        context=ToolContext("s", call=call, callable=["shop_buy"]),
        document=resource(f"{CODE}    tools.shop_buy()"),
    )
    assert outcome == InDoubt("The sandbox broke after the code had called shop_buy: gone")


@pytest.mark.parametrize(
    ("timeout", "left", "allowed", "wall"),
    [(None, 60.0, 300.0, 30.0), ("2.5s", 60.0, 300.0, 2.5), ("90s", 60.0, 300.0, 60.0), ("90s", 60.0, 20.0, 20.0)],
)
async def test_the_least_time_holds(timeout: str | None, left: float, allowed: float, wall: float) -> None:
    executor = PlayedExecutor([wrote({"result": {}})], limits=ExecutionLimits(wall_s=allowed))
    document = resource(**({"timeout": timeout} if timeout else {}))
    await invoked(executor, context=ToolContext("s", timeout_s=left), document=document)
    assert (executor.requests[0].limits.wall_s, executor.requests[0].limits.files) == (wall, 1)


async def test_code_that_gets_no_place_in_time_is_told_so() -> None:
    class Waiting(PlayedExecutor):
        async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
            await asyncio.Event().wait()
            raise AssertionError

    outcome = await invoked(Waiting([]), context=ToolContext("s", timeout_s=-0.99))
    assert outcome == Failure("TIMEOUT", "The time for this call, -0.99 s, was over before the code ended.")


async def test_arguments_are_judged_by_the_signature_before_any_code_runs() -> None:
    executor = PlayedExecutor([])
    refused = Failure("INVALID_ARGUMENTS", "name must be string, got 5; x is not known; allowed: name, n")
    assert await invoked(executor, {"name": 5, "x": 1}) == refused
    tool = built(executor)
    call = Call("c", tool.actions()[0], {"name": 5, "x": 1})
    assert await tool.client_arguments(call, ToolContext("s")) == refused
    assert await tool.client_arguments(replace(call, arguments={"name": "a", "n": 1.0}), ToolContext("s")) == {
        "name": "a",
        "n": 1,
    }


async def test_a_clients_answer_is_judged_by_what_the_function_returns() -> None:
    tool = built(None, resource("def find_pet() -> int: ..."))
    (action,) = tool.actions()
    assert await tool.check_result(action, {"result": 1}) == ()
    assert await tool.check_result(action, {"result": "x"}) == ('result must be integer, got "x"',)
    assert await built(None, resource("def find_pet(): ...")).check_result(action, {"result": "x"}) == ()


async def test_without_an_executor_no_code_runs() -> None:
    off = "This server runs no code: it was started with the code executor off."
    assert await invoked(None) == Failure("CODE_UNAVAILABLE", off)


@pytest.mark.parametrize("code", ["", "  \n", "tools/find_pet/python_function/python_code.py"])
async def test_a_tool_whose_code_is_missing_is_kept_and_cannot_be_called(code: str) -> None:
    document = resource(code)
    assert Toolbox(Remembering()).check(document) == [
        Problem(
            "$.pythonFunction.pythonCode",
            "has no Python code: the tool is kept, and every call of it fails with NO_CODE",
            is_error=False,
        )
    ]
    assert built(None, document).actions()[0].input_schema == {"type": "object"}
    outcome = await invoked(None, {"any": 1}, document=document)
    assert outcome == Failure("NO_CODE", "find_pet has no Python code, so there is nothing to run.")


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (resource("def other(): ..."), "$.pythonFunction.name"),
        (resource("def find_pet(:"), "$.pythonFunction.pythonCode"),
        (resource(timeout="soon"), "$.timeout"),
        (resource(timeout="0s"), "$.timeout"),
    ],
)
def test_a_tool_that_cannot_be_built_says_where(document: JsonObject, path: str) -> None:
    with pytest.raises(InvalidTool) as refused:
        built(None, document)
    assert [problem.path for problem in refused.value.problems] == [path]
    assert [problem.path for problem in Toolbox(Remembering()).check(document)] == [path]
