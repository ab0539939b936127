"""ExecuteTool, with a tool that tells what it was given."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.resources.errors import InvalidName
from openplaybook.services import stored_records
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.services.tool_execution import DEFAULT_TIMEOUT_S
from openplaybook.storage.base import Put
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.base import (
    NO_AGENT,
    Action,
    AgentScope,
    Call,
    Exchange,
    ExecutionPlace,
    Failure,
    InDoubt,
    InvalidTool,
    Outcome,
    Problem,
    Success,
    Tool,
    ToolContext,
)
from openplaybook.wire.api import load_api
from openplaybook.wire.bytes_in_flight import SMALL
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from tests.kit.threads_seen import LOOP, threads_of

AGENT = "projects/p/locations/global/agents/a"
TOOL = f"{AGENT}/tools/t"
API = load_api()
CONTEXT = RpcContext("openplaybook.v1.OpenPlaybook.ExecuteTool", "v1", "rest")
SCHEMA: JsonObject = {"type": "object", "properties": {"petId": {"type": "integer"}, "requestBody": {}}}


@dataclass
class ScriptedTool(Tool):
    """One server action `getPet`, one client action `ask`; a fixed outcome."""

    outcome: Outcome = field(default_factory=lambda: Success({"200": {"id": 3}}))
    calls: list[tuple[Call, ToolContext]] = field(default_factory=list[tuple[Call, ToolContext]])

    def actions(self) -> Sequence[Action]:
        return [
            Action("pets_getPet", "getPet", TOOL, "pets", "", SCHEMA),
            Action("ask", "ask", TOOL, "pets", "", SCHEMA, place=ExecutionPlace.CLIENT),
        ]

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        self.calls.append((call, context))
        context.exchanged.append(Exchange("GET", "https://pets.example/3", {}, "", 200, {}, "{}", 1.5))
        return self.outcome

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        raise AssertionError("there is no client to make a call")

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        raise AssertionError("there is no client to give a result")


@dataclass
class ScriptedBuilder:
    """Gives the one tool, unless the resource says that it is broken."""

    tool: ScriptedTool

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> ScriptedTool:
        if resource["displayName"] == "broken":
            raise InvalidTool([Problem("$.openApiSpec", "is empty")])
        return self.tool


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    for name, kind, display_name in (("t", "tool", "pets"), ("b", "tool", "broken"), ("x", "other", "pets")):
        body = dumps({"displayName": display_name, "openApiSpec": {"textSchema": ""}})
        await store.apply([Put(f"{AGENT}/tools/{name}", kind, AGENT, AGENT, body)])
    yield store
    await store.close()


async def execute(
    store: SqliteStore, tool: ScriptedTool, request: JsonObject, context: RpcContext = CONTEXT
) -> JsonObject:
    message: ApiMessage = API.message("openplaybook.v1.ExecuteToolRequest")()
    API.codec.from_json({"tool": TOOL, "action": "getPet", **request}, message)
    response = await ToolExecution(API, store, ScriptedBuilder(tool)).execute(message, context)
    return API.codec.to_json(response)


async def test_the_output_and_the_exchange_are_answered(store: SqliteStore) -> None:
    answer = await execute(store, ScriptedTool(), {"inputParameters": {"petId": 3}})
    assert answer["outputParameters"] == {"200": {"id": 3}}
    assert answer["trace"]["exchanges"][0]["url"] == "https://pets.example/3"
    assert answer["trace"]["exchanges"][0]["elapsedMs"] == 1.5


async def test_the_tool_gets_what_the_request_gives(store: SqliteStore) -> None:
    tool = ScriptedTool()
    await execute(store, tool, {"sessionParameters": {"user": "kim"}, "payload": {"trace": True}})
    ((call, context),) = tool.calls
    assert call.arguments == {}
    assert (context.parameters, context.payload) == ({"user": "kim"}, {"trace": True})
    assert context.timeout_s == DEFAULT_TIMEOUT_S
    assert context.session_id != ""


async def test_the_tool_knows_which_parameters_are_credentials_of_the_agent(store: SqliteStore) -> None:
    bearer: JsonObject = {"bearerTokenConfig": {"token": "$session.params.token"}}
    spec: JsonObject = {"textSchema": "", "authentication": bearer}
    other = dumps({"displayName": "other", "openApiSpec": spec})
    await store.apply([Put(f"{AGENT}/tools/o", "tool", AGENT, AGENT, other)])
    tool = ScriptedTool()
    await execute(store, tool, {"sessionParameters": {"token": "t0p", "user": "kim"}})
    ((_, context),) = tool.calls
    assert (list(context.secrets), context.secret_parameters) == (["t0p"], {"token"})


@pytest.mark.parametrize("wrapper", ["input", "getPet input", "request"])
async def test_the_spellings_of_examples_are_understood(store: SqliteStore, wrapper: str) -> None:
    tool = ScriptedTool()
    await execute(store, tool, {"inputParameters": {wrapper: {"petId": 3}}})
    assert tool.calls[0][0].arguments == {"petId": 3}


async def test_an_action_may_be_named_as_the_model_knows_it(store: SqliteStore) -> None:
    assert "outputParameters" in await execute(store, ScriptedTool(), {"action": "pets_getPet"})


async def test_an_empty_output_is_an_output(store: SqliteStore) -> None:
    assert (await execute(store, ScriptedTool(Success({})), {}))["outputParameters"] == {}


async def test_what_was_left_out_is_told_in_the_trace(store: SqliteStore) -> None:
    answer = await execute(store, ScriptedTool(Success({"200": []}, note="9 of 10 pets left out")), {})
    assert answer["trace"]["note"] == "9 of 10 pets left out"


async def test_a_failure_is_an_answer_with_what_the_other_side_said(store: SqliteStore) -> None:
    failure = Failure("HTTP_ERROR", "There is no pet 3.", {"404": {"message": "no"}})
    answer = await execute(store, ScriptedTool(failure), {})
    assert answer["error"] == {"code": "HTTP_ERROR", "message": "There is no pet 3."}
    assert answer["trace"]["output"] == {"404": {"message": "no"}}
    assert "outputParameters" not in answer


LARGE: JsonObject = {"200": [{"id": number} for number in range(30_000)]}


@pytest.mark.parametrize(
    ("outcome", "place"),
    [
        (Success(LARGE), "outputParameters"),
        (Success({"200": "x" * 9_000_000}), "outputParameters"),
        (Failure("HTTP_ERROR", "There is no pet 3.", LARGE), "trace"),
    ],
)
async def test_a_large_answer_is_written_beside_the_event_loop(
    outcome: Success | Failure, place: str, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = threads_of(monkeypatch, ToolExecution, "_answer")
    context = replace(CONTEXT)
    told = (await execute(store, ScriptedTool(outcome), {}, context))[place]
    assert (told if place != "trace" else told["output"]) == outcome.output
    assert context.answer_bytes > SMALL
    assert written != [LOOP]


async def test_a_small_answer_is_written_at_once(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    written = threads_of(monkeypatch, ToolExecution, "_answer")
    context = replace(CONTEXT)
    await execute(store, ScriptedTool(), {"inputParameters": {"petId": 3}}, context)
    assert written == [LOOP]
    assert 0 < context.answer_bytes < 100


async def test_a_large_request_is_read_beside_the_event_loop(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = threads_of(monkeypatch, ToolExecution, "_call_of")
    tool = ScriptedTool()
    body = ["x" * 10] * 50_000
    await execute(store, tool, {"inputParameters": {"requestBody": body}}, replace(CONTEXT, request_bytes=650_000))
    assert read == ["openplaybook-files"]
    assert tool.calls[0][0].arguments == {"requestBody": body}


async def test_large_tools_are_read_beside_the_event_loop(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    body = dumps({"displayName": "pets", "openApiSpec": {"textSchema": "x" * 300_000}})
    await store.apply([Put(TOOL, "tool", AGENT, AGENT, body)])
    read = threads_of(monkeypatch, stored_records, "loads")
    await execute(store, ScriptedTool(), {"sessionParameters": {"user": "kim"}})
    assert read == ["openplaybook-files"] * 3


async def test_an_unknown_outcome_has_a_code_of_its_own(store: SqliteStore) -> None:
    answer = await execute(store, ScriptedTool(InDoubt("The connection broke.")), {})
    assert answer["error"] == {"code": "OUTCOME_UNKNOWN", "message": "The connection broke."}


@pytest.mark.parametrize(
    ("request_", "code", "message"),
    [
        ({"tool": f"{AGENT}/tools/none"}, Code.NOT_FOUND, f"Tool {AGENT}/tools/none does not exist"),
        ({"tool": f"{AGENT}/tools/x"}, Code.NOT_FOUND, f"Tool {AGENT}/tools/x does not exist"),
        ({"tool": f"{AGENT}/tools/b"}, Code.FAILED_PRECONDITION, "$.openApiSpec: is empty"),
        ({"action": ""}, Code.INVALID_ARGUMENT, "action: is required"),
        (
            {"action": "sell"},
            Code.INVALID_ARGUMENT,
            "action: 'sell' is not an action of the tool; there are: getPet, ask",
        ),
        (
            {"action": "getpet"},
            Code.INVALID_ARGUMENT,
            "action: 'getpet' is not an action of the tool; did you mean getPet?; there are: getPet, ask",
        ),
        (
            {"action": "s" * 1_000},
            Code.INVALID_ARGUMENT,
            f"action: '{'s' * 100}…' is not an action of the tool; there are: getPet, ask",
        ),
        ({"action": "ask"}, Code.FAILED_PRECONDITION, "ask is a function tool: only clients run it"),
    ],
)
async def test_what_cannot_be_executed_is_refused(
    store: SqliteStore, request_: JsonObject, code: Code, message: str
) -> None:
    tool = ScriptedTool()
    with pytest.raises(RpcError) as refused:
        await execute(store, tool, request_)
    assert (refused.value.code, refused.value.message) == (code, message)
    assert tool.calls == []


async def test_a_name_that_is_no_tools_is_refused(store: SqliteStore) -> None:
    with pytest.raises(InvalidName):
        await execute(store, ScriptedTool(), {"tool": "tools/t"})
