"""Conversation history on the parts that make it: an engine, a store and the service."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.errors import ModelUnavailable
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.services import conversation_pages
from openplaybook.services.dialogflow import conversation_history
from openplaybook.services.dialogflow.conversation_messages import ConversationTally
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_dialogflow
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.redaction import MASK
from openplaybook.tools.base import Success
from openplaybook.turns.base import TextInput, TurnRequest
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.errors import TurnError
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import Code
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.agents import AGENT, START, AgentDraft, PlayedModel, calls, says
from tests.kit.sealing import SEALER
from tests.kit.threads_seen import LOOP, threads_of

SECRET_TOOL: JsonObject = {"openApiSpec": {"authentication": {"bearerTokenConfig": {"token": "$session.params.token"}}}}


def asked(id_: str, text: str) -> TurnRequest:
    """What a user says in a session."""
    return TurnRequest(agent=AGENT, session=f"{AGENT}/sessions/{id_}", input=TextInput(text), language_code="en")


class Scene:
    """An agent that talks, and its history."""

    def __init__(self, store: SqliteStore, clock: Clock) -> None:
        api = load_api()
        self.store = store
        self.clock = clock
        self.draft = AgentDraft()
        self.draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
        self.draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex"}}))
        self.model = PlayedModel()
        operations = OperationRunner(store, api, clock)
        parts = ServiceParts(api, store, SpecificationChecker(), operations, InlineSecrets(SEALER), clock)
        registry = Registry(api)
        register_dialogflow(registry, parts)
        self._caller = Caller(registry, parts, clock)

    async def say(self, id_: str, text: str) -> None:
        """One turn of words."""
        await self.run(asked(id_, text))

    async def run(self, request: TurnRequest) -> None:
        """One turn."""
        engine = TurnEngine(
            store=self.store,
            toolbox=self.draft.shelf,
            models=ModelDirectory(self.model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )
        await engine.run(request)

    async def list(self, **request: JsonValue) -> JsonObject:
        """One page; ids in place of the conversations."""
        page = await self._caller("ConversationHistory.ListConversations", {"parent": AGENT, **request})
        return {**page, "conversations": [one["name"].rsplit("/", 1)[1] for one in page.get("conversations", [])]}

    async def get(self, id_: str) -> JsonObject:
        """A conversation."""
        return await self._caller("ConversationHistory.GetConversation", {"name": f"{AGENT}/conversations/{id_}"})

    async def refusal(self, rpc: str, **request: JsonValue) -> tuple[Code, str]:
        """How a request is refused."""
        return await self._caller.refusal(f"ConversationHistory.{rpc}", request)


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    clock = Clock()
    store = SqliteStore(tmp_path / "store.db", clock=clock)
    await store.open()
    made = Scene(store, clock)
    await made.draft.put(store)
    yield made
    await store.close()


async def test_pages_are_bound_to_their_request_and_lead_to_every_conversation(scene: Scene) -> None:
    for id_ in "abcde":
        scene.clock.advance(60)
        scene.model.then(says("Hello."))
        await scene.say(id_, "hi")
    first = await scene.list(pageSize=2)
    second = await scene.list(pageSize=2, pageToken=first["nextPageToken"])
    third = await scene.list(pageSize=2, pageToken=second["nextPageToken"])
    assert [page["conversations"] for page in (first, second, third)] == [["e", "d"], ["c", "b"], ["a"]]
    assert "nextPageToken" not in third
    refused = await scene.refusal(
        "ListConversations", parent=AGENT, pageToken=first["nextPageToken"], filter="create_time > 2020-01-01T00:00:00Z"
    )
    assert refused == (
        Code.INVALID_ARGUMENT,
        "page_token does not come from this list; repeat the request without it",
    )


async def test_a_page_ends_early_where_the_turns_that_are_read_for_it_are_large(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    for id_ in "abcd":
        scene.clock.advance(60)
        scene.model.then(says("x" * 30_000))
        await scene.say(id_, "hi")
    monkeypatch.setattr(conversation_pages, "_EXAMINED_BYTES", 100_000)
    first = await scene.list()
    last = await scene.list(pageToken=first["nextPageToken"])
    assert [page["conversations"] for page in (first, last)] == [["d", "c"], ["b", "a"]]
    # One that the filter leaves out was read as well.
    filter_ = "metrics.has_end_interaction = true"
    first = await scene.list(filter=filter_)
    last = await scene.list(filter=filter_, pageToken=first["nextPageToken"])
    assert [page["conversations"] for page in (first, last)] == [[], []]
    assert "nextPageToken" not in last


async def test_large_turns_are_counted_beside_the_event_loop(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = threads_of(monkeypatch, ConversationTally, "add")
    scene.model.then(says("hello"), says("x" * 300_000))
    await scene.say("small", "hi")
    await scene.say("large", "hi")
    assert (await scene.list())["conversations"] == ["large", "small"]
    assert counted == ["openplaybook-files", LOOP]
    assert len((await scene.get("large"))["interactions"]) == 1


async def test_a_time_in_the_filter_finds_what_began_after_it(scene: Scene) -> None:
    for id_ in "abc":
        scene.clock.advance(600)
        scene.model.then(says("Hello."))
        await scene.say(id_, "hi")
    # The clock began at 2023-11-14T22:13:20Z.
    assert await scene.list(filter='create_time > "2023-11-14T23:30:00+01:00"') == {"conversations": ["c", "b"]}
    assert await scene.list(filter='create_time < "2023-11-14T22:30:00Z"') == {"conversations": ["a"]}


async def test_an_agent_or_a_conversation_that_is_not_there_is_not_found(scene: Scene) -> None:
    other = f"{AGENT}x"
    assert await scene.refusal("ListConversations", parent=other) == (
        Code.NOT_FOUND,
        f"Agent {other} does not exist",
    )
    name = f"{AGENT}/conversations/none"
    missing = (Code.NOT_FOUND, f"Conversation {name} does not exist")
    assert await scene.refusal("GetConversation", name=name) == missing
    assert await scene.refusal("DeleteConversation", name=name) == missing


async def test_a_turn_cut_short_shows_what_had_happened_as_a_partial_response(scene: Scene) -> None:
    scene.model.then(calls(("getPet", {"petId": 1}), text="Let me see."), ModelUnavailable("The model is down."))
    with pytest.raises(TurnError):
        await scene.say("s", "pet 1")
    [interaction] = (await scene.get("s"))["interactions"]
    assert "response" not in interaction
    [partial] = interaction["partialResponses"]
    assert (partial["responseType"], partial["queryResult"]["text"]) == ("PARTIAL", "pet 1")
    assert (interaction["requestUtterances"], interaction["responseUtterances"]) == ("pet 1", "Let me see.")
    assert partial["queryResult"]["diagnosticInfo"]["Notices"] == [
        "MODEL_FAILED: The model gave no decision (MODEL_UNAVAILABLE): The model is down."
    ]
    [block] = partial["queryResult"]["traceBlocks"]
    assert [set(action) - {"startTime", "completeTime"} for action in block["actions"][:4]] == [
        {"userUtterance"},
        {"llmCall"},
        {"agentUtterance"},
        {"toolUse"},
    ]


async def test_a_parameter_that_became_secret_is_shown_in_no_turn(scene: Scene) -> None:
    scene.model.then(says("One."))
    await scene.run(replace(asked("s", "first"), parameters={"token": "open-token", "colour": "teal"}))
    scene.draft.document("tool", f"{AGENT}/tools/pets", {"displayName": "pets", **SECRET_TOOL})
    await scene.draft.put(scene.store)
    scene.model.then(says("Two."))
    await scene.run(replace(asked("s", "second"), parameters={"token": "sealed-token"}))
    last, first = (await scene.get("s"))["interactions"]
    assert first["request"]["queryParams"]["parameters"] == {"token": MASK, "colour": "teal"}
    assert last["request"]["queryParams"]["parameters"] == {"token": MASK}
    assert [one["response"]["queryResult"]["parameters"] for one in (first, last)] == [{"colour": "teal"}] * 2


async def test_an_expired_conversation_stays_and_goes_on_when_the_session_begins_anew(scene: Scene) -> None:
    scene.model.then(says("One."), says("Two."))
    await scene.run(replace(asked("s", "first"), session_ttl_s=60, parameters={"colour": "teal"}))
    scene.clock.now = 4_000_000_000_000_000
    assert await scene.store.session(f"{AGENT}/sessions/s") is None
    assert (await scene.get("s"))["metrics"]["interactionCount"] == 1
    await scene.say("s", "second")
    last, first = (await scene.get("s"))["interactions"]
    assert [one["requestUtterances"] for one in (first, last)] == ["first", "second"]
    assert last["response"]["queryResult"]["parameters"] == {}


async def test_the_latest_interactions_of_a_long_conversation_are_shown(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation_history, "LONGEST", 2)
    scene.model.then(*(says(str(n)) for n in range(3)))
    for n in range(3):
        await scene.say("s", f"say {n}")
    found = await scene.get("s")
    assert [one["responseUtterances"] for one in found["interactions"]] == ["2", "1"]
    assert found["metrics"]["interactionCount"] == 3
    [block] = found["interactions"][0]["response"]["queryResult"]["traceBlocks"]
    assert block["playbookTraceMetadata"]["displayName"] == "Start"


async def test_what_a_request_said_beside_its_words_is_restated(scene: Scene) -> None:
    scene.model.then(says("Hello."))
    request = replace(
        asked("s", "hi"),
        payload={"channel": "web"},
        end_user_metadata={"tier": "gold"},
        current_playbook=START,
        client_execution=True,
        settings=LlmSettings(model="played", temperature=0.5, output_token_limit="SHORT"),
    )
    await scene.run(request)
    [interaction] = (await scene.get("s"))["interactions"]
    assert interaction["request"]["queryParams"] == {
        "payload": {"channel": "web"},
        "endUserMetadata": {"tier": "gold"},
        "currentPlaybook": START,
        "playbookStateOverride": {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"},
        "llmModelSettings": {
            "model": "played",
            "parameters": {"temperature": 0.5, "outputTokenLimit": "OUTPUT_TOKEN_LIMIT_SHORT"},
        },
    }
