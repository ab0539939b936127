"""A request of the past, restated from the journal as the DetectIntentRequest that it was."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.turns.agent.snapshot import ALWAYS_CLIENT, AS_KINDS_SAY
from openplaybook.turns.base import EventInput, TextInput, ToolResultInput
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_LIMITS = {"input_token_limit": "INPUT_TOKEN_LIMIT_", "output_token_limit": "OUTPUT_TOKEN_LIMIT_"}


def fill_request(api: Api, begin: TurnBegun, session: str, request: ApiMessage) -> None:
    """Fill a DetectIntentRequest with what its turn's `begin` event says.

    What the journal does not keep, because no turn depends on it, is left out: the view that was asked for, how long
    the session was to live.
    """
    parameters: JsonObject = {
        "parameters": begin.parameters,
        "payload": begin.payload,
        "endUserMetadata": begin.metadata,
        "currentPlaybook": begin.playbook,
        "llmModelSettings": _settings(begin.settings),
        "playbookStateOverride": _override(begin),
    }
    query_params = {name: value for name, value in parameters.items() if value}
    restated: JsonObject = {
        "session": session,
        "queryInput": _input(begin),
        **({"queryParams": query_params} if query_params else {}),
    }
    api.codec.from_json(restated, request)


def _input(begin: TurnBegun) -> JsonObject:
    match begin.input:
        case EventInput(event):
            query_input: JsonObject = {"event": {"event": event}}
        case TextInput(text):
            query_input = {"text": {"text": text}}
        case ToolResultInput():
            query_input = {"toolCallResult": _result(begin.input)}
        case _:  # What only clients of CX Agent Studio send has no place in this message.
            query_input = {}
    return {**query_input, "languageCode": begin.language_code}


def _result(tool_result: ToolResultInput) -> JsonObject:
    result: JsonObject = {"tool": tool_result.tool, "action": tool_result.action}
    if tool_result.call_id:
        result["id"] = tool_result.call_id
    if tool_result.error is not None:
        return {**result, "error": {"message": tool_result.error}}
    return {**result, "outputParameters": as_object(tool_result.output)}


def _settings(stored: JsonObject) -> JsonObject:
    """`LlmModelSettings` from the form that sessions keep them in."""
    parameters: JsonObject = {
        **{_camel(name): prefix + stored[name] for name, prefix in _LIMITS.items() if name in stored},
        **({"temperature": stored["temperature"]} if "temperature" in stored else {}),
    }
    settings: JsonObject = {_camel(name): stored[name] for name in ("model", "prompt_text") if name in stored}
    return {**settings, "parameters": parameters} if parameters else settings


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _override(begin: TurnBegun) -> JsonObject:
    wanted = begin.client_execution
    return {} if wanted is None else {"playbookExecutionMode": ALWAYS_CLIENT if wanted else AS_KINDS_SAY}
