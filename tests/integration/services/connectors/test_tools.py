"""Tools of a connection, and the audit of what is written."""

import logging

import pytest

from openplaybook.connectors.errors import SystemUnavailable, WriteInDoubt
from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import CONNECTION, CUSTOMERS, Connected

OPERATIONS = ["list", "get", "create", "update", "delete"]


@pytest.fixture(autouse=True)
async def customers(shop: Connected) -> None:
    await shop.create()
    shop.system.rows["1"] = {"id": 1, "name": "Ada"}


async def test_each_operation_and_action_is_a_tool(shop: Connected) -> None:
    listed = await shop.v2("Tools.ListTools", {"parent": CONNECTION})

    assert [each["name"] for each in listed["tools"]] == [
        *(f"{operation}_Customer" for operation in OPERATIONS),
        "list_odd/log",
        "Ping",
        "ExecuteCustomQuery",
    ]
    create = listed["tools"][2]
    assert create["inputSchema"]["required"] == ["name"]
    assert "id" not in create["inputSchema"]["properties"]
    assert create["annotations"] == {"title": "create_Customer", "openWorldHint": True}
    assert listed["tools"][4]["annotations"]["destructiveHint"]


async def test_tools_are_paged_and_chosen_by_name(shop: Connected) -> None:
    first = await shop.v2("Tools.ListTools", {"parent": CONNECTION, "pageSize": 3})
    request = {"parent": CONNECTION, "pageSize": 3, "pageToken": first["nextPageToken"]}
    second = await shop.v2("Tools.ListTools", request)
    chosen = await shop.v2("Connections.ListToolsPost", {"parent": CONNECTION, "toolNames": ["Ping", "get_Customer"]})

    assert [each["name"] for each in second["tools"]] == ["update_Customer", "delete_Customer", "list_odd/log"]
    assert [each["name"] for each in chosen["tools"]] == ["Ping", "get_Customer"]


@pytest.mark.parametrize(
    ("tool", "parameters", "result"),
    [
        ("list_Customer", {"filter": "name = 'Ada'"}, {"entities": [{"id": 1, "name": "Ada"}]}),
        ("get_Customer", {"entityId": "1"}, {"entity": {"id": 1, "name": "Ada"}, "entityId": "1"}),
        ("create_Customer", {"name": "Bob"}, {"entity": {"id": 2, "name": "Bob"}, "entityId": "2"}),
        ("delete_Customer", {"filter": "id = 1"}, {"deleted": 1, "entityIds": ["1"]}),
        ("Ping", {"text": "x"}, {"results": [{"heard": "x"}]}),
    ],
)
async def test_a_tool_is_executed(shop: Connected, tool: str, parameters: JsonObject, result: JsonObject) -> None:
    request = {"name": f"{CONNECTION}/tools/{tool}", "parameters": parameters}

    assert (await shop.v2("Tools.ExecuteTool", request)) == {"result": result}


@pytest.mark.parametrize(
    ("tool", "parameters", "code", "words"),
    [
        ("list_Costumer", {}, Code.NOT_FOUND, "there are: Ping, ExecuteCustomQuery, list_Customer"),
        ("delete_Customer", {}, Code.FAILED_PRECONDITION, "entityId or filter is needed"),
        ("create_odd%2Flog", {"line": "x"}, Code.UNIMPLEMENTED, "odd/log takes no CREATE; it takes: LIST"),
        ("create_Customer", {"nome": "x"}, Code.NOT_FOUND, "there is no field 'nome'"),
    ],
)
async def test_what_a_tool_does_not_take_is_refused(
    shop: Connected, tool: str, parameters: JsonObject, code: Code, words: str
) -> None:
    request = {"name": f"{CONNECTION}/tools/{tool}", "parameters": parameters}

    refused, sentence = await shop.refusal("v2", "Tools.ExecuteTool", request)

    assert refused is code
    assert words in sentence


async def test_definitions_of_tools_are_not_served(shop: Connected) -> None:
    request: JsonObject = {"name": f"{CONNECTION}/tools/Ping", "toolDefinition": {"name": "Ping"}}

    assert (await shop.refusal("v2", "Tools.ExecuteTool", request))[0] is Code.UNIMPLEMENTED


async def test_each_write_leaves_an_audit_line_without_values(
    shop: Connected, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "openplaybook.audit")
    fields = {"fields": {"name": "Secret Name"}}
    made = await shop.v2("Entities.CreateEntity", {"parent": CUSTOMERS, "entity": fields})
    await shop.v2("Entities.UpdateEntity", {"entity": {"name": made["name"], **fields}})
    await shop.v2("Entities.DeleteEntity", {"name": made["name"]})
    await shop.v2("Entities.GetEntity", {"name": f"{CUSTOMERS}/entities/1"})
    await shop.v2("Entities.DeleteEntitiesWithConditions", {"entityType": CUSTOMERS, "conditions": "id = 1"})
    shop.system.failure = SystemUnavailable("down")
    await shop.refusal("v2", "Entities.CreateEntity", {"parent": CUSTOMERS, "entity": fields})

    told = [(each.__dict__["operation"], each.__dict__["rows"]) for each in caplog.records]
    assert told == [("create_Customer", 1), ("update_Customer", 1), ("delete_Customer", 1), ("delete_Customer", 1)]
    assert "Secret Name" not in caplog.text


async def test_a_write_without_an_answer_leaves_an_audit_line(
    shop: Connected, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "openplaybook.audit")
    shop.system.failure = WriteInDoubt("no answer came")
    await shop.refusal("v2", "Entities.DeleteEntity", {"name": f"{CUSTOMERS}/entities/1"})

    told = [(each.getMessage(), each.__dict__["operation"]) for each in caplog.records]
    assert told == [("connection write in doubt", "delete_Customer")]
