"""Data store and file search tools of apps, in sessions and by themselves."""

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.base import UserText
from openplaybook.models.offline import OfflineModel
from openplaybook.resources.names import APP_TOOLS
from openplaybook.storage.base import Put, Store
from openplaybook.tools.toolbox import Toolbox
from tests.integration.services.ces.app_server import AppServer, app_path
from tests.kit.agents import Part, PlayedModel, calls, says
from tests.kit.apps import APP, AppDraft
from tests.kit.data_stores import DOCS, STORES, Shelves, document
from tests.kit.openapi import Remembering

TEXT = "Returns are free for 30 days after delivery."
SNIPPET = {"title": "Returns", "text": TEXT, "uri": "https://e.example/r"}
SEARCH, FILES = app_path("tools/search"), app_path("tools/files")
QUESTION = "How long are returns free?"


def search_tool(**more: object) -> JsonObject:
    source: JsonObject = {
        "engine": "projects/p/locations/global/collections/default_collection/engines/e",
        "dataStoreSources": [{"dataStore": {"name": DOCS}}, {"dataStore": {"name": f"{STORES}/faq"}}],
    }
    return {"name": "search", "description": "Knows all of returns.", "engineSource": source, **more}


async def serve(store: Store, *part: Part, model: OfflineModel | None = None, **more: object) -> AppServer:
    """An app whose agent has both tools, and one document that both find."""
    stores, draft = Shelves(), AppDraft()
    stores.store(document("r", TEXT, "Returns", "https://e.example/r", country="CA"))
    stores.store(name=f"{STORES}/faq", is_faq=True)
    draft.agent("root", "Answer questions about returns.", tools=[SEARCH, FILES])
    await draft.put(store)
    tools: dict[str, JsonObject] = {
        SEARCH: {"dataStoreTool": search_tool(**more)},
        FILES: {"fileSearchTool": {"name": "files", "fileCorpus": "projects/p/locations/global/ragCorpora/docs"}},
    }
    await store.apply(
        [Put(name, APP_TOOLS.kind, APP, APP, dumps({"name": name, **tool})) for name, tool in tools.items()]
    )
    return AppServer(store, Toolbox(Remembering(), search=stores.search), model or PlayedModel(*part))


@pytest.mark.parametrize("tool", [SEARCH, FILES])
async def test_a_tool_by_itself_answers_and_gives_its_snippets(store: Store, tool: str) -> None:
    server = await serve(store, says(TEXT))
    told = await server("ToolService.ExecuteTool", {"parent": APP, "tool": tool, "args": {"query": QUESTION}})
    assert told["response"] == {"answer": TEXT, "snippets": [SNIPPET]}
    assert len(server.model.asked) == 1


async def test_the_schema_of_a_tool_is_told(store: Store) -> None:
    server = await serve(store, filterParameterBehavior="ALWAYS_INCLUDE")
    told = await server("ToolService.RetrieveToolSchema", {"parent": APP, "tool": SEARCH})
    assert set(told["inputSchema"]["properties"]) == {"query", "filter"}
    assert set(told["outputSchema"]["properties"]) == {"answer", "snippets"}


async def test_an_agent_answers_from_what_its_tool_found(store: Store) -> None:
    server = await serve(store, calls(("search", {"query": QUESTION})), says(TEXT), says("You have 30 days."))
    assert [output["text"] for output in await server.say("How long?")] == ["You have 30 days."]
    [prompt] = server.model.asked[1].conversation
    assert isinstance(prompt, UserText)
    assert f"[1] Returns\n{TEXT}" in prompt.text


async def test_below_its_level_of_grounding_a_tool_gives_snippets_only(store: Store) -> None:
    grounding: JsonObject = {"modalityType": "TEXT", "groundingConfig": {"groundingLevel": 5}}
    server = await serve(store, says("Returns cost 90 euros in Rome."), modalityConfigs=[grounding])
    told = await server("ToolService.ExecuteTool", {"parent": APP, "tool": SEARCH, "args": {"query": QUESTION}})
    assert told["response"] == {"answer": "", "snippets": [SNIPPET]}


async def test_without_a_model_an_app_answers_too(store: Store) -> None:
    server = await serve(store, model=OfflineModel())
    assert [output["text"] for output in await server.say(QUESTION)] == [TEXT]


async def test_a_mock_answers_in_place_of_the_stores(store: Store) -> None:
    server = await serve(store)
    mocked: JsonObject = {"answer": "Ask the desk.", "snippets": []}
    mock: JsonObject = {"toolId": SEARCH, "expectedArgsPattern": {"query": QUESTION}, "mockResponse": mocked}
    config: JsonObject = {"mockedToolCalls": [mock], "unmatchedToolCallBehavior": "FAIL"}
    request: JsonObject = {"parent": APP, "tool": SEARCH, "args": {"query": QUESTION}, "mockConfig": config}
    assert (await server("ToolService.ExecuteTool", request))["response"] == mocked
    assert server.model.asked == []
