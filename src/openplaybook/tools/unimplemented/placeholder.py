"""`PlaceholderTool`: declares what it can, and refuses every call with a sentence; what fields of its kinds hold."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.digits import with_numbers
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, Call, Failure, InvalidTool, Outcome, Problem, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.schema.validator import Validator

CLIENT_INSTEAD = "with client-side execution the client can answer it"
FAKE_INSTEAD = "a fake (toolFakeConfig) can answer in its place"
_VARIABLE = re.compile(r"\$context\.variables\.[^\s.]+")
QUERY = "What to look for, as one self-contained question."
"""What a search is asked for."""
VARIABLE_FORM = "must have the form $context.variables.NAME"


class PlaceholderTool(Tool):
    """A tool of a kind that this server does not run yet."""

    def __init__(self, kind: str, actions: Sequence[Action], instead: str = CLIENT_INSTEAD) -> None:
        """`kind` is the name of the tool kind in a sentence, such as `data store tools`; `instead`: what else can
        answer its calls."""
        self._kind = kind
        self._actions = tuple(actions)
        self._instead = instead

    def actions(self) -> Sequence[Action]:
        """What is known of its actions without running it."""
        return self._actions

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Refused with UNIMPLEMENTED."""
        return Failure(
            "UNIMPLEMENTED",
            f"{self._kind} are not supported by this server yet, so {call.action.action} was not called; "
            f"{self._instead}",
        )

    def fault(self) -> str:
        """That its kind is not run."""
        return f"{self._kind} are not run"

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them, where they fit the action."""
        arguments = as_object(with_numbers(call.arguments, call.action.input_schema))
        if problems := await Validator(call.action.input_schema).judge(arguments):
            return Failure("INVALID_ARGUMENTS", "; ".join(problems))
        return arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with the client's answer, where its form is known."""
        return await result_problems(action.output_schema, output)


def tool_with_action(
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
    text = str(resource.get("description") or description)
    action = declared_action(resource, legal_name(name), name, text, input_schema, is_read_only=is_read_only)
    return tool_with_actions(kind, [action], problems)


def tool_with_actions(kind: str, actions: Sequence[Action], problems: Sequence[Problem]) -> PlaceholderTool:
    """A tool with these actions; raises `InvalidTool` where there are problems."""
    if problems:
        raise InvalidTool(problems)
    return PlaceholderTool(kind, actions, FAKE_INSTEAD)


def declared_action(
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
    properties |= {other: {"type": "string", "description": hint} for other, hint in optional.items()}
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
