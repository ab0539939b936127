"""DetectIntentRequest, in the engine's words.

Who makes the tool calls of a turn is said by a field, by a header, or by a session parameter.
"""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import PLAYBOOKS, SESSIONS, ResourceName
from openplaybook.resources.playbook_compiler import compile_llm_settings
from openplaybook.services.turn_requests import (
    check_size,
    contents_bytes,
    request_key,
    struct_json,
    take_files,
    timeout_s,
)
from openplaybook.tools.session_files import EXECUTIONS
from openplaybook.turns.agent.snapshot import ALWAYS_CLIENT, AS_KINDS_SAY
from openplaybook.turns.base import EventInput, TextInput, ToolResultInput, TurnInput, TurnRequest
from openplaybook.wire.api import Api
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

_UNSERVED = {
    "intent": "an intent",
    "audio": "audio",
    "dtmf": "DTMF",
}


def turn_request(api: Api, request: ApiMessage, context: RpcContext) -> TurnRequest:
    """The turn that a request asks for. Raises `RpcError` for what it lacks or what is not served."""
    query, parameters = request.query_input, request.query_params
    check_size(api, request, of_files=contents_bytes(parameters.payload))
    session = _session(request.session)
    if not query.language_code:
        raise RpcError(Code.INVALID_ARGUMENT, "query_input.language_code is required, for example 'en'.")
    turn_input = _input(api, query)
    session_parameters = struct_json(api, parameters.parameters)
    name = str(session)
    payload = take_files(struct_json(api, parameters.payload), name)
    client_execution = _take_execution_mode(api, parameters, session_parameters, context)
    return TurnRequest(
        agent=session.root,
        session=name,
        input=turn_input,
        language_code=query.language_code,
        parameters={name: value for name, value in session_parameters.items() if value is not None},
        removed=frozenset(name for name, value in session_parameters.items() if value is None),
        payload=payload.values,
        files=payload.files,
        end_user_metadata=struct_json(api, parameters.end_user_metadata),
        current_playbook=_playbook(parameters.current_playbook, session),
        session_ttl_s=_seconds(parameters),
        settings=_settings(api, parameters),
        request_key=request_key(context),
        trace_parent=context.metadata.get("traceparent", ""),
        timeout_s=timeout_s(context),
        client_execution=client_execution,
        search_config=_search_config(api, parameters),
    )


def not_honoured(request: ApiMessage) -> list[str]:
    """What a request asks for and does not get here, each with the reason."""
    parameters = request.query_params
    fields = {field.name for field, _ in parameters.ListFields()}
    refusals = [f"query_params.{name}: {reason}" for name, reason in _NOT_HONOURED.items() if name in fields]
    if request.HasField("output_audio_config"):
        refusals.append("output_audio_config: this server has no speech output")
    return refusals


_NO_FLOWS = "flows are not run here"
_NOT_HONOURED = {
    "time_zone": "time zones are not used here",
    "geo_location": "locations are not used here",
    "session_entity_types": f"entity types belong to flows, and {_NO_FLOWS}",
    "parameter_scope": "the parameters are the session's",
    "current_page": _NO_FLOWS,
    "flow_versions": _NO_FLOWS,
    "webhook_headers": "webhooks are not called here",
    "analyze_query_text_sentiment": "sentiment is not analysed here",
    "channel": "responses do not depend on a channel",
}


def _session(name: str) -> ResourceName:
    try:
        session = SESSIONS.parse(name)
    except InvalidName as error:
        raise RpcError(Code.INVALID_ARGUMENT, str(error)) from None
    if session.id == EXECUTIONS:
        raise RpcError(Code.INVALID_ARGUMENT, f"session: {EXECUTIONS!r} is reserved for executions of tools.")
    if session.parent != session.root:
        raise RpcError(Code.NOT_FOUND, f"Environment {session.parent} does not exist; the draft is the one called '-'.")
    return session


def _input(api: Api, query: ApiMessage) -> TurnInput:
    kind = query.WhichOneof("input")
    if kind is None:
        raise RpcError(Code.INVALID_ARGUMENT, "query_input has no input: give text, event or tool_call_result.")
    if kind in _UNSERVED:
        raise RpcError(
            Code.UNIMPLEMENTED, f"Input as {_UNSERVED[kind]} is not served yet: give text, event or tool_call_result."
        )
    if kind == "text":
        if not query.text.text.strip():
            raise RpcError(Code.INVALID_ARGUMENT, "query_input.text.text is empty.")
        return TextInput(query.text.text)
    if kind == "event":
        if not query.event.event:
            raise RpcError(Code.INVALID_ARGUMENT, "query_input.event.event is empty.")
        return EventInput(query.event.event)
    return _tool_result(api, query.tool_call_result)


def _tool_result(api: Api, result: ApiMessage) -> ToolResultInput:
    for field in ("tool", "action"):
        if not getattr(result, field):
            raise RpcError(Code.INVALID_ARGUMENT, f"query_input.tool_call_result.{field} is required.")
    outcome = result.WhichOneof("result")
    if outcome is None:
        raise RpcError(
            Code.INVALID_ARGUMENT, "query_input.tool_call_result has no result: give output_parameters or error."
        )
    failed = outcome == "error"
    return ToolResultInput(
        tool=result.tool,
        action=result.action,
        call_id=result.id,
        output=None if failed else struct_json(api, result.output_parameters),
        error=result.error.message if failed else None,
    )


def _settings(api: Api, parameters: ApiMessage) -> LlmSettings:
    if not parameters.HasField("llm_model_settings"):
        return _NO_SETTINGS
    return compile_llm_settings(api.codec.to_json(parameters.llm_model_settings))


_NO_SETTINGS = LlmSettings()


def _search_config(api: Api, parameters: ApiMessage) -> JsonObject:
    """What the request wants of searches in data stores; it holds for this request alone."""
    if not parameters.HasField("search_config"):
        return {}
    return api.codec.to_json(parameters.search_config)


def _playbook(name: str, session: ResourceName) -> str | None:
    if not name:
        return None
    try:
        playbook = PLAYBOOKS.parse(name)
    except InvalidName as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"query_params.current_playbook: {error}") from None
    if playbook.root != session.root:
        raise RpcError(
            Code.INVALID_ARGUMENT, f"query_params.current_playbook: {name} is not a playbook of {session.root}."
        )
    return str(playbook)


def _seconds(parameters: ApiMessage) -> float | None:
    if not parameters.HasField("session_ttl"):
        return None
    seconds = float(parameters.session_ttl.seconds) + parameters.session_ttl.nanos / 1e9
    if seconds <= 0:
        raise RpcError(Code.INVALID_ARGUMENT, "query_params.session_ttl must be more than 0 seconds.")
    return seconds


_MODE_FIELD = "query_params.playbook_state_override.playbook_execution_mode"
"""The documented field, which the types of Google's clients lack."""

_MODE_HEADER = "x-playbook-execution-mode"
"""HTTP header, or key of gRPC metadata."""

_MODE_PARAMETER = "playbook-execution-mode"
"""Session parameter: an instruction to the server, so that neither session, model nor tool ever has it."""

_MODES = {ALWAYS_CLIENT: True, AS_KINDS_SAY: False}
_UNSPECIFIED = "PLAYBOOK_EXECUTION_MODE_UNSPECIFIED"


def _take_execution_mode(
    api: Api, query_params: ApiMessage, parameters: JsonObject, context: RpcContext
) -> bool | None:
    """Whether clients make every tool call; None when the request does not say. The field goes before the header,
    the header before the session parameter.

    Takes the session parameter out of `parameters`. Raises `RpcError` for a value that is none.
    """
    override = query_params.playbook_state_override
    in_field = api.codec.to_json(override) if override.ByteSize() else {}
    settings: tuple[tuple[str, JsonValue], ...] = (
        (_MODE_FIELD, in_field.get("playbookExecutionMode")),
        (f"The header {_MODE_HEADER}", context.metadata.get(_MODE_HEADER)),
        (f"query_params.parameters.{_MODE_PARAMETER}", parameters.pop(_MODE_PARAMETER, None)),
    )
    modes = [_mode(where, value) for where, value in settings if value not in (None, _UNSPECIFIED)]
    return modes[0] if modes else None


def _mode(where: str, value: JsonValue) -> bool:
    if not isinstance(value, str) or value not in _MODES:
        raise RpcError(Code.INVALID_ARGUMENT, f"{where} is {value!r:.100}; allowed are {' and '.join(_MODES)}.")
    return _MODES[value]
