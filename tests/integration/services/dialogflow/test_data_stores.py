"""Data store tools in conversations: answers, signals, rich content, search configuration, banned phrases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionCall, FunctionResult, Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.retrieval.base import StoreSearch
from openplaybook.retrieval.catalog.sqlite.catalog import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.services.registrations import register_detect_intent
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.registry import Registry
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, PlayedModel, calls, says
from tests.kit.data_stores import DOCS, Shelves, connection, document
from tests.kit.made_tables import with_tables
from tests.kit.openapi import Remembering
from tests.kit.sealing import SEALER

API = load_api()
CX = "google.cloud.dialogflow.cx."
TEXT = "Returns are free for 30 days after delivery."
ASKED = calls(("docs", {"requestBody": {"query": "How long are returns free?"}}))
SPOKEN = says("You have 30 days.")
CONFIG: JsonObject = {"filterSpecs": [{"dataStores": [DOCS], "filter": 'country: ANY("CA")'}]}
TOOL = f"{AGENT}/tools/docs"
INSTRUCTION = "Use ${TOOL: docs} to answer questions about returns. Without an answer, offer to call back."


class Server:
    """Sessions of an agent that has one data store."""

    def __init__(self, store: SqliteStore, model: Model, search: StoreSearch | None = None) -> None:
        """`search`: another engine, with documents of its own."""
        self.store, self.stores, self.draft = store, Shelves(), AgentDraft()
        self.stores.store(document("r", TEXT, "Returns", "https://e.example/r", country="CA"))
        self.draft.playbook("Start", INSTRUCTION, start=True)
        toolbox = Toolbox(Remembering(), search=search or self.stores.search)
        engine = TurnEngine(
            store=store,
            toolbox=toolbox,
            models=ModelDirectory(model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )
        self.registry = Registry(API)
        register_detect_intent(self.registry, API, store, engine, TurnStreams(engine))
        self.execution = ToolExecution(API, store, toolbox)

    async def put(self, **spec: JsonValue) -> "Server":
        """Store the agent with its tool."""
        document: JsonObject = {"dataStoreSpec": {"dataStoreConnections": [connection()], **spec}}
        self.draft.document("tool", TOOL, {"displayName": "docs", "description": "Knows all of returns.", **document})
        await self.draft.put(self.store)
        return self

    async def say(
        self, words: str = "How long?", *, version: str = "v3beta1", key: str = "", **params: object
    ) -> JsonObject:
        """The query result of a detectIntent."""
        method = API.methods[f"{CX}{version}.Sessions.DetectIntent"]
        query = {"text": {"text": words}, "languageCode": "en"}
        body = {"session": SESSION, "queryInput": query, "queryParams": params}
        message = API.codec.from_json(body, API.message(method.input.full_name)())
        headers = {"idempotency-key": key} if key else {}
        context = RpcContext(method.full_name, version, "rest", headers, None, None)
        answer = API.codec.to_json(await self.registry.call(method, message, context))
        context.delivered()
        return answer["queryResult"]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


def words_of(result: JsonObject) -> list[str]:
    return [each["text"]["text"][0] for each in result["responseMessages"] if "text" in each]


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
async def test_signals_tell_how_the_answer_came_about_where_they_are_asked_for(
    store: SqliteStore, version: str
) -> None:
    model = PlayedModel(ASKED, says(TEXT), SPOKEN, ASKED, says(TEXT), SPOKEN)
    server = await Server(store, model).put()
    result = await server.say(version=version, populateDataStoreConnectionSignals=True)
    signals = result["dataStoreConnectionSignals"]
    snippet = {"documentTitle": "Returns", "documentUri": "https://e.example/r", "text": TEXT}
    found = {**snippet, "metadata": {"country": "CA"}}
    prompt = signals["answerGenerationModelCallSignals"].pop("renderedPrompt")
    assert "[1] Returns" in prompt
    assert signals == {
        "rewrittenQuery": "How long are returns free?",
        "searchSnippets": [found],
        "answerGenerationModelCallSignals": {"modelOutput": TEXT, "model": "played"},
        "answer": TEXT,
        "answerParts": [{"text": TEXT, "supportingIndices": [0]}],
        "citedSnippets": [{"searchSnippet": found}],
        "groundingSignals": {"decision": "ACCEPTED_BY_GROUNDING", "score": "VERY_HIGH"},
        "safetySignals": {
            "decision": "ACCEPTED_BY_SAFETY_CHECK",
            "bannedPhraseMatch": "BANNED_PHRASE_MATCH_NONE",
        },
    }
    assert "dataStoreConnectionSignals" not in await server.say("And how long now?", version=version)


async def test_a_repeated_request_gets_the_same_signals_and_snippets(store: SqliteStore) -> None:
    model = PlayedModel(ASKED, says(TEXT), SPOKEN)
    server = await Server(store, model).put(payloadSettings={"enableSnippetsPayload": True})
    once = await server.say(key="k", populateDataStoreConnectionSignals=True)
    again = await server.say(key="k", populateDataStoreConnectionSignals=True)
    assert once["dataStoreConnectionSignals"] == again["dataStoreConnectionSignals"]
    assert once["responseMessages"] == again["responseMessages"]
    assert len(server.stores.engine.asked) == 1


@pytest.mark.proves("D12")
async def test_snippets_follow_the_words_as_rich_content(store: SqliteStore) -> None:
    server = await Server(store, PlayedModel(ASKED, says(TEXT), SPOKEN)).put(
        payloadSettings={"enableSnippetsPayload": True, "maxSnippetsCount": "2"}
    )
    said, shown = (await server.say())["responseMessages"]
    assert said["text"] == {"text": ["You have 30 days."]}
    info = {"type": "info", "title": "Returns", "subtitle": TEXT, "metadata": {}, "actionLink": "https://e.example/r"}
    assert shown == {"source": "VIRTUAL_AGENT", "payload": {"richContent": [[info]]}}


class TestSearchConfig:
    async def test_it_holds_for_its_request_and_is_told_of(self, store: SqliteStore) -> None:
        model = PlayedModel(ASKED, says(TEXT), SPOKEN, ASKED, says(TEXT), SPOKEN)
        server = await Server(store, model).put()
        told = (await server.say(searchConfig=CONFIG))["diagnosticInfo"]
        assert told["search_signals"] == CONFIG
        assert "Not Honoured" not in told
        assert "search_signals" not in (await server.say("And again?"))["diagnosticInfo"]
        assert [request.filter is None for _, request in server.stores.engine.asked] == [False, True]

    async def test_one_that_cannot_be_read_is_an_error_that_diagnoses_tell(self, store: SqliteStore) -> None:
        server = await Server(store, PlayedModel(ASKED, says("I cannot look that up."))).put()
        result = await server.say(searchConfig={"filterSpecs": [{"filter": "country ="}]})
        [fault] = result["diagnosticInfo"]["SystemFunctionResults"]
        assert (fault["Tool"], fault["Error"]["code"]) == ("docs", "INVALID_SEARCH_CONFIG")
        assert "searchConfig.filterSpecs[0].filter" in fault["Error"]["message"]


@pytest.mark.proves("D13")
async def test_banned_phrases_of_the_agent_hold_for_the_tools_answer(store: SqliteStore) -> None:
    model = PlayedModel(ASKED, says(TEXT), says("I do not know."))
    server = await Server(store, model).put()
    safety = {"bannedPhrases": [{"text": "30 DAYS", "languageCode": "en"}]}
    settings: JsonObject = {"languageCode": "en", "generativeSafetySettings": safety}
    server.draft.document("generative_settings", f"{AGENT}/generativeSettings/en", settings)
    await server.draft.put(store)
    result = await server.say(populateDataStoreConnectionSignals=True)
    assert words_of(result) == ["I do not know."]
    assert result["dataStoreConnectionSignals"]["safetySignals"] == {
        "decision": "REJECTED_BY_SAFETY_CHECK",
        "bannedPhraseMatch": "BANNED_PHRASE_MATCH_RESPONSE",
        "matchedBannedPhrase": "30 DAYS",
    }


@pytest.mark.proves("D4")
async def test_what_is_known_of_the_user_reaches_the_summary(store: SqliteStore) -> None:
    model = PlayedModel(ASKED, says(TEXT), SPOKEN)
    server = await Server(store, model).put()
    await server.say(endUserMetadata={"plan": "gold"})
    assert '{"plan": "gold"}' in str(model.asked[1].conversation)


@pytest.mark.proves("D14")
async def test_the_client_runs_it_on_request(store: SqliteStore) -> None:
    server = await Server(store, PlayedModel(ASKED)).put()
    override = {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}
    [message] = (await server.say(playbookStateOverride=override))["responseMessages"]
    assert message["toolCall"]["inputParameters"] == {"requestBody": {"query": "How long are returns free?"}}
    assert server.stores.engine.asked == []


async def test_without_a_model_the_answer_is_found_and_given_back(store: SqliteStore) -> None:
    server = await Server(store, OfflineModel()).put()
    result = await server.say("How long are returns free?", populateDataStoreConnectionSignals=True)
    assert any("30 days" in words for words in words_of(result)), result
    assert result["dataStoreConnectionSignals"]["groundingSignals"]["score"] == "VERY_HIGH"


@pytest.mark.proves("D7")
async def test_examples_in_googles_spelling_steer_the_model(store: SqliteStore) -> None:
    model = PlayedModel(ASKED, says(TEXT), SPOKEN)
    server = await Server(store, model).put()
    used = {
        "tool": TOOL,
        "action": "docs",
        "inputParameters": [{"name": "docs input", "value": {"query": "returns of shoes"}}],
        "outputParameters": [{"name": "docs output", "value": {"answer": "30 days.", "snippets": []}}],
    }
    actions = [
        {"userUtterance": {"text": "Can I send shoes back?"}},
        {"toolUse": used},
        {"agentUtterance": {"text": "Yes, for 30 days."}},
    ]
    server.draft.document("example", f"{START}/examples/e", {"displayName": "Shoes", "actions": actions})
    await server.draft.put(store)
    await server.say()
    [example] = model.asked[0].examples
    _, call, result, _ = example.entries
    assert isinstance(call, FunctionCall)
    assert isinstance(result, FunctionResult)
    assert call.arguments == {"requestBody": {"query": "returns of shoes"}}
    assert result.output == {"200": {"answer": "30 days.", "snippets": []}}


@pytest.mark.proves("D16")
async def test_the_instructions_say_how_to_go_on_with_an_answer_and_without_one(store: SqliteStore) -> None:
    asked = calls(("docs", {"requestBody": {"query": "zebra", "fallback": "UNKNOWN"}}))
    model = PlayedModel(asked, says("Shall we call you back?"))
    server = await Server(store, model).put()
    assert words_of(await server.say("Do you sell zebras?")) == ["Shall we call you back?"]
    last = model.asked[-1]
    result = last.conversation[-1]
    assert isinstance(result, FunctionResult)
    assert result.output == {"200": {"answer": "UNKNOWN", "snippets": []}}
    assert "Without an answer, offer to call back." in last.instructions[0].text


async def test_a_conversation_searches_the_embedded_engine_and_completes_a_follow_up(
    store: SqliteStore, tmp_path: Path
) -> None:
    catalog = SqliteCatalog(tmp_path / "stores.db")
    await catalog.open()
    engine = EmbeddedEngine(catalog, tmp_path / "indexes")
    directory = Shelves()
    directory.store()
    care = {
        "hamster": "A hamster is fed once a day, in the evening.",
        "rabbit": "Rabbits need fresh hay at all times. A rabbit is fed twice a day.",
        "parrot": "Parrots live for up to 60 years.",
    }
    await engine.put(DOCS, [document(id, text, id.title(), f"https://e.example/{id}") for id, text in care.items()])
    server = await Server(store, OfflineModel(), StoreSearch(engine, directory.directory)).put()
    try:
        first = await server.say("What hay does a rabbit need?", populateDataStoreConnectionSignals=True)
        second = await server.say("How often is it fed?", populateDataStoreConnectionSignals=True)
    finally:
        await engine.close()
        await catalog.close()
    assert "Rabbits need fresh hay at all times." in words_of(first)[0]
    signals = first["dataStoreConnectionSignals"]
    assert signals["citedSnippets"][0]["searchSnippet"]["documentUri"] == "https://e.example/rabbit"
    assert signals["groundingSignals"] == {"decision": "ACCEPTED_BY_GROUNDING", "score": "VERY_HIGH"}
    assert "rabbit" in second["dataStoreConnectionSignals"]["rewrittenQuery"]
    assert "A rabbit is fed twice a day." in words_of(second)[0]


async def test_it_is_executed_by_itself(store: SqliteStore) -> None:
    server = await Server(store, PlayedModel()).put()
    request = API.message("openplaybook.v1.ExecuteToolRequest")()
    body = {"tool": TOOL, "action": "docs", "inputParameters": {"docs input": {"query": "How long are returns free?"}}}
    API.codec.from_json(body, request)
    context = RpcContext("openplaybook.v1.OpenPlaybook.ExecuteTool", "v1", "rest", {}, None, None)
    answer = API.codec.to_json(await server.execution.execute(request, context))
    assert answer["outputParameters"]["200"]["answer"] == TEXT
