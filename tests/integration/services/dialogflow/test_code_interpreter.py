"""The code interpreter on the wire: files in, documented outputs, files and images out."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import FunctionCall, FunctionResult
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_detect_intent, register_dialogflow
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.session_files import EXECUTIONS, SessionFiles
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Clock, SpecificationChecker
from tests.kit.agents import AGENT, SESSION, AgentDraft, PlayedModel, calls, says
from tests.kit.interpreters import INPUT, INTERPRETER, NOTHING, OUTPUT, PlayedInterpreter, add_interpreter
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER

API = load_api()
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
CSV = b"city,days\nBonn,3\n"
FULL = "DETECT_INTENT_RESPONSE_VIEW_FULL"
ASKED = calls(("generate_and_execute", {"query": "4 + 4"}))


class Server:
    """Sessions and conversation history of an agent whose playbook has the code interpreter."""

    def __init__(self, store: SqliteStore, **agent: object) -> None:
        self.store = store
        self.draft = AgentDraft(**agent)
        self.draft.playbook("Start", "Use ${TOOL: df-code-interpreter-tool}.", start=True)
        self.tool: PlayedInterpreter = add_interpreter(self.draft)
        self.model = PlayedModel()
        engine = TurnEngine(
            store=store,
            toolbox=self.draft.shelf,
            models=ModelDirectory(self.model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )
        self._registry = Registry(API)
        register_detect_intent(self._registry, API, store, engine, TurnStreams(engine))
        clock = Clock()
        parts = ServiceParts(
            API, store, SpecificationChecker(), OperationRunner(store, API, clock), InlineSecrets(SEALER), clock
        )
        register_dialogflow(self._registry, parts)

    async def call(self, rpc: str, body: JsonObject, version: str = "v3beta1", **headers: str) -> JsonObject:
        """The answer of `Service.Method`; what it brought has arrived."""
        method = API.methods[f"google.cloud.dialogflow.cx.{version}.{rpc}"]
        message = API.codec.from_json(body, API.message(method.input.full_name)())
        context = RpcContext(method.full_name, version, "rest", headers, None, None)
        answer = API.codec.to_json(await self._registry.call(method, message, context))
        for delivered in context.on_delivered:
            delivered()
        return answer

    async def ask(self, *files: JsonObject, version: str = "v3beta1", **more: object) -> JsonObject:
        """The query result of a turn of words, with files."""
        params: JsonObject = {"payload": {"files": list(files)}} if files else {}
        body: JsonObject = {"session": SESSION, "queryInput": said("4 + 4"), "queryParams": params, **more}
        return (await self.call("Sessions.DetectIntent", body, version))["queryResult"]


def said(text: str) -> JsonObject:
    return {"text": {"text": text}, "languageCode": "en"}


def given(name: str, data: bytes) -> JsonObject:
    return {"name": name, "contents": base64.b64encode(data).decode()}


def image(name: str, data: bytes) -> JsonObject:
    url = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    shown: JsonObject = {"type": "image", "rawUrl": url, "accessibilityText": name}
    return {"source": "VIRTUAL_AGENT", "payload": {"richContent": [[shown]]}}


def uses(query: JsonObject) -> list[JsonObject]:
    """The tool calls in a trace."""
    actions = query["generativeInfo"]["actionTracingInfo"]["actions"]
    return [action["toolUse"] for action in actions if "toolUse" in action]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(with_tables(tmp_path / "store.db"))
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def server(store: SqliteStore) -> Server:
    made = Server(store)
    await made.draft.put(store)
    return made


@pytest.mark.proves("B2")
async def test_a_call_is_shown_as_documented(server: Server) -> None:
    server.model.then(ASKED, says("It is 8."))
    [use] = uses(await server.ask())
    assert use == {
        "tool": INTERPRETER,
        "displayName": "code-interpreter",
        "action": "generate_and_execute",
        "inputActionParameters": {INPUT: "4 + 4"},
        "outputActionParameters": {
            OUTPUT: {
                "generated_code": "print(4 + 4)",
                "execution_result": "8",
                "execution_error": "",
                "output_files": [NOTHING],
            }
        },
    }


async def test_no_conversation_is_the_one_beneath_which_files_of_executions_are_kept(server: Server) -> None:
    await SessionFiles(server.store, f"{AGENT}/sessions/{EXECUTIONS}").put("salaries.csv", "text/csv", CSV)
    server.model.then(ASKED, says("It is 8."))
    with pytest.raises(RpcError) as caught:
        await server.ask(session=f"{AGENT}/sessions/{EXECUTIONS}")
    assert (caught.value.code, caught.value.message) == (
        Code.INVALID_ARGUMENT,
        "session: 'tool-executions' is reserved for executions of tools.",
    )


@pytest.mark.proves("B2")
async def test_files_of_the_payload_go_in_and_files_of_the_code_come_out(server: Server) -> None:
    server.tool.gives = {"chart.png": PNG, "table.csv": CSV}
    server.model.then(ASKED, says("Here it is."))
    query = await server.ask(given("trips.csv", CSV), responseView=FULL)
    assert [(file.name, file.media_type, file.data) for file in server.tool.had[0]] == [("trips.csv", "text/csv", CSV)]
    expected = [given("chart.png", PNG), given("table.csv", CSV)]
    [use] = uses(query)
    assert use["outputActionParameters"][OUTPUT]["output_files"] == expected
    [block] = query["traceBlocks"]
    blocks = [action["toolUse"] for action in block["actions"] if "toolUse" in action]
    assert blocks[0]["outputActionParameters"][OUTPUT]["output_files"] == expected
    words = {"source": "VIRTUAL_AGENT", "text": {"text": ["Here it is."]}}
    assert query["responseMessages"] == [words, image("chart.png", PNG)]


async def test_clients_of_v3_see_images_and_trace_blocks(server: Server) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here it is."))
    query = await server.ask(version="v3", responseView=FULL)
    assert query["responseMessages"][1] == image("chart.png", PNG)
    [use] = [action["toolUse"] for action in query["traceBlocks"][0]["actions"] if "toolUse" in action]
    assert use["outputActionParameters"][OUTPUT]["output_files"] == [given("chart.png", PNG)]


async def test_the_journal_and_the_model_have_handles_only(server: Server, store: SqliteStore) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here it is."))
    await server.ask(given("trips.csv", CSV))
    [result] = [each for each in server.model.asked[-1].conversation if isinstance(each, FunctionResult)]
    assert isinstance(result.output, dict)
    handle = result.output[OUTPUT]["output_files"][0]["contents"]
    [stored] = [file for file in await SessionFiles(store, SESSION).newest(1000) if file.name == "chart.png"]
    assert handle == stored.handle
    journal = b"".join(step.payload for step in await store.history(SESSION, turns=1))
    for data in (PNG, CSV):
        assert base64.b64encode(data) not in journal
    assert handle.encode() in journal
    assert server.tool.contexts[0].payload["files"][0]["contents"].startswith(f"{SESSION}/files/")


async def test_the_playbooks_model_is_told_which_files_came_with_the_words(server: Server) -> None:
    server.model.then(says("I see."), says("Still here."))
    await server.ask(given("trips.csv", CSV), given("b.csv", CSV))
    await server.ask()
    assert [turn.files for turn in server.model.asked] == [("trips.csv", "b.csv"), ()]


async def test_an_answer_that_is_given_again_has_its_images_again(server: Server) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here it is."))
    body: JsonObject = {
        "session": SESSION,
        "queryInput": said("4 + 4"),
        "queryParams": {"payload": {"files": [given("a.csv", CSV)]}},
    }
    headers = {"idempotency-key": "k"}
    first = await server.call("Sessions.DetectIntent", body, **headers)
    assert await server.call("Sessions.DetectIntent", body, **headers) == first
    assert len(await server.store.blobs(f"{SESSION}/files/")) == 2


async def test_partial_answers_have_the_files_too(server: Server) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here."))
    method = API.methods["google.cloud.dialogflow.cx.v3beta1.Sessions.ServerStreamingDetectIntent"]
    message = API.codec.from_json({"session": SESSION, "queryInput": said("4")}, API.message(method.input.full_name)())
    context = RpcContext(method.full_name, "v3beta1", "rest", {}, None, None)
    registry = server._registry  # pyright: ignore[reportPrivateUsage]
    answers = [API.codec.to_json(each) async for each in registry.call_streaming(method, message, context)]
    started, ended = [uses(each["queryResult"])[0] for each in answers[:2]]
    assert started["inputActionParameters"] == {INPUT: "4 + 4"}
    assert ended["outputActionParameters"][OUTPUT]["output_files"] == [given("chart.png", PNG)]
    assert answers[-1]["queryResult"]["responseMessages"][-1] == image("chart.png", PNG)


async def test_the_history_shows_what_was_shown(server: Server) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here it is."))
    await server.ask(given("trips.csv", CSV))
    name = f"{AGENT}/conversations/s"
    [interaction] = (await server.call("ConversationHistory.GetConversation", {"name": name}))["interactions"]
    query = interaction["response"]["queryResult"]
    assert query["responseMessages"][1] == image("chart.png", PNG)
    assert uses(query)[0]["outputActionParameters"][OUTPUT]["output_files"] == [given("chart.png", PNG)]
    assert interaction["responseUtterances"] == "Here it is."
    [file] = interaction["request"]["queryParams"]["payload"]["files"]
    assert (file["name"], file["contents"].startswith(f"{SESSION}/files/")) == ("trips.csv", True)


async def test_a_file_that_is_gone_leaves_a_note(server: Server, store: SqliteStore) -> None:
    server.tool.gives = {"chart.png": PNG}
    server.model.then(ASKED, says("Here it is."))
    await server.ask()
    await store.delete_blobs(f"{SESSION}/files/")
    name = f"{AGENT}/conversations/s"
    [interaction] = (await server.call("ConversationHistory.GetConversation", {"name": name}))["interactions"]
    query = interaction["response"]["queryResult"]
    gone = {"name": "chart.png", "contents": "", "note": "The file is no longer stored."}
    assert uses(query)[0]["outputActionParameters"][OUTPUT]["output_files"] == [gone]
    assert len(query["responseMessages"]) == 1


async def test_a_client_that_makes_the_calls_itself_is_asked_as_documented(store: SqliteStore) -> None:
    server = Server(store, playbookExecutionMode="ALWAYS_CLIENT_EXECUTION")
    await server.draft.put(store)
    server.model.then(ASKED, says("It is 8."))
    query = await server.ask()
    [message] = query["responseMessages"]
    call = message["toolCall"]
    assert (call["tool"], call["action"], call["inputParameters"]) == (
        INTERPRETER,
        "generate_and_execute",
        {INPUT: "4 + 4"},
    )
    output: JsonObject = {OUTPUT: {"execution_result": "8", "output_files": [given("chart.png", PNG)]}}
    result: JsonObject = {"tool": INTERPRETER, "action": "generate_and_execute", "outputParameters": output}
    body: JsonObject = {"session": SESSION, "queryInput": {"toolCallResult": result, "languageCode": "en"}}
    answer = (await server.call("Sessions.DetectIntent", body))["queryResult"]
    assert answer["responseMessages"] == [{"source": "VIRTUAL_AGENT", "text": {"text": ["It is 8."]}}]
    assert server.tool.invoked == []


async def test_examples_in_every_spelling_steer(server: Server, store: SqliteStore) -> None:
    output = {"execution_result": "8", "execution_error": "", "generated_code": "print(4 + 4)"}
    wrapped = {**output, "output_files": [NOTHING]}
    spelled: list[JsonObject] = [
        {
            "inputParameters": [{"name": INPUT, "value": "4 + 4"}],
            "outputParameters": [{"name": OUTPUT, "value": wrapped}],
        },
        {"inputActionParameters": {INPUT: "4 + 4"}, "outputActionParameters": {OUTPUT: wrapped}},
        {"inputActionParameters": {"query": "4 + 4"}, "outputActionParameters": wrapped},
        {
            "inputActionParameters": {INPUT: {"query": "4 + 4"}},
            "outputParameters": [{"name": OUTPUT, "value": wrapped}],
        },
    ]
    for number, each in enumerate(spelled):
        use: JsonObject = {"toolUse": {"tool": INTERPRETER, "action": "generate_and_execute", **each}}
        actions = [{"userUtterance": {"text": "4 + 4"}}, use, {"agentUtterance": {"text": "8"}}]
        playbook = f"{AGENT}/playbooks/00000000-0000-0000-0000-000000000000"
        server.draft.document("example", f"{playbook}/examples/{number}", {"displayName": "e", "actions": actions})
    await server.draft.put(store)
    server.model.then(says("Hello."))
    await server.ask()
    shown = [example.entries[1:3] for example in server.model.asked[0].examples]
    call_arguments = [[each.arguments for each in entries if isinstance(each, FunctionCall)] for entries in shown]
    outputs = [[each.output for each in entries if isinstance(each, FunctionResult)] for entries in shown]
    assert call_arguments == [[{"query": "4 + 4"}]] * 4
    assert outputs == [[{OUTPUT: wrapped}]] * 4


async def test_an_agent_that_does_not_refer_to_it_does_not_offer_it(store: SqliteStore) -> None:
    server = Server(store)
    server.draft = AgentDraft()
    server.draft.playbook("Start", "Talk.", start=True)
    await server.draft.put(store)
    server.model.then(says("Hello."))
    await server.ask()
    assert [each.name for each in server.model.asked[0].declarations] == []


async def test_files_may_be_larger_than_requests(server: Server) -> None:
    server.model.then(ASKED, says("Done."))
    await server.ask(given("large.csv", bytes(3_000_000)))
    assert [len(file.data) for file in server.tool.had[0]] == [3_000_000]
    with pytest.raises(RpcError) as caught:
        await server.ask({**given("a.csv", CSV), "more": "x" * 1_100_000})
    assert (caught.value.code, caught.value.message) == (
        Code.INVALID_ARGUMENT,
        "The request is larger than 1048576 bytes.",
    )


async def test_a_bad_file_is_refused_and_no_turn_begins(server: Server, store: SqliteStore) -> None:
    with pytest.raises(RpcError) as caught:
        await server.ask({"name": "a.csv", "contents": "?"})
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert caught.value.message.startswith("query_params.payload.files[0].contents: is not base64: ")
    assert await store.session(SESSION) is None
