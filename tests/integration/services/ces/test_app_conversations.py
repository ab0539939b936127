"""Conversations with apps, read back from the journal."""

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.resources.names import APP_DEPLOYMENTS, APP_VERSIONS
from openplaybook.services import conversation_pages
from openplaybook.services.ces.app_conversation_messages import AppConversationTally
from openplaybook.storage.base import Put, Store
from openplaybook.tools.base import ExecutionPlace, Success
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import AppServer, app_path, plain, refusal_of, serving
from tests.kit.agents import Part, calls, says
from tests.kit.apps import APP, AppDraft, declares, tool_name
from tests.kit.threads_seen import LOOP, threads_of

LIST = "AgentService.ListConversations"
GET = "AgentService.GetConversation"


async def served(store: Store, *part: Part) -> AppServer:
    """An app with a client function and a tool of the server."""
    made = AppDraft(variableDeclarations=declares(name=None))
    made.agent("root", tools=[tool_name("ask"), tool_name("add")])
    made.agent("billing")
    made.tool("ask", place=ExecutionPlace.CLIENT)
    made.tool("add", answer=lambda call, context: Success({"sum": 4}))
    return await serving(store, made, *part)


async def test_a_conversation_is_what_its_turns_said_and_did(store: Store) -> None:
    server = await served(store, calls(("add", {"a": 2})), says("4"), calls(("ask", {})), says("Thanks."))
    first = await server.run({"variables": {"name": "Ann"}}, {"text": "2 + 2?"})
    [asked] = await server.run({"text": "Ask me."})
    id = asked["toolCalls"]["toolCalls"][0]["id"]
    answered = await server.run({"toolResponses": {"toolResponses": [{"id": id, "response": {"a": 1}}]}})
    conversation = await server(GET, {"name": app_path("conversations/s")})
    assert {name: value for name, value in conversation.items() if name not in ("startTime", "endTime", "turns")} == {
        "name": app_path("conversations/s"),
        "turnCount": 3,
        "source": "LIVE",
        "channelType": "TEXT",
        "inputTypes": ["INPUT_TYPE_TEXT", "INPUT_TYPE_VARIABLES", "INPUT_TYPE_TOOL_RESPONSE"],
        "languageCode": "en",
    }
    assert conversation["startTime"] < conversation["endTime"]
    told = [outputs[-1]["diagnosticInfo"] for outputs in (first, [asked], answered)]
    assert conversation["turns"] == told


async def test_conversations_are_listed_newest_first_without_their_turns(store: Store) -> None:
    server = await served(store, *[says("ok")] * 3)
    for session in ("one", "two", "three"):
        await server.say("hi", session=app_path(f"sessions/{session}"))
    first = await server(LIST, {"parent": APP, "pageSize": 2})
    assert [each["name"].rpartition("/")[2] for each in first["conversations"]] == ["three", "two"]
    assert all("turns" not in each for each in first["conversations"])
    last = await server(LIST, {"parent": APP, "pageSize": 2, "pageToken": first["nextPageToken"]})
    assert [each["name"].rpartition("/")[2] for each in last["conversations"]] == ["one"]
    assert "nextPageToken" not in last


async def test_large_turns_are_counted_beside_the_event_loop_and_end_a_page(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await served(store, says("hello"), says("x" * 300_000), says("x" * 300_000))
    for session in ("small", "large", "latest"):
        await server.say("hi", session=app_path(f"sessions/{session}"))
    counted = threads_of(monkeypatch, AppConversationTally, "add")
    monkeypatch.setattr(conversation_pages, "_EXAMINED_BYTES", 1_000_000)
    first = await server(LIST, {"parent": APP})
    last = await server(LIST, {"parent": APP, "pageToken": first["nextPageToken"]})
    names = [[each["name"].rpartition("/")[2] for each in page["conversations"]] for page in (first, last)]
    assert names == [["latest", "large"], ["small"]]
    assert counted == ["openplaybook-files", "openplaybook-files", LOOP]


async def test_lists_can_be_filtered_by_what_is_listed(store: Store) -> None:
    server = await served(store, *[says("ok")] * 3)
    await server.say("hi", session=app_path("sessions/short"))
    await server.say("hi", session=app_path("sessions/long"), entryAgent=app_path("agents/billing"))
    await server.say("and", session=app_path("sessions/long"))

    async def found(text: str) -> list[str]:
        listed = await server(LIST, {"parent": APP, "filter": text})
        return [each["name"].rpartition("/")[2] for each in listed.get("conversations", [])]

    assert await found("turn_count > 1") == ["long"]
    assert await found('start_time > "2020-01-01T00:00:00Z"') == ["long", "short"]
    assert await found('start_time > "2120-01-01T00:00:00Z"') == []
    assert await found("entry_agent:billing") == ["long"]
    assert (await refusal_of(found("mood = good")))[0] is Code.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("asked", "is_there"),
    [
        ({}, True),
        ({"source": "LIVE"}, True),
        ({"sources": ["EVAL", "LIVE"]}, True),
        ({"source": "SIMULATOR"}, False),
        ({"sources": ["EVAL"]}, False),
    ],
)
async def test_all_conversations_are_live(store: Store, asked: JsonObject, is_there: bool) -> None:
    server = await served(store, says("ok"))
    await server.say("hi")
    assert bool(await server(LIST, {"parent": APP, **asked})) is is_there


@pytest.mark.parametrize("text", ["hi", "<event>WELCOME</event>"])
async def test_events_and_files_are_told_apart_from_words(store: Store, text: str) -> None:
    server = await served(store, says("ok"))
    await server.run({"blob": {"mimeType": "text/csv", "data": "YQ=="}}, {"text": text})
    conversation = await server(GET, {"name": app_path("conversations/s")})
    kind = "INPUT_TYPE_TEXT" if text == "hi" else "INPUT_TYPE_EVENT"
    assert (conversation["inputTypes"], conversation["channelType"]) == ([kind, "INPUT_TYPE_BLOB"], "MULTIMODAL")


async def test_a_deployment_runs_its_version_and_the_conversation_says_which(store: Store) -> None:
    server = await served(store, says("As it was."), says("As it is."))
    version, deployment = app_path("versions/one"), app_path("deployments/web")
    agent: JsonObject = {"name": app_path("agents/old"), "displayName": "old", "instruction": "Old.", "llmAgent": {}}
    app: JsonObject = {"name": APP, "displayName": "Old", "rootAgent": agent["name"]}
    documents = [
        (APP_VERSIONS, version, {"snapshot": {"app": app, "agents": [agent]}}),
        (APP_DEPLOYMENTS, deployment, {"displayName": "web", "appVersion": version}),
    ]
    await store.apply(
        [Put(name, kind.kind, APP, APP, dumps({"name": name, **document})) for kind, name, document in documents]
    )
    deployed = app_path("sessions/deployed")
    assert [
        plain(one)["text"] for one in await server.run({"text": "hi"}, session=deployed, deployment=deployment)
    ] == ["As it was."]
    await server.say("hi")
    assert [turn.playbook for turn in server.model.asked] == ["old", "root"]
    shown = await server(GET, {"name": app_path("conversations/deployed")})
    assert (shown["appVersion"], shown["turns"][0]["messages"][-1]["role"]) == (version, "old")


async def test_conversations_are_forgotten_one_by_one_or_together(store: Store) -> None:
    server = await served(store, *[says("ok")] * 3)
    for session in ("one", "two", "three"):
        await server.say("hi", session=app_path(f"sessions/{session}"))
    await server("AgentService.DeleteConversation", {"name": app_path("conversations/one")})
    names = [app_path(f"conversations/{id}") for id in ("one", "two", "three")]
    rpc = "AgentService.BatchDeleteConversations"
    told = (await server.operation(rpc, {"parent": APP, "conversations": names}))["response"]
    assert {name: value for name, value in told.items() if name != "@type"} == {
        "deletedConversations": names[1:],
        "failedConversations": names[:1],
        "errorMessages": [f"Conversation {names[0]} does not exist"],
    }
    assert await server(LIST, {"parent": APP}) == {}
    assert await store.session(app_path("sessions/two")) is None


@pytest.mark.parametrize(
    ("rpc", "request_", "code"),
    [
        (GET, {"name": app_path("conversations/no")}, Code.NOT_FOUND),
        (GET, {"name": "conversations/no"}, Code.INVALID_ARGUMENT),
        ("AgentService.DeleteConversation", {"name": app_path("conversations/no")}, Code.NOT_FOUND),
        (LIST, {"parent": f"{APP}2"}, Code.NOT_FOUND),
        (LIST, {"parent": APP, "pageToken": "x"}, Code.INVALID_ARGUMENT),
        ("AgentService.BatchDeleteConversations", {"parent": APP}, Code.INVALID_ARGUMENT),
        (
            "AgentService.BatchDeleteConversations",
            {"parent": APP, "conversations": [f"{APP}2/conversations/c"]},
            Code.INVALID_ARGUMENT,
        ),
    ],
)
async def test_what_is_not_there_is_refused(store: Store, rpc: str, request_: JsonObject, code: Code) -> None:
    server = await served(store)
    assert (await refusal_of(server(rpc, request_)))[0] is code
