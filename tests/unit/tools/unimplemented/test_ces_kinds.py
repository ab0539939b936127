"""Kinds of tools that only CX Agent Studio has, kept and checked for form."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Action, Call, Failure, Tool, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import Remembering

APP = "projects/p/locations/l/apps/a"
NAME = f"{APP}/tools/t"
CONNECTION = "projects/p/locations/l/connections/c"
LIST: JsonObject = {"entityOperation": {"entityId": "Order", "operation": "LIST"}}
CARD: JsonObject = {
    "name": "Desk",
    "description": "Answers.",
    "version": "1",
    "supportedInterfaces": [
        {"url": "https://desk.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
}
QUERY: JsonObject = {"type": "string", "description": "What to look for, as one self-contained question."}


def tool(kind: str, **spec: JsonValue) -> JsonObject:
    return {"name": NAME, "displayName": "look up", "description": "d", kind: spec}


def built(document: JsonObject) -> Tool:
    return Toolbox(Remembering()).build(document)


def problems(kind: str, **spec: JsonValue) -> dict[str, str]:
    return {problem.path: problem.message for problem in Toolbox(Remembering()).check(tool(kind, **spec))}


def text(name: str = "query", described: JsonObject = QUERY, **more: JsonValue) -> JsonObject:
    return {
        "type": "object",
        "properties": {name: described, **more},
        "required": [name],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("document", "input_schema"),
    [
        (tool("googleSearchTool", name="look", preferredDomains=["example.com"]), text()),
        (
            tool(
                "mcpTool",
                name="look",
                serverAddress="https://example.com/mcp/",
                inputSchema={"type": "OBJECT", "properties": {"q": {"type": "STRING"}}},
                customHeaders={"X-Tenant": "$context.variables.tenant"},
            ),
            {"type": "object", "properties": {"q": {"type": "string"}}},
        ),
        (
            tool("widgetTool", name="look", parameters={"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}),
            {"type": "object", "properties": {"n": {"type": "integer"}}},
        ),
        (tool("widgetTool", name="look"), {"type": "object"}),
        (
            tool("remoteAgentTool", name="desk", description="Asks.", agentCard=CARD),
            text("request", {"type": "string", "description": "What to ask of the agent."}),
        ),
    ],
)
async def test_a_tool_is_kept_with_the_form_of_its_input_and_cannot_be_called(
    document: JsonObject, input_schema: JsonObject
) -> None:
    kept = built(document)
    (action,) = kept.actions()
    assert replace(action, is_read_only=False) == Action("look_up", "look up", NAME, "look up", "d", input_schema)
    assert Toolbox(Remembering()).check(document) == ()
    outcome = await kept.invoke(Call("c", action, {}), ToolContext("s"))
    assert isinstance(outcome, Failure)
    assert outcome.code == "UNIMPLEMENTED"
    assert outcome.message.endswith(
        "are not supported by this server yet, so look up was not called; "
        "a fake (toolFakeConfig) can answer in its place"
    )


def test_a_toolset_of_an_mcp_server_offers_what_is_pinned() -> None:
    schema: JsonObject = {"type": "OBJECT", "properties": {"id": {"type": "INTEGER"}}}
    snapshot: JsonObject = {"description": "Finds.", "inputSchema": schema, "outputSchema": schema}
    kept = built(
        tool(
            "mcpToolset",
            serverAddress="https://example.com/mcp/",
            toolOverrides=[
                {"tool": "find", "snapshot": snapshot},
                {"tool": "x.y", "nameOverride": "tell", "descriptionOverride": "Tells.", "snapshot": snapshot},
                {"tool": "unpinned", "nameOverride": "other"},
            ],
        )
    )
    plain: JsonObject = {"type": "object", "properties": {"id": {"type": "integer"}}}
    assert [(each.name, each.action, each.description, each.input_schema) for each in kept.actions()] == [
        ("find", "find", "Finds.", plain),
        ("tell", "x.y", "Tells.", plain),
    ]
    assert [each.output_schema for each in kept.actions()] == [plain, plain]


VARIABLE = "must have the form $context.variables.NAME"


@pytest.mark.parametrize(
    ("kind", "spec", "found"),
    [
        ("googleSearchTool", {"contextUrls": ["https://e.example"] * 21, "excludeDomains": ["e.example"] * 2000},
         {"$.googleSearchTool.contextUrls": "has 21 entries; allowed are 20"}),
        ("connectorTool", {"action": {**LIST, "connectionActionId": "x"}},
         {"$.connectorTool.connection": "must have the form projects/P/locations/L/connections/C",
          "$.connectorTool.action": "exactly one of connectionActionId and entityOperation is required"}),
        ("connectorTool",
         {"connection": CONNECTION, "action": LIST, "authConfig": {"oauth2AuthCodeConfig": {"oauthToken": "abc"}}},
         {"$.connectorTool.authConfig.oauth2AuthCodeConfig.oauthToken": VARIABLE}),
        ("connectorToolset", {"connection": CONNECTION},
         {"$.connectorToolset.connectorActions": "at least one action is required"}),
        ("connectorToolset", {"connection": CONNECTION, "connectorActions": [{}]},
         {"$.connectorToolset.connectorActions[0]":
          "exactly one of connectionActionId and entityOperation is required"}),
        ("mcpTool", {"serverAddress": "http://example.com/mcp"},
         {"$.mcpTool.serverAddress": "must be an https URL such as https://example.com/mcp/",
          "$.mcpTool.name": "is required"}),
        ("mcpToolset",
         {"serverAddress": "https://e.example/mcp", "customHeaders": {"X-A": "$context.variables.a", "X-B": "abc"},
          "apiAuthentication": {"bearerTokenConfig": {"token": "abc"}}, "toolOverrides": [{}]},
         {"$.mcpToolset.customHeaders.X-B": VARIABLE,
          "$.mcpToolset.apiAuthentication.bearerTokenConfig.token": VARIABLE,
          "$.mcpToolset.toolOverrides[0].tool": "is required"}),
        ("widgetTool", {"parameters": {"type": "STRING"}},
         {"$.widgetTool.name": "is required", "$.widgetTool.parameters.type": "must be OBJECT, got string"}),
        ("remoteAgentTool", {"agentCard": {**CARD, "version": "", "supportedInterfaces": [{"url": "http://e.example"}]}},
         {"$.remoteAgentTool.agentCard.version": "is required",
          "$.remoteAgentTool.agentCard.supportedInterfaces[0].url": "must be an https URL",
          "$.remoteAgentTool.agentCard.supportedInterfaces[0].protocolBinding":
          "is required: JSONRPC, GRPC, HTTP+JSON or another"}),
        ("remoteAgentTool", {"agentCard": {**CARD, "supportedInterfaces": []}},
         {"$.remoteAgentTool.agentCard.supportedInterfaces": "at least one is required"}),
    ],
)  # fmt: skip
def test_a_tool_that_has_not_its_form_is_refused_with_every_place(
    kind: str, spec: JsonObject, found: dict[str, str]
) -> None:
    assert problems(kind, **spec) == found
