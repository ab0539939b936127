"""Connector tools (v3beta1 `Tool.ConnectorTool`): their actions' schemas come from the connection, once it runs."""

import re

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.stored.tool import StoredTool

CONNECTION = re.compile(r"projects/[^/]+/locations/[^/]+/connections/[^/]+")
_OPERATIONS = ("LIST", "GET", "CREATE", "UPDATE", "DELETE")


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `connectorSpec`; raises `InvalidTool`."""
    problems: list[Problem] = []
    if not CONNECTION.fullmatch(str(spec.get("name", ""))):
        problems.append(Problem("$.connectorSpec.name", "must have the form projects/P/locations/L/connections/C"))
    actions = as_list(spec.get("actions"))
    if not actions:
        problems.append(Problem("$.connectorSpec.actions", "at least one action is required"))
    for position, action in enumerate(actions):
        problems.extend(action_problems(as_object(action), f"$.connectorSpec.actions[{position}]"))
    if problems:
        raise InvalidTool(problems)
    return StoredTool("connector tools", ())


def action_problems(action: JsonObject, path: str) -> list[Problem]:
    """What is wrong with an action of a connection, by the rules that both Google services have."""
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
