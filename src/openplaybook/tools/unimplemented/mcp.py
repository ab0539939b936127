"""MCP tools and toolsets of CX Agent Studio: what a server offers is asked of it, once they run."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.schemas import json_schema
from openplaybook.resources.tool_kinds import KindField, SecretField, StoredKind, ToolMessage, ToolsetTools
from openplaybook.tools.action_names import legal_names
from openplaybook.tools.base import Action, Problem
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.tools.unimplemented.placeholder import (
    VARIABLE_FORM,
    PlaceholderTool,
    declared_action,
    is_https,
    is_variable,
    tool_with_action,
    tool_with_actions,
)

_TOOL, _TOOLSET = "$.mcpTool", "$.mcpToolset"
_NOUN = "MCP tool"


def _build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for an `mcpTool` (CES v1beta `McpTool`, JSON form); raises `InvalidTool`."""
    problems = _server_problems(spec, _TOOL)
    if not spec.get("name"):
        problems.append(Problem(f"{_TOOL}.name", "is required"))
    return tool_with_action(f"{_NOUN}s", resource, _input(spec), problems, str(spec.get("description", "")))


def _build_toolset(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for an `mcpToolset` (CES v1beta `McpToolset`, JSON form); raises `InvalidTool`.

    It offers the tools that are pinned, as they were when they were pinned: the others are the server's to tell.
    """
    overrides = [as_object(each) for each in as_list(spec.get("toolOverrides"))]
    problems = _server_problems(spec, _TOOLSET)
    problems += [
        Problem(f"{_TOOLSET}.toolOverrides[{position}].tool", "is required")
        for position, each in enumerate(overrides)
        if not each.get("tool")
    ]
    return tool_with_actions(
        f"{_NOUN}s", _declared(resource, [each for each in overrides if each.get("snapshot")]), problems
    )


def _declared(resource: JsonObject, pinned: list[JsonObject]) -> list[Action]:
    ids = [str(each.get("tool", "")) for each in pinned]
    names = [str(each.get("nameOverride") or each.get("tool", "")) for each in pinned]
    keys = [f"{position}_{id}" for position, id in enumerate(ids)]
    return [_pinned(resource, *each) for each in zip(legal_names(names, keys), ids, pinned, strict=True)]


def _pinned(resource: JsonObject, name: str, action: str, override: JsonObject) -> Action:
    snapshot = as_object(override.get("snapshot"))
    description = str(override.get("descriptionOverride") or snapshot.get("description", ""))
    output = json_schema(as_object(snapshot.get("outputSchema")))
    return declared_action(resource, name, action, description, _input(snapshot), output)


def _input(definition: JsonObject) -> JsonObject:
    return {"type": "object", **json_schema(as_object(definition.get("inputSchema")))}


def _server_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    if not is_https(spec.get("serverAddress")):
        problems.append(Problem(f"{path}.serverAddress", "must be an https URL such as https://example.com/mcp/"))
    problems += [
        Problem(f"{path}.customHeaders.{name}", VARIABLE_FORM)
        for name, value in as_object(spec.get("customHeaders")).items()
        if not is_variable(value)
    ]
    bearer = as_object(as_object(spec.get("apiAuthentication")).get("bearerTokenConfig"))
    if bearer and not is_variable(bearer.get("token")):
        problems.append(Problem(f"{path}.apiAuthentication.bearerTokenConfig.token", VARIABLE_FORM))
    return problems


KIND = ToolKind(
    StoredKind(
        name="mcp",
        noun=_NOUN,
        fields=(
            KindField(
                "mcpTool",
                ToolMessage.APP_TOOL,
                "MCP",
                secrets=(SecretField(("mcpTool", "apiAuthentication", "bearerTokenConfig"), "token"),),
                credentials=("apiAuthentication", "customHeaders"),
                free=frozenset(
                    {"name", "nameOverride", "state", "description", "inputSchema", "outputSchema", "apiAuthentication"}
                ),
                kept="is of an MCP server",
                not_made="such tools come with an MCP toolset and cannot be created separately",
            ),
            KindField(
                "mcpToolset",
                ToolMessage.APP_TOOLSET,
                "MCP toolset",
                secrets=(SecretField(("mcpToolset", "apiAuthentication", "bearerTokenConfig"), "token"),),
                credentials=("apiAuthentication", "customHeaders"),
                free=frozenset({"apiAuthentication", "toolOverrides"}),
                kept="is of an MCP server",
                toolset=ToolsetTools(
                    "mcpTool",
                    unlisted=(
                        "is offered by an MCP server, which is not supported yet; "
                        "known are only the tools that the toolset pins: tool_overrides with a snapshot"
                    ),
                ),
            ),
        ),
    ),
    {"mcpTool": _build, "mcpToolset": _build_toolset},
)
