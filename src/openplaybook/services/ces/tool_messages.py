"""ToolCall and ToolResponse: how CX Agent Studio writes calls, and what came of them.

A `response` is an object. Its key "output" holds the result and "error" what went wrong; without either the whole of it
is the result (`ToolResponse.response`).
"""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.resources.names import APP_TOOLSETS
from openplaybook.services.errors import invalid
from openplaybook.services.turn_requests import struct_json
from openplaybook.tools.mocks import body_of
from openplaybook.turns.base import ToolResultInput
from openplaybook.wire.api import Api
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage

_OWN_WORDS = ("CLIENT_ERROR", "TOOL_ERROR")
"""Codes of errors that the other side has put into words."""


def fill_call(message: ApiMessage, tool: str, action: str, display_name: str, id: str, arguments: JsonObject) -> None:
    """Fill a ToolCall."""
    fill_identity(message, tool, action, display_name, id)
    read_struct(arguments, message.args)


def fill_response(
    message: ApiMessage, tool: str, action: str, display_name: str, id: str, response: JsonObject
) -> None:
    """Fill a ToolResponse; `response` is the response, as `response_content` gives it."""
    fill_identity(message, tool, action, display_name, id)
    read_struct(response, message.response)


def fill_identity(message: ApiMessage, tool: str, action: str, display_name: str, id: str) -> None:
    """Say which call, of which tool, a ToolCall or a ToolResponse is about."""
    message.id, message.display_name = id, display_name
    fill_tool(message, tool, action)


def display_name_of(tool: str, action: str, tool_display_name: str) -> str:
    """How a tool is called in an app: by its own name or, where it is one of a toolset, by both their names."""
    if APP_TOOLSETS.fits(tool):
        return f"{tool_display_name or tool.rpartition('/')[2]}_{action}"
    return tool_display_name or action


def fill_tool(message: ApiMessage, tool: str, action: str) -> None:
    """Say which tool a message with a `tool_identifier` is about."""
    if APP_TOOLSETS.fits(tool):
        message.toolset_tool.toolset, message.toolset_tool.tool_id = tool, action
    elif tool:
        message.tool = tool


def response_content(output: JsonValue, error: JsonObject | None) -> JsonObject:
    """The response of a call, from its output and its error as the trace has them.

    An OpenAPI call gives the body: clients of CX Agent Studio do not know of the status above it.
    """
    body = body_of(output)
    if error is None:
        return as_object(body) if isinstance(body, dict) else {"output": body}
    if "error" in as_object(body):
        return as_object(body)
    own_words = error["code"] in _OWN_WORDS
    message = error["message"] if own_words else f"{error['code']}: {error['message']}"
    return {"error": message} if output is None else {"error": message, "output": body}


def outcome_in(response: JsonObject) -> tuple[JsonObject | None, str | None]:
    """The output and the error that a client's response says; one of them is None."""
    if (error := response.get("error")) not in (None, "", {}):
        return None, error if isinstance(error, str) else dumps(error).decode()
    if "output" in response:
        output: JsonValue = response["output"]
        return (as_object(output) if isinstance(output, dict) else {"result": output}), None
    return {name: value for name, value in response.items() if name != "error"}, None


def result_of(api: Api, response: ApiMessage, path: str) -> ToolResultInput:
    """What a client says of a call. INVALID_ARGUMENT without a response, or where nothing says which call it is of."""
    is_of_tool = bool(response.tool and response.display_name) or response.HasField("toolset_tool")
    if not response.id and not is_of_tool:
        raise invalid((f"{path}.id", "is required: the id of the tool call"))
    if not response.HasField("response"):
        raise invalid((f"{path}.response", "is required"))
    output, error = outcome_in(as_object(struct_json(api, response.response)))
    toolset = response.toolset_tool
    return ToolResultInput(
        tool=response.tool or toolset.toolset,
        action="" if response.id else toolset.tool_id or response.display_name,
        call_id=response.id,
        output=output,
        error=error,
    )
