"""ToolService on real tools: OpenAPI over a socket, Python in the sandbox, client functions."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.resources.names import APP_TOOLS, APP_TOOLSETS, APPS, NamePattern
from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from openplaybook.services.ces.tool_service import ToolService
from openplaybook.storage.base import Put, Store
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import AppServer, app_path, refusal_of
from tests.kit.agents import PlayedModel
from tests.kit.apps import APP, declares
from tests.kit.calling import NOWHERE
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.threads_seen import LOOP, threads_of

WEATHER = app_path("tools/weather")
TALLY = app_path("tools/tally")
OWNER = app_path("tools/owner")
PET = app_path("tools/pet")
SIGNED = app_path("tools/signed")
PETS = app_path("toolsets/pets")
ONE = app_path("toolsets/one")

TALLY_CODE = '''
def tally(step: int = 1) -> dict:
    """Counts."""
    context.state["total"] = context.state["total"] + step
    return {"total": context.state["total"], "agent": context.agent_name, "call": context.function_call_id}
'''
OWNER_CODE = '''
def owner(pet: int) -> dict:
    """Says whose a pet is."""
    found = tools.pets_getPet({"petId": pet}).json()
    return {"line": found["name"] + " is " + found["owner"] + "'s"}
'''

SCHEMA: JsonObject = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}


def pets_api(url: str) -> str:
    """The description of a service with two operations."""
    pet: JsonObject = {
        "get": {
            "operationId": "getPet",
            "summary": "One pet",
            "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": PET_SCHEMA}}}},
        }
    }
    all_pets: JsonObject = {"get": {"operationId": "listPets", "summary": "All", "responses": {}}}
    document: JsonObject = {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": url}],
        "paths": {"/pets/{petId}": pet, "/pets": all_pets},
    }
    return dumps(document).decode()


BY_VARIABLE: JsonObject = {"bearerTokenConfig": {"token": "$context.variables.key"}}
PET_SCHEMA: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}, "owner": {"type": "string"}}}


def pets(request: Received) -> bytes:
    """The service."""
    if request.target == "/pets/3":
        return answer(b'{"name": "Luna", "owner": "Aisha"}')
    return answer(b'[{"name": "Luna"}]') if request.target == "/pets" else answer(b'{"why": "gone"}', "404 Not Found")


@pytest.fixture
async def peer() -> AsyncIterator[HttpPeer]:
    async with http_peer(pets) as running:
        yield running


@pytest.fixture
async def server(store: Store, peer: HttpPeer) -> AsyncIterator[AppServer]:
    """Serves an app with a tool of each kind that runs."""
    api = pets_api(peer.url)
    tools: Mapping[str, JsonObject] = {
        WEATHER: {"clientFunction": {"name": "weather", "description": "Tells.", "parameters": SCHEMA}},
        TALLY: {"pythonFunction": {"pythonCode": TALLY_CODE}},
        OWNER: {"pythonFunction": {"pythonCode": OWNER_CODE}},
        PET: {"openApiTool": {"openApiSchema": api, "name": "getPet"}},
        SIGNED: {"openApiTool": {"openApiSchema": api, "name": "listPets", "apiAuthentication": BY_VARIABLE}},
        app_path("tools/expert"): {"agentTool": {"name": "expert", "agent": app_path("agents/expert")}},
        app_path("tools/broken"): {"openApiTool": {"openApiSchema": "no description"}},
    }
    one = dumps({**loads(api), "paths": {"/pets": loads(api)["paths"]["/pets"]}}).decode()
    toolsets: Mapping[str, JsonObject] = {
        PETS: {"displayName": "pets", "openApiToolset": {"openApiSchema": api}},
        ONE: {"displayName": "one", "openApiToolset": {"openApiSchema": one}},
    }
    app: JsonObject = {"displayName": "Zoo", "variableDeclarations": declares(total=1, name=None)}
    await store.apply(
        [
            put(APPS, APP, app),
            *(put(APP_TOOLS, name, document) for name, document in tools.items()),
            *(put(APP_TOOLSETS, name, document) for name, document in toolsets.items()),
        ]
    )
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    executor = LocalExecutor(LocalSettings(preload=()))
    sources = replace(NOWHERE, transport=transport)
    yield AppServer(store, Toolbox(transport, sources, executor=executor), PlayedModel())
    await executor.aclose()
    await transport.aclose()


def put(kind: NamePattern, name: str, document: JsonObject) -> Put:
    """The change that stores a resource."""
    return Put(name, kind.kind, name.rsplit("/", 2)[0], APP, dumps({"name": name, **document}))


async def execute(server: AppServer, **request: JsonValue) -> JsonObject:
    """ExecuteTool; a bare name of a tool or a toolset's `(name, id)` names the tool."""
    return await server("ToolService.ExecuteTool", {"parent": APP, **request})


async def test_an_openapi_tool_gives_the_body_and_says_who_answered(server: AppServer, peer: HttpPeer) -> None:
    assert await execute(server, tool=PET, args={"petId": 3}) == {
        "tool": PET,
        "response": {"name": "Luna", "owner": "Aisha"},
        "variables": {"total": 1},
    }
    assert [(one.method, one.target) for one in peer.requests] == [("GET", "/pets/3")]


async def test_a_tool_of_a_toolset_is_named_by_both(server: AppServer) -> None:
    chosen = {"toolset": PETS, "toolId": "getPet"}
    told = await execute(server, toolsetTool=chosen, args={"petId": 3})
    assert (told["toolsetTool"], told["response"]) == (chosen, {"name": "Luna", "owner": "Aisha"})
    alone = await execute(server, toolsetTool={"toolset": ONE})
    assert (alone["toolsetTool"], alone["response"]) == (
        {"toolset": ONE, "toolId": "listPets"},
        {"output": [{"name": "Luna"}]},
    )


async def test_what_fails_is_an_answer_with_an_error(server: AppServer) -> None:
    told = await execute(server, tool=PET, args={"petId": 4})
    assert (told["response"]["error"].split(":")[0], told["response"]["output"]) == ("HTTP_ERROR", {"why": "gone"})
    wrong = await execute(server, tool=PET, args={"petId": "three"})
    assert wrong["response"]["error"].startswith("INVALID_ARGUMENTS: ")


async def test_variables_go_in_and_come_out_changed(server: AppServer) -> None:
    told = await execute(server, tool=TALLY, args={"step": 2}, variables={"total": 5, "name": "Ann"})
    assert (told["response"]["total"], told["variables"]) == (7, {"total": 7, "name": "Ann"})
    by_default = await execute(server, tool=TALLY)
    assert by_default["variables"] == {"total": 2}


@pytest.mark.proves("A4")
async def test_a_variable_that_is_a_credential_goes_to_the_service_and_comes_not_back(
    server: AppServer, peer: HttpPeer
) -> None:
    told = await execute(server, tool=SIGNED, variables={"key": "planted", "name": "Ann"})
    assert ("Authorization", "Bearer planted") in peer.requests[0].headers
    assert (told["response"], told["variables"]) == ({"output": [{"name": "Luna"}]}, {"total": 1, "name": "Ann"})


async def test_a_context_is_what_code_sees(server: AppServer) -> None:
    context = {"state": {"total": 10}, "agent_name": "desk", "function_call_id": "c7"}
    told = await execute(server, tool=TALLY, context=context)
    assert told["response"] == {"total": 11, "agent": "desk", "call": "c7"}
    assert told["variables"] == {"total": 11}


async def test_code_calls_the_apps_other_tools(server: AppServer, peer: HttpPeer) -> None:
    told = await execute(server, tool=OWNER, args={"pet": 3})
    assert told["response"] == {"line": "Luna is Aisha's"}
    assert len(peer.requests) == 1


async def test_a_draft_is_taken_in_place_of_what_is_stored(server: AppServer, peer: HttpPeer) -> None:
    code = "def tally(step: int) -> dict:\n    return {'twice': 2 * step}\n"
    draft: JsonObject = {"pythonFunction": {"pythonCode": code}}
    told = await execute(server, tool=TALLY, draft=draft, args={"step": 4})
    assert (told["tool"], told["response"]) == (TALLY, {"twice": 8})
    new = await execute(server, draft=draft, args={"step": 5})
    assert new["response"] == {"twice": 10}
    assert (await execute(server, tool=TALLY))["response"]["total"] == 2
    toolset: JsonObject = {"displayName": "new", "openApiToolset": {"openApiSchema": pets_api(peer.url)}}
    found = await execute(server, draft=toolset, toolsetTool={"toolId": "getPet"}, args={"petId": 3})
    assert found["response"] == {"name": "Luna", "owner": "Aisha"}


async def test_a_credential_that_only_a_draft_reads_comes_not_back(server: AppServer, peer: HttpPeer) -> None:
    other = {"bearerTokenConfig": {"token": "$context.variables.other"}}
    description = {"openApiSchema": pets_api(peer.url), "name": "listPets", "apiAuthentication": other}
    told = await execute(server, draft={"openApiTool": description}, variables={"other": "planted"})
    assert ("Authorization", "Bearer planted") in peer.requests[0].headers
    assert told["variables"] == {"total": 1}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"draft": {"pythonFunction": {"pythonCode": "def"}}}, "python"),
        ({"draft": {"noField": 1}}, "noField"),
        ({"draft": {"displayName": "x"}, "tool": app_path("tools/none")}, "does not exist"),
    ],
)
async def test_a_draft_that_is_none_is_refused(server: AppServer, request_: JsonObject, told: str) -> None:
    _, message = await refusal_of(execute(server, **request_))
    assert told in message


MOCK = {"toolset": {"toolset": PETS, "toolId": "getPet"}, "mockResponse": {"name": "Rex", "owner": "Bo"}}


async def test_what_code_calls_can_be_mocked(server: AppServer, peer: HttpPeer) -> None:
    mocks = [{**MOCK, "expectedArgsPattern": {"petId": 9}}]
    config = {"mockedToolCalls": mocks, "unmatchedToolCallBehavior": "FAIL"}
    told = await execute(server, tool=OWNER, args={"pet": 9}, mockConfig=config)
    assert told["response"] == {"line": "Rex is Bo's"}
    unmatched = await execute(server, tool=OWNER, args={"pet": 3}, mockConfig=config)
    assert "error" in unmatched["response"]
    assert peer.requests == []
    passing = {**config, "unmatchedToolCallBehavior": "PASS_THROUGH"}
    assert (await execute(server, tool=OWNER, args={"pet": 3}, mockConfig=passing))["response"] == {
        "line": "Luna is Aisha's"
    }


@pytest.mark.parametrize(
    "mocked", [{"temperature": 3}, {"error": "No station."}, {"output": {"temperature": 3}}], ids=lambda each: min(each)
)
async def test_a_mock_answers_for_the_tool_itself_as_it_is_written(server: AppServer, mocked: JsonObject) -> None:
    mock = {"toolId": WEATHER, "expectedArgsPattern": {"city": "Oslo"}, "mockResponse": mocked}
    config: JsonObject = {"mockedToolCalls": [mock], "unmatchedToolCallBehavior": "FAIL"}
    told = await execute(server, tool=WEATHER, args={"city": "Oslo"}, mockConfig=config)
    assert told["response"] == mocked.get("output", mocked)
    refused = await refusal_of(execute(server, tool=WEATHER, args={"city": "Rome"}, mockConfig=config))
    assert refused[0] is Code.FAILED_PRECONDITION


@pytest.mark.proves("S1")
async def test_a_client_functions_schema_is_given_in_openapi_form(server: AppServer) -> None:
    told = await server("ToolService.RetrieveToolSchema", {"parent": APP, "tool": WEATHER})
    assert told == {"tool": WEATHER, "inputSchema": SCHEMA, "outputSchema": {"type": "OBJECT"}}


async def test_the_schema_of_an_operation_is_what_a_caller_gives_and_gets(server: AppServer) -> None:
    chosen = {"toolset": PETS, "toolId": "getPet"}
    told = await server("ToolService.RetrieveToolSchema", {"parent": APP, "toolsetTool": chosen}, version="v1")
    assert (told["toolsetTool"], told["inputSchema"]["properties"]["petId"]["type"]) == (chosen, "INTEGER")
    assert told["outputSchema"]["type"] == "OBJECT"


async def test_a_toolset_gives_one_tool_for_each_operation(server: AppServer) -> None:
    found = (await server("ToolService.RetrieveTools", {"toolset": PETS}))["tools"]
    assert found == [
        {
            "name": f"{PETS}/tools/getPet",
            "displayName": "pets_getPet",
            "openApiTool": {"name": "getPet", "description": "One pet"},
        },
        {
            "name": f"{PETS}/tools/listPets",
            "displayName": "pets_listPets",
            "openApiTool": {"name": "listPets", "description": "All"},
        },
    ]
    [chosen] = (await server("ToolService.RetrieveTools", {"toolset": PETS, "toolIds": ["listPets"]}))["tools"]
    assert chosen == found[1]
    refused = await refusal_of(server("ToolService.RetrieveTools", {"toolset": PETS, "toolIds": ["no"]}))
    assert refused == (Code.INVALID_ARGUMENT, f"tool_ids[0]: 'no' is not a tool of {PETS}")


async def test_what_only_an_mcp_server_knows_is_refused_and_what_is_pinned_told(server: AppServer) -> None:
    name, toolset = app_path("toolsets/mcp"), {"serverAddress": "https://mcp.example.com/"}
    pinned = {"tool": "find", "snapshot": {"name": "find", "description": "Finds."}}
    await server.store.apply([put(APP_TOOLSETS, name, {"displayName": "mcp", "mcpToolset": toolset})])
    code, sentence = await refusal_of(server("ToolService.RetrieveTools", {"toolset": name}))
    assert (code, sentence.partition(",")[0]) == (Code.UNIMPLEMENTED, f"{name} is offered by an MCP server")
    toolset = {**toolset, "toolOverrides": [pinned]}
    await server.store.apply([put(APP_TOOLSETS, name, {"displayName": "mcp", "mcpToolset": toolset})])
    [known] = (await server("ToolService.RetrieveTools", {"toolset": name}))["tools"]
    assert known["name"] == f"{name}/tools/find"


@pytest.mark.parametrize(
    ("request_", "code", "sentence"),
    [
        ({}, Code.INVALID_ARGUMENT, "tool: is required, or toolset_tool"),
        ({"parent": app_path("x"), "tool": PET}, Code.INVALID_ARGUMENT, ""),
        ({"parent": f"{APP}2", "tool": PET}, Code.NOT_FOUND, f"App {APP}2 does not exist"),
        ({"tool": app_path("tools/no")}, Code.NOT_FOUND, f"Tool {app_path('tools/no')} does not exist"),
        ({"tool": f"{APP}2/tools/t"}, Code.INVALID_ARGUMENT, f"tool: {APP}2/tools/t does not belong to {APP}"),
        ({"tool": WEATHER}, Code.FAILED_PRECONDITION, "weather is a function tool: only clients run it"),
        ({"tool": app_path("tools/broken")}, Code.FAILED_PRECONDITION, ""),
        ({"tool": app_path("tools/expert")}, Code.FAILED_PRECONDITION, "expert runs only in conversations"),
        ({"tool": app_path("tools/end_session")}, Code.FAILED_PRECONDITION, "end_session runs only in conversations"),
        ({"toolsetTool": {"toolset": PETS}}, Code.INVALID_ARGUMENT, "toolset_tool.tool_id: is required"),
        (
            {"toolsetTool": {"toolset": PETS, "toolId": "getPets"}},
            Code.INVALID_ARGUMENT,
            "toolset_tool.tool_id: 'getPets' is not an action of the tool; did you mean getPet",
        ),
        ({"toolsetTool": {"toolset": app_path("toolsets/no")}}, Code.NOT_FOUND, "Toolset "),
        ({"tool": PET, "mockConfig": {}}, Code.INVALID_ARGUMENT, "mock_config: "),
    ],
)
async def test_what_cannot_be_taken_on_its_own_is_refused(
    server: AppServer, request_: JsonObject, code: Code, sentence: str
) -> None:
    found, told = await refusal_of(execute(server, **request_))
    assert (found, told[: len(sentence)]) == (code, sentence)


async def test_a_large_answer_of_a_tool_is_written_beside_the_event_loop(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = threads_of(monkeypatch, ToolService, "_response")
    assert (await execute(server, tool=TALLY, args={"step": 2}))["response"]["total"] == 3
    text = "x" * 300_000
    told = await execute(server, tool=TALLY, args={"step": 2}, variables={"total": 1, "name": text})
    assert told["variables"] == {"total": 3, "name": text}
    mock = {**MOCK, "expectedArgsPattern": {}, "mockResponse": {"names": ["a"] * 80_000}}
    config = {"mockedToolCalls": [mock], "unmatchedToolCallBehavior": "FAIL"}
    chosen = {"toolset": PETS, "toolId": "getPet"}
    mocked = await execute(server, toolsetTool=chosen, args={"petId": 3}, mockConfig=config)
    assert len(mocked["response"]["names"]) == 80_000
    assert written == [LOOP, "openplaybook-files", "openplaybook-files"]


async def test_many_tools_of_a_toolset_are_written_beside_the_event_loop_as_far_as_they_fit(
    server: AppServer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = {"summary": "x" * 100, "responses": {}}
    paths = {f"/p{at}": {"get": {**operation, "operationId": f"op{at}"}} for at in range(2_000)}
    document = dumps({"openapi": "3.0.3", "info": {"title": "P", "version": "1"}, "paths": paths}).decode()

    async def keep(path: str) -> None:
        toolset = {"openApiSchema": document, "url": f"http://127.0.0.1:9/{path}"}
        await store.apply([put(APP_TOOLSETS, PETS, {"displayName": "pets", "openApiToolset": toolset})])

    written = threads_of(monkeypatch, ToolService, "_retrieved")
    await keep("x" * 300)
    found = await server("ToolService.RetrieveTools", {"toolset": PETS})
    assert [tool["name"] for tool in found["tools"]] == [f"{PETS}/tools/op{at}" for at in range(2_000)]
    assert written == ["openplaybook-files"]
    # Each tool has the address.
    await keep("x" * 40_000)
    assert await refusal_of(server("ToolService.RetrieveTools", {"toolset": PETS})) == (
        Code.FAILED_PRECONDITION,
        "2000 tools with what they have from their toolset are too many for one response; name fewer of them in "
        "tool_ids",
    )
    few = await server("ToolService.RetrieveTools", {"toolset": PETS, "toolIds": ["op7"]})
    assert [tool["displayName"] for tool in few["tools"]] == ["pets_op7"]
    await keep("x" * 300)
    await server("ToolService.RetrieveTools", {"toolset": PETS, "toolIds": ["op7"]})
    assert written == ["openplaybook-files", "openplaybook-messages", LOOP]
