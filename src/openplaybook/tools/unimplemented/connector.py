"""Connectors: a `connectorSpec` of Dialogflow CX, a `connectorTool` or `connectorToolset` of CX Agent Studio.

What their actions take is the connection's to say, once they run.
"""

import re

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.call_spellings import AS_GIVEN
from openplaybook.resources.tool_kinds import (
    ConversionNotes,
    ConvertedTool,
    KindField,
    SecretField,
    StoredKind,
    ToolMessage,
    ToolsetTools,
)
from openplaybook.tools.action_names import legal_names
from openplaybook.tools.base import Action, InvalidTool, Problem
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.tools.unimplemented.placeholder import (
    VARIABLE_FORM,
    PlaceholderTool,
    declared_action,
    is_variable,
    tool_with_action,
    tool_with_actions,
)

_CONNECTION = re.compile(r"projects/[^/]+/locations/[^/]+/connections/[^/]+")
_FORM = "must have the form projects/P/locations/L/connections/C"
_OPERATIONS = ("LIST", "GET", "CREATE", "UPDATE", "DELETE")
_READING = ("LIST", "GET")
_TOOL, _TOOLSET = "$.connectorTool", "$.connectorToolset"
_NOUN = "connector tool"
_CREDENTIALS = {
    "oauth2AuthCodeConfig": ("oauthToken",),
    "oauth2JwtBearerConfig": ("issuer", "subject", "clientKey"),
}
"""Fields of `EndUserAuthConfig`."""


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `connectorSpec` (v3beta1 `Tool.ConnectorTool`, JSON form); raises `InvalidTool`."""
    problems: list[Problem] = []
    if not _CONNECTION.fullmatch(str(spec.get("name", ""))):
        problems.append(Problem("$.connectorSpec.name", _FORM))
    actions = as_list(spec.get("actions"))
    if not actions:
        problems.append(Problem("$.connectorSpec.actions", "at least one action is required"))
    for position, action in enumerate(actions):
        problems.extend(_action_problems(as_object(action), f"$.connectorSpec.actions[{position}]"))
    if problems:
        raise InvalidTool(problems)
    return PlaceholderTool(f"{_NOUN}s", ())


def _build_tool(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `connectorTool` (CES v1beta `ConnectorTool`, JSON form); raises `InvalidTool`."""
    action = as_object(spec.get("action"))
    problems = [*_connection_problems(spec, _TOOL), *_action_problems(action, f"{_TOOL}.action")]
    return tool_with_action(f"{_NOUN}s", resource, _input(action), problems, is_read_only=_only_reads(action))


def _build_toolset(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `connectorToolset` (CES v1beta `ConnectorToolset`, JSON form); raises `InvalidTool`."""
    actions = [as_object(each) for each in as_list(spec.get("connectorActions"))]
    problems = _connection_problems(spec, _TOOLSET)
    if not actions:
        problems.append(Problem(f"{_TOOLSET}.connectorActions", "at least one action is required"))
    for position, action in enumerate(actions):
        problems += _action_problems(action, f"{_TOOLSET}.connectorActions[{position}]")
    return tool_with_actions(f"{_NOUN}s", _declared(resource, actions), problems)


def _declared(resource: JsonObject, actions: list[JsonObject]) -> list[Action]:
    names = [_name(action) for action in actions]
    keys = [str(position) for position in range(len(actions))]
    return [
        declared_action(
            resource,
            legal,
            name,
            f"{name} of the connection",
            _input(action),
            is_read_only=_only_reads(action),
        )
        for legal, name, action in zip(legal_names(names, keys), names, actions, strict=True)
    ]


def _only_reads(action: JsonObject) -> bool:
    """Whether an action reads entities; what a connection's own action does is not known here."""
    return as_object(action.get("entityOperation")).get("operation") in _READING


def _name(action: JsonObject) -> str:
    operation = as_object(action.get("entityOperation"))
    named = f"{str(operation.get('operation', '')).lower()}_{operation.get('entityId', '')}" if operation else ""
    return str(action.get("connectionActionId") or named)


def _input(action: JsonObject) -> JsonObject:
    """The fields that the tool names; without any, all that the entity has, which is not known here."""
    fields = [str(field) for field in as_list(action.get("inputFields"))]
    if not fields:
        return {"type": "object"}
    return {"type": "object", "properties": {field: {} for field in fields}, "additionalProperties": False}


def _connection_problems(spec: JsonObject, path: str) -> list[Problem]:
    problems: list[Problem] = []
    if not _CONNECTION.fullmatch(str(spec.get("connection") or "")):
        problems.append(Problem(f"{path}.connection", _FORM))
    credentials = as_object(spec.get("authConfig"))
    for kind, fields in _CREDENTIALS.items():
        credential = as_object(credentials.get(kind))
        for field in fields if kind in credentials else ():
            if not is_variable(credential.get(field)):
                problems.append(Problem(f"{path}.authConfig.{kind}.{field}", VARIABLE_FORM))
    return problems


def _action_problems(action: JsonObject, path: str) -> list[Problem]:
    """What is wrong with an action of a connection."""
    operation = as_object(action.get("entityOperation"))
    if bool(action.get("connectionActionId")) == bool(operation):
        return [Problem(path, "exactly one of connectionActionId and entityOperation is required")]
    if not operation:
        return []
    problems: list[Problem] = []
    if not operation.get("entityId"):
        problems.append(Problem(f"{path}.entityOperation.entityId", "is required"))
    if operation.get("operation") not in _OPERATIONS:
        problems.append(Problem(f"{path}.entityOperation.operation", f"must be one of {', '.join(_OPERATIONS)}"))
    return problems


def _converted(tool: JsonObject, name: str, place: str, notes: ConversionNotes) -> ConvertedTool:
    spec = as_object(tool["connectorSpec"])
    actions = [as_object(each) for each in as_list(spec.get("actions"))]
    if spec.get("endUserAuthConfig"):
        notes.left_out(place, "the end user's authentication of the connector")
    if len(actions) > 1:
        notes.changed(place, f"is {len(actions)} tools now, one for each action of the connector")
    connection = str(spec.get("name", ""))
    return ConvertedTool(
        "connectorTool", tuple({"connection": connection, "action": action} for action in actions or [{}])
    )


def _secrets(*holder: str) -> tuple[SecretField, ...]:
    """Of an end user's authentication."""
    return (
        SecretField((*holder, "oauth2AuthCodeConfig"), "oauthToken"),
        SecretField((*holder, "oauth2JwtBearerConfig"), "clientKey"),
    )


KIND = ToolKind(
    StoredKind(
        name="connector",
        noun=_NOUN,
        fields=(
            KindField(
                "connectorSpec",
                ToolMessage.TOOL,
                "connector",
                secrets=_secrets("connectorSpec", "endUserAuthConfig"),
                credentials=("endUserAuthConfig",),
                free=frozenset({"actions", "endUserAuthConfig"}),
                form=AS_GIVEN,
                kept="cannot be called here",
            ),
            KindField(
                "connectorTool",
                ToolMessage.APP_TOOL,
                "connector",
                secrets=_secrets("connectorTool", "authConfig"),
                credentials=("authConfig",),
                free=frozenset({"action", "name", "description", "authConfig"}),
                kept="calls a connector",
            ),
            KindField(
                "connectorToolset",
                ToolMessage.APP_TOOLSET,
                "connector toolset",
                secrets=_secrets("connectorToolset", "authConfig"),
                credentials=("authConfig",),
                free=frozenset({"connectorActions", "authConfig"}),
                kept="is of a connector",
                toolset=ToolsetTools("connectorTool"),
            ),
        ),
        conversion=_converted,
    ),
    {"connectorSpec": build, "connectorTool": _build_tool, "connectorToolset": _build_toolset},
)
