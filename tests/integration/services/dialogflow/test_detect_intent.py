from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.errors import ModelGarbled, ModelRateLimited, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.services.registrations import register_detect_intent
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import ExecutionPlace, Failure, Success
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.registry import Registry
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, PlayedModel, calls, says
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER

API = load_api()
BETA = "google.cloud.dialogflow.cx.v3beta1."


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


class Server:
    """The Sessions service of an agent whose model plays a part."""

    def __init__(self, store: Store, draft: AgentDraft, model: PlayedModel) -> None:
        engine = TurnEngine(
            store=store,
            toolbox=draft.shelf,
            models=ModelDirectory(model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )
        self.model = model
        self._registry = Registry(API)
        register_detect_intent(self._registry, API, store, engine, TurnStreams(engine))

    async def detect(
        self, body: JsonObject, *, session: str = SESSION, version: str = "v3beta1", headers: JsonObject | None = None
    ) -> JsonObject:
        """DetectIntent with a JSON body; the answer as JSON."""
        method = API.methods[f"google.cloud.dialogflow.cx.{version}.Sessions.DetectIntent"]
        message = API.codec.from_json({**body, "session": session}, API.message(method.input.full_name)())
        context = RpcContext(method.full_name, version, "rest", headers or {}, None, None)
        response = await self._registry.call(method, message, context)
        context.delivered()
        return API.codec.to_json(response)

    async def stream(self, body: JsonObject, headers: JsonObject | None = None) -> list[JsonObject]:
        """ServerStreamingDetectIntent with a JSON body; every answer as JSON."""
        method = API.methods[f"{BETA}Sessions.ServerStreamingDetectIntent"]
        message = API.codec.from_json({**body, "session": SESSION}, API.message(method.input.full_name)())
        context = RpcContext(method.full_name, "v3beta1", "rest", headers or {}, None, None)
        return [API.codec.to_json(each) async for each in self._registry.call_streaming(method, message, context)]


SetUp = Callable[..., Awaitable[Server]]


@pytest.fixture
def set_up(store: Store) -> SetUp:
    """Puts an agent into the store and serves it."""

    async def build(*part: object) -> Server:
        draft = AgentDraft()
        draft.playbook("Start", "Use ${TOOL: pets}, ${TOOL: get-weather-tool}, ${PLAYBOOK: Other}.", start=True)
        draft.playbook("Other")
        draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex"}}))
        draft.tool("broken", "breakPet", answer=lambda call, context: Failure("TIMEOUT", "no answer"))
        draft.tool("get-weather-tool", place=ExecutionPlace.CLIENT)
        await draft.put(store)
        return Server(store, draft, PlayedModel(*part))  # pyright: ignore[reportArgumentType]

    return build


def text(words: str, **parameters: object) -> JsonObject:
    return {"queryInput": {"text": {"text": words}, "languageCode": "en"}, "queryParams": parameters}


@pytest.mark.proves("F2", "F3")
async def test_the_documented_weather_conversation_runs_as_printed(set_up: SetUp) -> None:
    server = await set_up(calls(("get-weather-tool", {"location": "Mountain View"})), says("It is 28 degrees."))
    tool = f"{AGENT}/tools/get-weather-tool"
    paused = await server.detect(
        {"queryInput": {"text": {"text": "what is the weather in Mountain View"}, "languageCode": "en"}}, version="v3"
    )
    query = paused["queryResult"]
    assert (query["text"], query["languageCode"]) == ("what is the weather in Mountain View", "en")
    (message,) = query["responseMessages"]
    assert message["source"] == "VIRTUAL_AGENT"
    call = message["toolCall"]
    assert {key: call[key] for key in ("tool", "action", "inputParameters")} == {
        "tool": tool,
        "action": "get-weather-tool",
        "inputParameters": {"location": "Mountain View"},
    }
    result = {"tool": tool, "action": "get-weather-tool", "outputParameters": {"temperature": 28.0}}
    answered = await server.detect({"queryInput": {"toolCallResult": result, "languageCode": "en"}}, version="v3")
    (message,) = answered["queryResult"]["responseMessages"]
    assert message == {"source": "VIRTUAL_AGENT", "text": {"text": ["It is 28 degrees."]}}
    assert "text" not in answered["queryResult"]


async def test_an_answer_says_what_kind_it_is(set_up: SetUp) -> None:
    server = await set_up(says("Hello!"))
    answer = await server.detect(text("hi", parameters={"n": 1, "x": 0.5}))
    query = answer["queryResult"]
    assert answer["responseType"] == "FINAL"
    assert query["match"] == {"matchType": "PLAYBOOK", "resolvedInput": "hi", "confidence": 1.0}
    assert query["parameters"] == {"n": 1, "x": 0.5}
    assert query["intentDetectionConfidence"] == 1.0


@pytest.mark.proves("G6")
async def test_generative_info_shows_every_step_of_the_turn(set_up: SetUp) -> None:
    server = await set_up(calls(("getPet", {"petId": 3})), says("It is Rex."))
    info = (await server.detect(text("pet 3")))["queryResult"]["generativeInfo"]
    assert info["currentPlaybooks"] == [START]
    actions = info["actionTracingInfo"]["actions"]
    kinds = [next(key for key in action if key not in ("startTime", "completeTime")) for action in actions]
    assert kinds == ["userUtterance", "llmCall", "toolUse", "llmCall", "agentUtterance"]
    use = actions[2]["toolUse"]
    assert use == {
        "tool": f"{AGENT}/tools/pets",
        "displayName": "pets",
        "action": "getPet",
        "inputActionParameters": {"petId": 3},
        "outputActionParameters": {"200": {"name": "Rex"}},
    }
    assert actions[2]["startTime"] <= actions[2]["completeTime"]


async def test_a_called_playbook_is_an_invocation_in_the_trace(set_up: SetUp) -> None:
    server = await set_up(calls(("Other", {"a": 1})), calls(("end_playbook", {"b": 2})), says("Done."))
    answer = await server.detect({**text("go"), "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL"})
    actions = answer["queryResult"]["generativeInfo"]["actionTracingInfo"]["actions"]
    begun, ended = [action["playbookInvocation"] for action in actions if "playbookInvocation" in action]
    assert begun["playbookInput"] == {"actionParameters": {"a": 1}}
    assert ended["playbookOutput"] == {"actionParameters": {"b": 2}}
    assert ended["playbookState"] == "OUTPUT_STATE_OK"
    blocks = answer["queryResult"]["traceBlocks"]
    assert [block["playbookTraceMetadata"]["displayName"] for block in blocks] == ["Start", "Other", "Start"]
    assert (blocks[1]["endState"], blocks[1]["outputParameters"]) == ("OUTPUT_STATE_OK", {"b": 2})


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("DETECT_INTENT_RESPONSE_VIEW_UNSPECIFIED", {"generativeInfo", "diagnosticInfo"}),
        ("DETECT_INTENT_RESPONSE_VIEW_DEFAULT", {"generativeInfo", "diagnosticInfo"}),
        ("DETECT_INTENT_RESPONSE_VIEW_BASIC", set[str]()),
        ("DETECT_INTENT_RESPONSE_VIEW_FULL", {"generativeInfo", "diagnosticInfo", "traceBlocks"}),
    ],
)
async def test_the_response_view_decides_how_much_trace_is_shown(set_up: SetUp, view: str, shown: set[str]) -> None:
    server = await set_up(says("Hello!"))
    query = (await server.detect({**text("hi"), "responseView": view}))["queryResult"]
    assert {"generativeInfo", "diagnosticInfo", "traceBlocks"} & set(query) == shown


async def test_diagnostic_info_tells_of_models_tools_and_notices(set_up: SetUp) -> None:
    server = await set_up(calls(("getPet", {"petId": 3}), ("nothing", {})), says("It is Rex."))
    found = (await server.detect(text("pet 3"), version="v3"))["queryResult"]["diagnosticInfo"]
    assert found["Session Id"] == "s"
    assert [call["Model"] for call in found["Model Calls"]] == ["played", "played"]
    assert [(call["Tool"], call["Action"]) for call in found["Tool Calls"]] == [("pets", "getPet")]
    (notice,) = found["Notices"]
    assert notice.startswith("NO_SUCH_FUNCTION: There is no function 'nothing'.")


async def test_a_stream_is_partial_answers_and_then_the_final_one(set_up: SetUp) -> None:
    server = await set_up(calls(("getPet", {"petId": 3})), says("It is Rex."))
    *partial, final = await server.stream(text("pet 3"))
    assert {each["responseType"] for each in partial} == {"PARTIAL"}
    uses = [each["queryResult"]["generativeInfo"]["actionTracingInfo"]["actions"][0] for each in partial[:2]]
    assert ["completeTime" in use for use in uses] == [False, True]
    *_, words, complete = partial
    assert words["queryResult"]["responseMessages"] == [
        {
            "source": "VIRTUAL_AGENT",
            "text": {"text": ["It is Rex. "]},
            "playbook": START,
            "playbookDisplayName": "Start",
            "replyIndex": 1,
        }
    ]
    [block] = complete["queryResult"]["traceBlocks"]
    assert block["playbookTraceMetadata"] == {"playbook": START, "displayName": "Start"}
    assert block["actions"][0]["agentUtterance"] == {"text": "It is Rex."}
    assert "completeTime" in block["actions"][0]
    assert "responseMessages" not in complete["queryResult"]
    assert final["responseType"] == "FINAL"
    assert final["queryResult"]["responseMessages"][0]["text"]["text"] == ["It is Rex."]


async def test_a_repeated_request_key_gets_the_first_answer_again(set_up: SetUp) -> None:
    server = await set_up(says("Hello!"))
    headers = {"idempotency-key": "k1"}
    first = await server.detect(text("hi"), headers=headers)
    assert await server.detect(text("hi"), headers=headers) == first


async def refusal(server: Server, body: JsonObject, session: str = SESSION) -> tuple[Code, str]:
    with pytest.raises(RpcError) as caught:
        await server.detect(body, session=session)
    return caught.value.code, caught.value.message


@pytest.mark.parametrize(
    ("query", "code", "sentence"),
    [
        ({"languageCode": "en"}, Code.INVALID_ARGUMENT, "has no input"),
        ({"text": {"text": "hi"}}, Code.INVALID_ARGUMENT, "language_code is required"),
        ({"text": {"text": "  "}, "languageCode": "en"}, Code.INVALID_ARGUMENT, "text is empty"),
        ({"dtmf": {"digits": "1"}, "languageCode": "en"}, Code.UNIMPLEMENTED, "DTMF is not served"),
        ({"audio": {"audio": ""}, "languageCode": "en"}, Code.UNIMPLEMENTED, "audio is not served"),
        ({"intent": {"intent": "x"}, "languageCode": "en"}, Code.UNIMPLEMENTED, "an intent is not served"),
        (
            {"toolCallResult": {"action": "a", "outputParameters": {}}, "languageCode": "en"},
            Code.INVALID_ARGUMENT,
            "tool_call_result.tool is required",
        ),
        (
            {"toolCallResult": {"tool": "t", "action": "a"}, "languageCode": "en"},
            Code.INVALID_ARGUMENT,
            "give output_parameters or error",
        ),
    ],
)
async def test_an_input_that_cannot_be_served_says_what_can(
    set_up: SetUp, query: JsonObject, code: Code, sentence: str
) -> None:
    found, message = await refusal(await set_up(), {"queryInput": query})
    assert found is code
    assert sentence in message


@pytest.mark.parametrize(
    ("parameters", "code", "sentence"),
    [
        ({"sessionTtl": "0s"}, Code.INVALID_ARGUMENT, "session_ttl must be more than 0"),
        ({"currentPlaybook": "no name"}, Code.INVALID_ARGUMENT, "current_playbook"),
        ({"currentPlaybook": f"{AGENT}x/playbooks/p"}, Code.INVALID_ARGUMENT, "is not a playbook of"),
        ({"currentPlaybook": f"{AGENT}/playbooks/p"}, Code.NOT_FOUND, "is not a playbook of"),
    ],
)
async def test_a_parameter_that_cannot_be_used_is_named(
    set_up: SetUp, parameters: JsonObject, code: Code, sentence: str
) -> None:
    found, message = await refusal(await set_up(), text("hi", **parameters))
    assert found is code
    assert sentence in message


async def test_sessions_of_the_draft_environment_are_one_session(set_up: SetUp) -> None:
    server = await set_up(says("Hello!"), says("Again!"))
    await server.detect(text("hi"))
    await server.detect(text("hi"), session=f"{AGENT}/environments/-/sessions/s")
    assert len(server.model.asked[1].conversation) == 3


async def test_an_environment_or_agent_that_does_not_exist_is_not_found(set_up: SetUp) -> None:
    server = await set_up()
    found, message = await refusal(server, text("hi"), f"{AGENT}/environments/prod/sessions/s")
    assert (found, "environments/prod does not exist" in message) == (Code.NOT_FOUND, True)
    found, message = await refusal(server, text("hi"), f"{AGENT}x/sessions/s")
    assert (found, message) == (Code.NOT_FOUND, f"Agent {AGENT}x does not exist.")
    assert (await refusal(server, text("hi"), "sessions/s"))[0] is Code.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (ModelTimeout("late"), Code.DEADLINE_EXCEEDED),
        (ModelRateLimited("slow down"), Code.RESOURCE_EXHAUSTED),
        (ModelUnavailable("gone"), Code.UNAVAILABLE),
        (ModelRejected("no such model"), Code.FAILED_PRECONDITION),
        (ModelGarbled("what?"), Code.INTERNAL),
    ],
)
async def test_a_model_that_fails_is_told_with_its_own_status(set_up: SetUp, fault: Exception, code: Code) -> None:
    server = await set_up(fault, says("Hello!"))
    found, message = await refusal(server, text("hi"))
    assert found is code
    assert str(fault) in message
    assert (await server.detect(text("hi")))["queryResult"]["text"] == "hi"


async def test_a_wrong_and_a_late_result_have_their_documented_statuses(set_up: SetUp) -> None:
    server = await set_up(calls(("get-weather-tool", {})), says("Fine."))
    tool = f"{AGENT}/tools/get-weather-tool"

    def result(action: str) -> JsonObject:
        given = {"tool": tool, "action": action, "outputParameters": {}}
        return {"queryInput": {"toolCallResult": given, "languageCode": "en"}}

    await server.detect(text("weather?"))
    assert await refusal(server, result("other")) == (
        Code.INVALID_ARGUMENT,
        "Session is waiting for tool call result of tool, get-weather-tool, and action, get-weather-tool.",
    )
    await server.detect(text("never mind"))
    assert (await refusal(server, result("get-weather-tool")))[0] is Code.FAILED_PRECONDITION


async def test_parameters_cannot_grow_without_end(set_up: SetUp) -> None:
    server = await set_up(says("Hello!"), says("Hello again!"))
    await server.detect(text("hi", parameters={"a": "x" * 600_000}))
    with pytest.raises(RpcError) as caught:
        await server.detect(text("hi", parameters={"b": "x" * 600_000}))
    message = "The session's parameters would be larger than 1000000 bytes as JSON."
    assert (caught.value.code, caught.value.message) == (Code.INVALID_ARGUMENT, message)
    assert list((await server.detect(text("hi")))["queryResult"]["parameters"]) == ["a"]


@pytest.mark.parametrize(
    ("body", "headers", "message"),
    [
        (text("x" * 1_100_000), {}, "The request is larger than 1048576 bytes."),
        (
            text("hi"),
            {"idempotency-key": "k" * 257},
            "The header idempotency-key must not be longer than 256 characters.",
        ),
    ],
)
async def test_what_is_too_large_is_refused(set_up: SetUp, body: JsonObject, headers: JsonObject, message: str) -> None:
    server = await set_up()
    with pytest.raises(RpcError) as caught:
        await server.detect(body, headers=headers)
    assert (caught.value.code, caught.value.message) == (Code.INVALID_ARGUMENT, message)


@pytest.mark.parametrize(
    "part",
    [
        (says("Hello!"),),
        (calls(("getPet", {"petId": 3}), ("breakPet", {}), text="Let me see."), says("It is Rex.")),
        (calls(("getPet", {"petId": 3}), ("get-weather-tool", {"location": "Oslo"})),),
        (calls(("Other", {"a": 1})), calls(("getPet", {}), text="Here."), calls(("end_playbook", {})), says("Done.")),
        (calls(("nothing", {})), says("Sorry.")),
    ],
    ids=["words", "tools", "pause", "playbook", "refused call"],
)
async def test_the_last_response_of_a_stream_is_what_detect_intent_answers_for_the_same_turn(
    set_up: SetUp, part: tuple[object, ...]
) -> None:
    server = await set_up(*part)
    body = {**text("go"), "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL"}
    headers = {"idempotency-key": "k1"}
    *_, streamed = await server.stream(body, headers)
    assert await server.detect(body, headers=headers) == streamed
