"""Data store and file search tools as a toolbox builds and checks them, and what they become in an app."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.packages.conversion.tool_converter import convert_tools
from openplaybook.packages.report import Notes
from openplaybook.sandbox.base import CodeFile
from openplaybook.tools.base import Action, Call, ExecutionPlace, Failure, InvalidTool, Success, Tool, ToolContext
from openplaybook.tools.data_store.tool_output import ANSWER, OUTPUT
from openplaybook.tools.toolbox import Toolbox
from tests.kit.code import PlayedExecutor, ran
from tests.kit.data_stores import DOCS, STORES, Shelves, connection, document
from tests.kit.openapi import TOOL, Remembering

NAME = "projects/p/locations/l/apps/a/tools/t"
COLLECTION = "projects/p/locations/global/collections/default_collection"
ENGINE = f"{COLLECTION}/engines/e"
STORE_FORM = "must have the form projects/P/locations/L/collections/C/dataStores/D"
QUERY: JsonObject = {"type": "string", "description": "What to look for, as one self-contained question."}
NARROWING: JsonObject = {"filter": {"type": "string", "description": "Narrows the search."}}


def app_tool(kind: str, **spec: JsonValue) -> JsonObject:
    return {"name": NAME, "displayName": "look up", "description": "d", kind: spec}


def store(**more: JsonValue) -> JsonObject:
    return {"dataStore": {"name": DOCS, **more}}


def built(document: JsonObject, stores: Shelves | None = None) -> Tool:
    return Toolbox(Remembering(), search=(stores or Shelves()).search).build(document)


def input_of(**more: JsonValue) -> JsonObject:
    properties: JsonObject = {"query": QUERY, **more}
    return {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}


def test_a_tool_of_dialogflow_has_one_action_with_its_name() -> None:
    resource: JsonObject = {"name": TOOL, "displayName": "Help pages", "description": "Searches the help"}
    tool = built({**resource, "dataStoreSpec": {"dataStoreConnections": [connection()]}})
    [action] = tool.actions()
    assert (action.name, action.action, action.tool, action.tool_display_name) == (
        "Help_pages",
        "Help pages",
        TOOL,
        "Help pages",
    )
    assert (action.description, action.place) == ("Searches the help", ExecutionPlace.SERVER)
    assert (action.is_read_only, action.safe_to_repeat, action.output_schema) == (True, True, OUTPUT)
    assert action.input_schema["required"] == ["requestBody"]
    assert tool.fault() == ""


@pytest.mark.parametrize(
    ("resource", "input_schema"),
    [
        (app_tool("dataStoreTool", name="look", dataStoreSource=store()), input_of()),
        (app_tool("dataStoreTool", name="look", engineSource={"engine": ENGINE}), input_of()),
        (
            app_tool("dataStoreTool", dataStoreSource=store(), filterParameterBehavior="ALWAYS_INCLUDE"),
            input_of(**NARROWING),
        ),
        (app_tool("dataStoreTool", dataStoreSource=store(type="CONNECTOR")), input_of(**NARROWING)),
        (app_tool("fileSearchTool", name="look", fileCorpus="projects/p/locations/l/ragCorpora/r"), input_of()),
    ],
)
def test_a_tool_of_an_app_takes_a_query(resource: JsonObject, input_schema: JsonObject) -> None:
    [action] = built(resource).actions()
    assert action == Action(
        "look_up", "look up", NAME, "look up", "d", input_schema, is_read_only=True, safe_to_repeat=True
    )
    assert action.output_schema == ANSWER
    assert Toolbox(Remembering()).check(resource) == []


@pytest.mark.parametrize(
    ("kind", "spec", "found"),
    [
        ("dataStoreTool", {}, {"$.dataStoreTool": "exactly one of dataStoreSource and engineSource is required"}),
        (
            "dataStoreTool",
            {"dataStoreSource": store(), "engineSource": {"engine": ENGINE}},
            {"$.dataStoreTool": "exactly one of dataStoreSource and engineSource is required"},
        ),
        ("dataStoreTool", {"dataStoreSource": {}}, {"$.dataStoreTool.dataStoreSource.dataStore.name": STORE_FORM}),
        (
            "dataStoreTool",
            {"engineSource": {"engine": "e", "dataStoreSources": [store(), {}]}},
            {
                "$.dataStoreTool.engineSource.engine": "must have the form "
                "projects/P/locations/L/collections/C/engines/E",
                "$.dataStoreTool.engineSource.dataStoreSources[1].dataStore.name": STORE_FORM,
            },
        ),
        (
            "dataStoreTool",
            {
                "dataStoreSource": store(),
                "modalityConfigs": [
                    {"modalityType": "TEXT", "groundingConfig": {"groundingLevel": 3}},
                    {"modalityType": "SMELL", "groundingConfig": {"groundingLevel": 7}},
                ],
            },
            {
                "$.dataStoreTool.modalityConfigs[1].modalityType": "must be one of TEXT, AUDIO",
                "$.dataStoreTool.modalityConfigs[1].groundingConfig.groundingLevel": "must be between 1 and 5, got 7",
            },
        ),
        (
            "dataStoreTool",
            {"dataStoreSource": store(), "boostSpecs": [{"spec": [{"conditionBoostSpecs": [{"boost": 2}]}]}]},
            {
                "$.dataStoreTool.boostSpecs[0].spec[0].conditionBoostSpecs[0].condition": "is required",
                "$.dataStoreTool.boostSpecs[0].spec[0].conditionBoostSpecs[0].boost": "must be between -1 and 1",
            },
        ),
        (
            "fileSearchTool",
            {"fileCorpus": "mine"},
            {"$.fileSearchTool.fileCorpus": "must have the form projects/P/locations/L/ragCorpora/C"},
        ),
    ],
)
def test_a_tool_that_has_not_its_form_is_refused_with_every_place(
    kind: str, spec: JsonObject, found: dict[str, str]
) -> None:
    problems = Toolbox(Remembering()).check(app_tool(kind, **spec))
    assert {problem.path: problem.message for problem in problems} == found
    with pytest.raises(InvalidTool):
        built(app_tool(kind, **spec))


async def test_a_tool_of_an_app_answers_without_a_response_code() -> None:
    stores = Shelves()
    stores.store(document("r", "Returns are free.", "Returns", "https://e.example/r"))
    snippet = {"title": "Returns", "text": "Returns are free.", "uri": "https://e.example/r"}
    for resource in (
        app_tool("dataStoreTool", dataStoreSource=store()),
        app_tool("fileSearchTool", fileCorpus="projects/p/locations/global/ragCorpora/docs"),
    ):
        tool = built(resource, stores)
        outcome = await tool.invoke(Call("c", tool.actions()[0], {"query": "Are returns free?"}), ToolContext("s"))
        assert isinstance(outcome, Success)
        assert outcome.output == {"answer": "Returns are free.", "snippets": [snippet]}


async def test_filters_and_boosts_of_an_apps_tool_have_the_values_of_the_session() -> None:
    stores = Shelves()
    stores.store(document("r", "Returns are free.", country="CA"), document("s", "Returns cost money.", country="DE"))
    tool = built(app_tool("dataStoreTool", dataStoreSource=store(filter="x") | {"filter": FILTER}), stores)
    call = Call("c", tool.actions()[0], {"query": "returns"})
    outcome = await tool.invoke(call, ToolContext("s", parameters={"country": "DE"}))
    assert isinstance(outcome, Success)
    assert [each["title"] for each in outcome.output["snippets"]] == ["s"]
    refused = await tool.invoke(call, ToolContext("s"))
    assert isinstance(refused, Failure)
    assert (refused.code, "$session.params.country has no value" in refused.message) == ("INVALID_SEARCH_CONFIG", True)


FILTER = "country: ANY($session.params.country)"


async def test_a_store_that_this_server_does_not_have_is_remarked() -> None:
    stores = Shelves()
    stores.store(name=f"{STORES}/other")
    toolbox = Toolbox(Remembering(), search=stores.search)
    connections = [connection(), connection(f"{STORES}/other", "STRUCTURED")]
    resource = {"name": TOOL, "displayName": "docs", "dataStoreSpec": {"dataStoreConnections": connections}}
    [remark] = await toolbox.unmet(resource)
    assert (remark.path, remark.is_error) == ("$.dataStoreSpec", False)
    assert remark.message == f"there is no data store {DOCS} here: calls ask the others alone until there is"
    assert toolbox.check(resource) == []
    [remark] = await toolbox.unmet({**resource, "dataStoreSpec": {"dataStoreConnections": connections[:1]}})
    assert remark.message == f"there is no data store {DOCS} here: calls fail until there is"


def test_settings_that_an_app_has_too_are_carried_over() -> None:
    spec = {
        "dataStoreConnections": [connection("projects/p/locations/global/dataStores/docs")],
        "models": {
            "rewriterModel": {"model": "Disabled"},
            "summarizationModel": {"model": "gemini_20_flash_001", "promptText": "$original-query $sources"},
        },
        "groundingSettings": {"groundingConfidence": "HIGH", "heuristicsDisabled": True},
        "payloadSettings": {"enableSnippetsPayload": True},
        "fallbackPrompt": {},
    }
    notes = Notes()
    done = convert_tools([{"name": TOOL, "displayName": "docs", "dataStoreSpec": spec}], notes)
    [converted] = done.tools
    assert converted["dataStoreTool"] == {
        "name": "docs",
        "description": "",
        "dataStoreSource": {"dataStore": {"name": DOCS}},
        "modalityConfigs": [
            {
                "modalityType": "TEXT",
                "rewriterConfig": {"disabled": True},
                "summarizationConfig": {
                    "modelSettings": {"model": "gemini-2.0-flash-001"},
                    "prompt": "$original-query $sources",
                },
                "groundingConfig": {"groundingLevel": 4},
            }
        ],
    }
    assert [note.message for note in notes.report().notes] == [
        "settings of the data store tool: payloadSettings, groundingSettings.heuristicsDisabled"
    ]


async def test_a_fake_answers_in_place_of_the_stores() -> None:
    stores = Shelves()
    stores.store(document("r", "Returns are free."))
    answer: JsonObject = {"answer": "Ask the desk.", "snippets": []}
    executor = PlayedExecutor([ran(files=[CodeFile("!result.json", dumps({"result": answer, "state": {}}))])])
    fake = {"codeBlock": {"pythonCode": "def fake_tool_call(tool, input, callback_context): ..."}}
    resource = {**app_tool("dataStoreTool", dataStoreSource=store()), "toolFakeConfig": fake}
    tool = Toolbox(Remembering(), executor=executor, search=stores.search).build(resource)
    call = Call("c", tool.actions()[0], {"query": "Are returns free?"})
    assert await tool.invoke(call, ToolContext("s", use_fakes=True)) == Success(answer)
    assert stores.engine.asked == []
    outcome = await tool.invoke(call, ToolContext("s"))
    assert isinstance(outcome, Success)
    assert outcome.output["answer"] == "Returns are free."
