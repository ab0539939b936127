"""Connector tools and toolsets of CX Agent Studio: what their actions take is the connection's to say, once it runs."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import Action, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.naming import legal_names
from openplaybook.tools.stored.connector import CONNECTION, action_problems
from openplaybook.tools.stored.declaring import VARIABLE_FORM, is_variable, several, stored, stored_action
from openplaybook.tools.stored.tool import StoredTool

_TOOL, _TOOLSET = "$.connectorTool", "$.connectorToolset"
_KIND = "connector tools"
_READING = ("LIST", "GET")
_CREDENTIALS = {
    "oauth2AuthCodeConfig": ("oauthToken",),
    "oauth2JwtBearerConfig": ("issuer", "subject", "clientKey"),
}
"""Fields of `EndUserAuthConfig`."""


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `connectorTool` (CES v1beta `ConnectorTool`, JSON form); raises `InvalidTool`."""
    action = as_object(spec.get("action"))
    problems = [*_connection_problems(spec, _TOOL), *action_problems(action, f"{_TOOL}.action")]
    return stored(_KIND, resource, _input(action), problems, is_read_only=_only_reads(action))


def build_toolset(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `connectorToolset` (CES v1beta `ConnectorToolset`, JSON form); raises `InvalidTool`."""
    actions = [as_object(each) for each in as_list(spec.get("connectorActions"))]
    problems = _connection_problems(spec, _TOOLSET)
    if not actions:
        problems.append(Problem(f"{_TOOLSET}.connectorActions", "at least one action is required"))
    for position, action in enumerate(actions):
        problems += action_problems(action, f"{_TOOLSET}.connectorActions[{position}]")
    return several(_KIND, _declared(resource, actions), problems)


def _declared(resource: JsonObject, actions: list[JsonObject]) -> list[Action]:
    names = [_name(action) for action in actions]
    keys = [str(position) for position in range(len(actions))]
    return [
        stored_action(
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
    if not CONNECTION.fullmatch(str(spec.get("connection") or "")):
        problems.append(Problem(f"{path}.connection", "must have the form projects/P/locations/L/connections/C"))
    credentials = as_object(spec.get("authConfig"))
    for kind, fields in _CREDENTIALS.items():
        given = as_object(credentials.get(kind))
        for field in fields if kind in credentials else ():
            if not is_variable(given.get(field)):
                problems.append(Problem(f"{path}.authConfig.{kind}.{field}", VARIABLE_FORM))
    return problems
