"""Data store tools: one action, named like the tool (v3beta1 `Tool.DataStoreTool`)."""

from collections import Counter

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import Action, InvalidTool, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.naming import legal_name
from openplaybook.tools.stored.tool import StoredTool

_TYPES = ("PUBLIC_WEB", "UNSTRUCTURED", "STRUCTURED")

_INPUT: JsonObject = {
    "type": "object",
    "properties": {
        "requestBody": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for, as one self-contained question."},
                "filter": {"type": "string", "description": "Narrows the search by metadata."},
                "userMetadata": {"type": "object", "description": "What is known about the user."},
                "fallback": {"type": "string", "description": "The answer to give when nothing is found."},
            },
            "required": ["query"],
            "additionalProperties": False,
        }
    },
    "required": ["requestBody"],
    "additionalProperties": False,
}

_TEXT: JsonObject = {"type": "string"}

_OUTPUT: JsonObject = {
    "type": "object",
    "properties": {
        "200": {
            "type": "object",
            "properties": {
                "answer": _TEXT,
                "snippets": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"title": _TEXT, "text": _TEXT, "uri": _TEXT}},
                },
            },
        }
    },
}


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> StoredTool:
    """The tool for a `dataStoreSpec`; raises `InvalidTool`."""
    problems = _problems(spec)
    if problems:
        raise InvalidTool(problems)
    display_name = str(resource.get("displayName", ""))
    action = Action(
        name=legal_name(display_name),
        action=display_name,
        tool=str(resource.get("name", "")),
        tool_display_name=display_name,
        description=str(resource.get("description", "")),
        input_schema=_INPUT,
        declared_output=lambda: _OUTPUT,
        is_read_only=True,
        safe_to_repeat=True,
    )
    return StoredTool("data store tools", [action])


def _problems(spec: JsonObject) -> list[Problem]:
    path = "$.dataStoreSpec.dataStoreConnections"
    connections = as_list(spec.get("dataStoreConnections"))
    if not connections:
        return [Problem(path, "at least one data store is required")]
    problems: list[Problem] = []
    counts: Counter[str] = Counter()
    for position, connection in enumerate(connections):
        kind = str(as_object(connection).get("dataStoreType", ""))
        counts[kind] += 1
        if kind not in _TYPES:
            problems.append(
                Problem(f"{path}[{position}].dataStoreType", f"must be one of {', '.join(_TYPES)}, got {kind!r}")
            )
        elif counts[kind] > 1:
            problems.append(
                Problem(f"{path}[{position}].dataStoreType", f"a second {kind}; one of each type is allowed")
            )
        if not as_object(connection).get("dataStore"):
            problems.append(Problem(f"{path}[{position}].dataStore", "is required (projects/…/dataStores/NAME)"))
    return problems
