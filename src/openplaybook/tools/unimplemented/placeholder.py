"""What the kinds that only CX Agent Studio has declare, and the forms that their fields have."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, InvalidTool, Problem
from openplaybook.tools.unimplemented.tool import FAKE_INSTEAD, PlaceholderTool

_VARIABLE = re.compile(r"\$context\.variables\.[^\s.]+")
QUERY = "What to look for, as one self-contained question."
"""What a search is asked for."""
VARIABLE_FORM = "must have the form $context.variables.NAME"


def stored(
    kind: str,
    resource: JsonObject,
    input_schema: JsonObject,
    problems: Sequence[Problem],
    description: str = "",
    *,
    is_read_only: bool = False,
) -> PlaceholderTool:
    """A tool with one action, named like the tool; raises `InvalidTool` where there are problems."""
    name = str(resource.get("displayName", ""))
    told = str(resource.get("description") or description)
    action = stored_action(resource, legal_name(name), name, told, input_schema, is_read_only=is_read_only)
    return several(kind, [action], problems)


def several(kind: str, actions: Sequence[Action], problems: Sequence[Problem]) -> PlaceholderTool:
    """A tool with these actions; raises `InvalidTool` where there are problems."""
    if problems:
        raise InvalidTool(problems)
    return PlaceholderTool(kind, actions, FAKE_INSTEAD)


def stored_action(
    resource: JsonObject,
    name: str,
    action: str,
    description: str,
    input_schema: JsonObject,
    output: JsonValue = None,
    *,
    is_read_only: bool = False,
) -> Action:
    """An action of the tool that a resource describes."""
    return Action(
        name=name,
        action=action,
        tool=str(resource.get("name", "")),
        tool_display_name=str(resource.get("displayName", "")),
        description=description,
        input_schema=input_schema,
        declared_output=lambda: as_object(output) or None,
        is_read_only=is_read_only,
    )


def text_input(name: str, description: str, **optional: str) -> JsonObject:
    """An input of one text that is needed, and of others that may be left out, with their descriptions."""
    properties: JsonObject = {name: {"type": "string", "description": description}}
    properties |= {other: {"type": "string", "description": told} for other, told in optional.items()}
    return {"type": "object", "properties": properties, "required": [name], "additionalProperties": False}


def is_variable(value: JsonValue) -> bool:
    """Whether a value names a variable of the session, as values that must not stand in a resource do."""
    return isinstance(value, str) and _VARIABLE.fullmatch(value) is not None


def is_https(value: JsonValue) -> bool:
    """Whether a value is an absolute URL of HTTPS."""
    try:
        parts = urlsplit(value if isinstance(value, str) else "")
        return parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        return False
