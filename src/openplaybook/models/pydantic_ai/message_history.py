"""A `ModelTurn` as pydantic-ai's message history."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, may_have_long_numbers
from openplaybook.models.base import (
    AgentText,
    Declaration,
    Entry,
    FunctionCall,
    FunctionResult,
    ModelTurn,
    ProviderReply,
    UserText,
)
from openplaybook.models.prompt.prompt_head import PromptHead, function_description, render_head
from openplaybook.models.prompt.prompt_texts import result_text
from openplaybook.models.pydantic_ai.provider_response import kept_response
from openplaybook.models.pydantic_ai.schema_expansion import without_references


@dataclass(frozen=True, slots=True)
class HistoryHead:
    """A head as pydantic-ai takes it."""

    head: PromptHead
    parameters: ModelRequestParameters
    """System prompt and functions."""
    shots: tuple[Sequence[ModelMessage], ...]
    """The messages of each example of `head.shots`."""


def history_head(turn: ModelTurn, *, takes_references: bool = True) -> HistoryHead:
    """The head of a turn's playbook; where the model takes no references, its functions' schemas have none."""
    head = render_head(turn)
    parameters = ModelRequestParameters(
        function_tools=[_tool(each, takes_references) for each in turn.declarations],
        instruction_parts=[InstructionPart(content=head.system)],
    )
    return HistoryHead(head, parameters, tuple(history(shot.entries, "") for shot in head.shots))


def written_request(head: HistoryHead, messages: Sequence[ModelMessage], settings: ModelSettings) -> bytes:
    """A request as JSON, in pydantic-ai's own form: what goes to the provider is written inside its clients."""
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
        for tool in head.parameters.function_tools
    ]
    request: JsonObject = {
        "instructions": head.head.system,
        "tools": tools,
        "messages": ModelMessagesTypeAdapter.dump_python(list(messages), mode="json"),
        "settings": dict(settings),
    }
    return dumps(request)


def history(entries: Sequence[Entry | ProviderReply], model: str) -> list[ModelMessage]:
    """Entries as requests (the user's side, results of calls) and responses (the model's side) in turns.

    Where a kept reply of `model` says the same as the entries behind it, it is given back as it was.
    """
    grown = _History()
    at = 0
    while at < len(entries):
        entry = entries[at]
        at += 1
        if isinstance(entry, ProviderReply):
            response, length = kept_response(entry, entries[at:], model)
            if response is not None:
                grown.response(response)
                at += length
        elif isinstance(entry, AgentText):
            grown.say(TextPart(entry.text))
        elif isinstance(entry, FunctionCall):
            grown.say(ToolCallPart(entry.name, _arguments(entry.arguments), entry.id))
        else:
            grown.ask(_request_part(entry))
    return grown.finished()


def _arguments(arguments: JsonObject) -> JsonObject:
    """Arguments as a call has them: long decimals as texts of their digits, since the library makes doubles of those,
    also in a text of JSON."""
    return as_object(_with_digits(arguments)) if may_have_long_numbers(dumps(arguments)) else arguments


def _with_digits(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _with_digits(item) for key, item in as_object(value).items()}
    if isinstance(value, list):
        return [_with_digits(item) for item in as_list(value)]
    return str(value) if isinstance(value, Decimal) else value


def _request_part(entry: UserText | FunctionResult) -> ModelRequestPart:
    if isinstance(entry, UserText):
        return UserPromptPart(entry.text)
    outcome = "failed" if entry.is_error else "success"
    return ToolReturnPart(entry.name, result_text(entry), entry.id, outcome=outcome)


class _History:
    """Messages, the last of which is still growing on one side."""

    def __init__(self) -> None:
        self._messages: list[ModelMessage] = []
        self._request_parts: list[ModelRequestPart] = []
        self._response_parts: list[ModelResponsePart] = []

    def ask(self, part: ModelRequestPart) -> None:
        self._close_response()
        self._request_parts.append(part)

    def say(self, part: ModelResponsePart) -> None:
        self._close_request()
        self._response_parts.append(part)

    def response(self, response: ModelResponse) -> None:
        self.finished()
        self._messages.append(response)

    def finished(self) -> list[ModelMessage]:
        self._close_request()
        self._close_response()
        return self._messages

    def _close_request(self) -> None:
        if self._request_parts:
            self._messages.append(ModelRequest(self._request_parts))
            self._request_parts = []

    def _close_response(self) -> None:
        if self._response_parts:
            self._messages.append(ModelResponse(self._response_parts))
            self._response_parts = []


def _tool(declaration: Declaration, takes_references: bool) -> ToolDefinition:
    schema = declaration.input_schema
    return ToolDefinition(
        name=declaration.name,
        description=function_description(declaration),
        parameters_json_schema=schema if takes_references else without_references(schema),
    )
