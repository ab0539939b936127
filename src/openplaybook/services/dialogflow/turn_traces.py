"""A turn's trace in Google's shapes: `generativeInfo`, `traceBlocks` and `diagnosticInfo`."""

from collections.abc import Callable, Iterable, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.dialogflow.span_rendering import root_span
from openplaybook.turns.base import TraceEvent, TurnResult
from openplaybook.wire.api import Api
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage

_END_STATES = {
    "OK": "OUTPUT_STATE_OK",
    "CANCELLED": "OUTPUT_STATE_CANCELLED",
    "FAILED": "OUTPUT_STATE_FAILED",
    "ESCALATED": "OUTPUT_STATE_ESCALATED",
    "PENDING": "OUTPUT_STATE_PENDING",
}


def fill_action(event: TraceEvent, action: ApiMessage) -> bool:
    """Render one event as an Action; False for events that Google's trace has no action for."""
    fill = _ACTIONS.get(event.kind)
    if fill is None:
        return False
    fill(event, action)
    action.start_time.FromMicroseconds(event.start_us)
    if event.end_us:
        action.complete_time.FromMicroseconds(event.end_us)
    return True


def fill_generative_info(trace: Iterable[TraceEvent], result: TurnResult, info: ApiMessage) -> None:
    """Every step of the turn as one example, and the playbook the session is in."""
    info.current_playbooks.append(result.current_playbook)
    example = info.action_tracing_info
    example.display_name = result.current_playbook_display_name
    example.language_code = result.language_code
    fill_actions(trace, example.actions)


def fill_actions(trace: Iterable[TraceEvent], actions: ApiMessage) -> None:
    """Append the actions of a trace."""
    for event in trace:
        if not fill_action(event, actions.add()):
            del actions[-1]


def fill_trace_blocks(trace: Sequence[TraceEvent], blocks: ApiMessage, *, beta: bool) -> None:
    """One block for each run of steps in one playbook, in order of time.

    Without `beta` the steps that v3 has no action for are left out: its clients would see actions with nothing in them.
    """
    block: ApiMessage = None
    frame = -1
    for event in trace:
        if block is None or event.frame != frame:
            block, frame = blocks.add(), event.frame
            block.playbook_trace_metadata.playbook = event.playbook
            block.playbook_trace_metadata.display_name = event.playbook_display_name
            block.start_time.FromMicroseconds(event.start_us)
        if event.end_us:
            block.complete_time.FromMicroseconds(event.end_us)
        if event.kind == "playbook" and "state" in event.data:
            read_struct(event.data["output"], block.output_parameters)
            block.end_state = _enum(block, "end_state", _END_STATES.get(event.data["state"], ""))
        if beta or event.kind not in _BETA_KINDS:
            fill_actions((event,), block.actions)


def diagnostic_info(result: TurnResult, session_id: str, *, with_spans: bool) -> JsonObject:
    """What Google's typed trace has no place for, as free-form JSON; `with_spans` also the turn as spans."""
    tools = [_tool_diagnosis(event) for event in result.trace if event.kind == "tool" and event.end_us]
    models = [
        {
            "Model": event.data["model"],
            "Input Tokens": event.data["input_tokens"],
            "Output Tokens": event.data["output_tokens"],
            "Attempts": event.data["attempts"],
            "Latency Ms": (event.end_us - event.start_us) / 1000,
            **({"Evidence": event.data["evidence"]} if event.data["evidence"] else {}),
            **({"Error": event.data["error"]} if "error" in event.data else {}),
        }
        for event in result.trace
        if event.kind == "model"
    ]
    notices = [f"{event.data['code']}: {event.data['message']}" for event in result.trace if event.kind == "notice"]
    handlers = [_handler_diagnosis(event) for event in result.trace if event.kind == "handler"]
    found: JsonObject = {
        "Session Id": session_id,
        "Model Calls": models,
        "Tool Calls": tools,
        "Handlers": handlers,
        "Notices": notices,
    }
    if with_spans:
        found["Root Span"] = root_span(result, session_id)
    return {name: value for name, value in found.items() if value}


def enum_value(api: Api, message: str, field: str, name: str) -> int:
    """Number of an enum value by the field that holds it; 0 for a name it does not have."""
    return _enum(api.message(message)(), field, name)


def _tool_diagnosis(event: TraceEvent) -> JsonObject:
    said = event.data
    told: JsonObject = {
        "Tool": said["tool_display_name"] or said["tool"],
        "Action": said["action"],
        "Call Id": said["call_id"],
        "Within": said.get("within"),
        "Latency Ms": (event.end_us - event.start_us) / 1000,
        "Requests": said["exchanges"],
        "Error": said.get("error"),
        "Note": said["note"],
    }
    return {name: value for name, value in told.items() if value}


def _handler_diagnosis(event: TraceEvent) -> JsonObject:
    said = event.data
    told: JsonObject = {
        "Playbook": event.playbook_display_name,
        "Stage": said["stage"],
        "Event": said["event"],
        "Handler": said["handler"],
        "Condition": said["condition"],
        "Call Id": said["call"],
        "Messages": said["messages"],
        "Parameters": said["parameters"],
    }
    return {name: value for name, value in told.items() if value not in ("", [])}


def _user(event: TraceEvent, action: ApiMessage) -> None:
    action.user_utterance.text = event.data["text"]


def _agent(event: TraceEvent, action: ApiMessage) -> None:
    action.agent_utterance.text = event.data["text"]


def _model(event: TraceEvent, action: ApiMessage) -> None:
    action.llm_call.model = event.data["model"]
    action.llm_call.token_count.total_input_token_count = event.data["input_tokens"]
    action.llm_call.token_count.total_output_token_count = event.data["output_tokens"]
    _fill_error(event, action)


def _tool(event: TraceEvent, action: ApiMessage) -> None:
    use = action.tool_use
    use.tool = event.data["tool"]
    use.display_name = event.data["tool_display_name"]
    use.action = event.data["action"]
    read_struct(event.data["arguments"], use.input_action_parameters)
    if event.data.get("output") is not None:
        read_struct(event.data["output"], use.output_action_parameters)
    _fill_error(event, action)


def _fill_error(event: TraceEvent, action: ApiMessage) -> None:
    if error := event.data.get("error"):
        action.status.exception.error_message = f"{error['code']}: {error['message']}"


def _playbook(event: TraceEvent, action: ApiMessage) -> None:
    call = action.playbook_invocation
    call.playbook = event.data["playbook"]
    call.display_name = event.data["playbook_display_name"]
    if "state" in event.data:
        read_struct(event.data["output"], call.playbook_output.action_parameters)
        call.playbook_output.execution_summary = event.data.get("summary", "")
        call.playbook_state = _enum(call, "playbook_state", _END_STATES.get(event.data["state"], ""))
    else:
        read_struct(event.data["arguments"], call.playbook_input.action_parameters)


def _transition(event: TraceEvent, action: ApiMessage) -> None:
    move = action.playbook_transition
    move.playbook = event.data["playbook"]
    move.display_name = event.data["playbook_display_name"]
    read_struct(event.data["arguments"], move.input_action_parameters)


def _enum(message: ApiMessage, field: str, name: str) -> int:
    value = message.DESCRIPTOR.fields_by_name[field].enum_type.values_by_name.get(name)
    return 0 if value is None else value.number


_ACTIONS: dict[str, Callable[[TraceEvent, ApiMessage], None]] = {
    "user": _user,
    "agent": _agent,
    "model": _model,
    "tool": _tool,
    "playbook": _playbook,
    "transition": _transition,
}

_BETA_KINDS = frozenset({"model"})
