"""A turn's trace in Google's shapes: `generativeInfo`, `traceBlocks` and `diagnosticInfo`."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from openplaybook.jsonvalues import JsonObject
from openplaybook.telemetry.otel_spans import SpanEvent, StepSpan
from openplaybook.tools.data_store.signals import CONFIG, INVALID_SEARCH_CONFIG
from openplaybook.turns.base import (
    AgentStep,
    DepartureStep,
    EntryStep,
    HandlerStep,
    ModelStep,
    NoticeStep,
    PlaybookStep,
    StepFault,
    ToolStep,
    TraceStep,
    TransitionStep,
    TurnResult,
    UserStep,
)
from openplaybook.turns.journal.rows import exchange_json
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree
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


def fill_action(step: TraceStep, action: ApiMessage) -> bool:
    """Render one step as an Action; False for steps that Google's trace has no action for."""
    match step:
        case UserStep():
            action.user_utterance.text = step.text
        case AgentStep():
            action.agent_utterance.text = step.text
        case ModelStep():
            _fill_decision(step, action)
        case ToolStep():
            _fill_tool(step, action)
        case PlaybookStep():
            _fill_playbook(step, action.playbook_invocation)
        case TransitionStep():
            _fill_transition(step, action.playbook_transition)
        case _:
            return False
    action.start_time.FromMicroseconds(step.start_us)
    if step.end_us:
        action.complete_time.FromMicroseconds(step.end_us)
    return True


def fill_generative_info(trace: Iterable[TraceStep], result: TurnResult, info: ApiMessage) -> None:
    """Every step of the turn as one example, and the playbook the session is in."""
    info.current_playbooks.append(result.current_playbook)
    example = info.action_tracing_info
    example.display_name = result.current_playbook_display_name
    example.language_code = result.language_code
    fill_actions(trace, example.actions)


def fill_actions(trace: Iterable[TraceStep], actions: ApiMessage) -> None:
    """Append the actions of a trace."""
    for step in trace:
        if not fill_action(step, actions.add()):
            del actions[-1]


def fill_trace_blocks(trace: Sequence[TraceStep], blocks: ApiMessage, *, beta: bool) -> None:
    """One block for each run of steps in one playbook, in order of time.

    Without `beta` the steps that v3 has no action for are left out: its clients would see actions with nothing in them.
    """
    block: ApiMessage = None
    frame = -1
    for step in trace:
        if block is None or step.frame != frame:
            block, frame = blocks.add(), step.frame
            block.playbook_trace_metadata.playbook = step.playbook
            block.playbook_trace_metadata.display_name = step.playbook_display_name
            block.start_time.FromMicroseconds(step.start_us)
        if step.end_us:
            block.complete_time.FromMicroseconds(step.end_us)
        if isinstance(step, DepartureStep):
            read_struct(step.output, block.output_parameters)
            block.end_state = _enum(block, "end_state", _END_STATES.get(step.state, ""))
        if beta or not isinstance(step, ModelStep):
            fill_actions((step,), block.actions)


def diagnostic_info(result: TurnResult, session_id: str, *, with_spans: bool) -> JsonObject:
    """What Google's typed trace has no place for, as free-form JSON; `with_spans` also the turn as spans."""
    trace = result.trace
    diagnostics: JsonObject = {
        "Session Id": session_id,
        "Model Calls": [_decision_diagnosis(step) for step in trace if isinstance(step, ModelStep)],
        "Tool Calls": [_tool_diagnosis(step) for step in trace if isinstance(step, ToolStep) and step.end_us],
        "Handlers": [_handler_diagnosis(step) for step in trace if isinstance(step, HandlerStep)],
        "Notices": [f"{step.code}: {step.message}" for step in trace if isinstance(step, NoticeStep)],
        "SystemFunctionResults": [fault for step in trace if (fault := _search_fault(step))],
        "search_signals": next((step.signals[CONFIG] for step in _searches(trace) if CONFIG in step.signals), None),
    }
    if with_spans:
        diagnostics["Root Span"] = root_span(result, session_id)
    return {name: value for name, value in diagnostics.items() if value}


def connection_signals(trace: Iterable[TraceStep]) -> JsonObject:
    """How the turn's last answer from data stores came about (`DataStoreConnectionSignals`, JSON form); empty where
    none was asked for."""
    found = [step.signals for step in _searches(trace)]
    return {name: value for name, value in found[-1].items() if name != CONFIG} if found else {}


def _searches(trace: Iterable[TraceStep]) -> list[ToolStep]:
    return [step for step in trace if isinstance(step, ToolStep) and step.signals]


def _search_fault(step: TraceStep) -> JsonObject:
    """A filter or boost that could not be read, where Google tells of it; empty for any other step."""
    if not isinstance(step, ToolStep) or step.error is None or step.error.code != INVALID_SEARCH_CONFIG:
        return {}
    return {"Tool": step.tool_display_name or step.tool, "Error": step.error.to_json()}


def enum_value(api: Api, message: str, field: str, name: str) -> int:
    """Number of an enum value by the field that holds it; 0 for a name it does not have."""
    return _enum(api.message(message)(), field, name)


def _decision_diagnosis(step: ModelStep) -> JsonObject:
    return {
        "Model": step.model,
        "Input Tokens": step.usage.input_tokens,
        "Output Tokens": step.usage.output_tokens,
        "Attempts": step.attempts,
        "Latency Ms": _latency_ms(step),
        **({"Evidence": step.evidence} if step.evidence else {}),
        **({} if step.error is None else {"Error": step.error.to_json()}),
    }


def _tool_diagnosis(step: ToolStep) -> JsonObject:
    diagnosis: JsonObject = {
        "Tool": step.tool_display_name or step.tool,
        "Action": step.action,
        "Call Id": step.call_id,
        "Within": step.within,
        "Latency Ms": _latency_ms(step),
        "Requests": [exchange_json(each) for each in step.exchanges],
        "Error": None if step.error is None else step.error.to_json(),
        "Note": step.note,
    }
    return {name: value for name, value in diagnosis.items() if value}


def _latency_ms(step: TraceStep) -> float:
    return (step.end_us - step.start_us) / 1000


def _handler_diagnosis(step: HandlerStep) -> JsonObject:
    diagnosis: JsonObject = {
        "Playbook": step.playbook_display_name,
        "Stage": step.stage,
        "Event": step.event,
        "Handler": step.handler,
        "Condition": step.condition,
        "Call Id": step.call_id,
        "Messages": step.messages,
        "Parameters": list(step.parameters),
    }
    return {name: value for name, value in diagnosis.items() if value not in ("", [])}


def _fill_decision(step: ModelStep, action: ApiMessage) -> None:
    action.llm_call.model = step.model
    action.llm_call.token_count.total_input_token_count = step.usage.input_tokens
    action.llm_call.token_count.total_output_token_count = step.usage.output_tokens
    _fill_error(step.error, action)


def _fill_tool(step: ToolStep, action: ApiMessage) -> None:
    use = action.tool_use
    use.tool = step.tool
    use.display_name = step.tool_display_name
    use.action = step.action
    read_struct(step.arguments, use.input_action_parameters)
    if step.output is not None:
        read_struct(step.output, use.output_action_parameters)
    _fill_error(step.error, action)


def _fill_error(error: StepFault | None, action: ApiMessage) -> None:
    if error is not None:
        action.status.exception.error_message = f"{error.code}: {error.message}"


def _fill_playbook(step: PlaybookStep, call: ApiMessage) -> None:
    call.playbook = step.playbook
    call.display_name = step.playbook_display_name
    match step:
        case EntryStep():
            read_struct(step.arguments, call.playbook_input.action_parameters)
        case DepartureStep():
            read_struct(step.output, call.playbook_output.action_parameters)
            call.playbook_output.execution_summary = step.summary
            call.playbook_state = _enum(call, "playbook_state", _END_STATES.get(step.state, ""))
        case _:
            pass


def _fill_transition(step: TransitionStep, move: ApiMessage) -> None:
    move.playbook = step.playbook
    move.display_name = step.playbook_display_name
    read_struct(step.arguments, move.input_action_parameters)


def _enum(message: ApiMessage, field: str, name: str) -> int:
    value = message.DESCRIPTOR.fields_by_name[field].enum_type.values_by_name.get(name)
    return 0 if value is None else value.number


def root_span(result: TurnResult, session_id: str) -> JsonObject:
    """The turn as `Span` of google.cloud.ces: name, startTime, endTime, attributes, childSpans.

    Words, arguments and results are in it, as they are in the rest of the response.
    """
    first = result.trace[0] if result.trace else None
    playbook = result.current_playbook if first is None else first.playbook
    display_name = result.current_playbook_display_name if first is None else first.playbook_display_name
    facts = TurnFacts(playbook, display_name, session_id, result.response_id, 0, with_content=True)
    return _span(span_tree(result.trace, facts))


def _span(step: StepSpan | SpanEvent) -> JsonObject:
    is_moment = isinstance(step, SpanEvent)
    error = {} if is_moment or not step.error else {"error.type": step.error}
    span: JsonObject = {
        "name": step.name,
        "startTime": _time(step.at_us if is_moment else step.start_us),
        "endTime": _time(step.at_us if is_moment else step.end_us),
        "attributes": {**step.attributes, **error},
    }
    children = () if is_moment else step.children
    return {**span, "childSpans": [_span(child) for child in children]} if children else span


def _time(us: int) -> str:
    seconds, micros = divmod(us, 1_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{micros:06}Z"
