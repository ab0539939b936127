"""What code is told of the conversation: `context`, in the words of CX Agent Studio's Python runtime."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.tools.base import EarlierCall, ToolContext

_USER = "user"
_MAX_EVENT_BYTES = 256 * 1024
"""Of the calls that code is told of, as JSON."""


def code_context(context: ToolContext) -> JsonObject:
    """JSON of the context. Secret session parameters are not in `state`: code is never given any.

    `events` are the newest of the calls that are settled, and what the user said last.
    """
    state = {name: value for name, value in context.parameters.items() if name not in context.secret_parameters}
    parts = context.session.split("/")
    places: JsonObject = dict(zip(parts[::2], parts[1::2], strict=False))
    user_content = _content(_USER, {"text": context.user_text})
    return {
        "function_call_id": context.call_id,
        "user_content": user_content,
        "state": state,
        "events": [*_events(context), {"author": _USER, "content": user_content}],
        "session_id": context.session_id,
        "invocation_id": context.turn_id,
        "agent_name": context.playbook,
        "project_id": places.get("projects", ""),
        "location": places.get("locations", ""),
        "app_id": places.get("apps", places.get("agents", "")),
    }


def _events(context: ToolContext) -> list[JsonValue]:
    """The calls that are settled, oldest first: as many of the newest as have room."""
    newest: list[list[JsonValue]] = []
    size = 0
    for each in reversed(context.earlier()):
        both = _call_events(each, context.playbook)
        size += len(dumps(both))
        if size > _MAX_EVENT_BYTES:
            break
        newest.append(both)
    return [event for both in reversed(newest) for event in both]


def _call_events(call: EarlierCall, author: str) -> list[JsonValue]:
    name = known_name(call.tool_display_name, call.action)
    response: JsonObject = as_object(call.output) or {"result": call.output}
    call_content = _content("model", {"function_call": {"name": name, "args": call.arguments}})
    result_content = _content("tool", {"function_response": {"name": name, "response": response}})
    return [{"author": author, "content": call_content}, {"author": author, "content": result_content}]


def known_name(tool_display_name: str, action: str) -> str:
    """What code knows an action by: the tool's name, of a toolset with the operation."""
    is_of_toolset = action not in ("", tool_display_name)
    return f"{tool_display_name}_{action}" if is_of_toolset else tool_display_name


def _content(role: str, part: JsonObject) -> JsonObject:
    return {"role": role, "parts": [part]}
