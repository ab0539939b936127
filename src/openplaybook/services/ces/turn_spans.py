"""A turn's spans as `Span` messages.

    Turn                  the turn, in the agent that it began in
      LLM                 a decision of the model
      Tool                a call that has ended, with what its tool asked and called
      Agent               an agent that was called as a tool, with what happened in it
      Guardrail           a guardrail that held something back

The tree is the one that OpenTelemetry gets (`turns.journal.spans`). Names and attributes are those that clients of CX
Agent Studio look for: cxas-scrapi's latency report, turn evaluations and guardrail evaluations.
"""

from collections.abc import Callable, Mapping, Sequence

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.services.ces.tool_messages import told_of
from openplaybook.services.ces.turn_messages import tool_name
from openplaybook.telemetry.spans import Moment, StepSpan
from openplaybook.turns.base import TraceEvent, TurnResult
from openplaybook.turns.journal.spans import TurnFacts, span_tree
from openplaybook.wire.codec.structs import fill_struct
from openplaybook.wire.messages import ApiMessage

_GUARDRAIL = "GUARDRAIL"
_STEP, _END_STEP = "openplaybook.step", "openplaybook.end_step"
"""Attributes that say which events of the trace a span is of."""


def fill_root_span(result: TurnResult, trace: Sequence[TraceEvent], session_id: str, span: ApiMessage) -> None:
    """Fill the span of a turn; `trace` is the result's, as clients see it."""
    first = trace[0] if trace else None
    playbook = result.current_playbook if first is None else first.playbook
    display_name = result.current_playbook_display_name if first is None else first.playbook_display_name
    facts = TurnFacts(playbook, display_name, session_id, result.response_id, 0)
    tree = span_tree(trace, facts)
    told: JsonObject = {"agent": display_name, "turn index": result.index, "response id": result.response_id}
    _fill(span, "Turn", tree.start_us, tree.end_us, told)
    _fill_children(tree, trace, span)


def _fill_children(parent: StepSpan, trace: Sequence[TraceEvent], span: ApiMessage) -> None:
    for child in parent.children:
        event = trace[int(str(child.attributes[_STEP]))]
        name, describe = _DESCRIPTIONS.get(event.kind, ("", _nothing))
        told = describe(event)
        if told is None:
            continue
        shown = span.child_spans.add()
        if isinstance(child, Moment):
            _fill(shown, name, child.at_us, child.at_us, told)
            continue
        if _END_STEP in child.attributes:
            told = {**told, "response": trace[int(str(child.attributes[_END_STEP]))].data["output"]}
        _fill(shown, name, child.start_us, child.end_us, told)
        _fill_children(child, trace, shown)


def _fill(span: ApiMessage, name: str, start_us: int, end_us: int, attributes: JsonObject) -> None:
    span.name = name
    span.start_time.FromMicroseconds(start_us)
    span.end_time.FromMicroseconds(end_us)
    span.duration.FromMicroseconds(max(0, end_us - start_us))
    fill_struct(attributes, span.attributes, 0)


def _model(event: TraceEvent) -> JsonObject:
    said, call = event.data, as_object(event.data.get("call"))
    told: JsonObject = {
        "agent": event.playbook_display_name,
        "model": said["model"],
        "input token count": said["input_tokens"],
        "output token count": said["output_tokens"],
        "attempts": said["attempts"],
    }
    if isinstance(first := call.get("first"), int) and first:
        told["time to first chunk (ms)"] = (first - event.start_us) / 1000
    if said["evidence"]:
        told["evidence"] = said["evidence"]
    return {**told, "error": said["error"]["code"]} if "error" in said else told


def _tool(event: TraceEvent) -> JsonObject:
    said = event.data
    told: JsonObject = {
        "agent": event.playbook_display_name,
        "name": tool_name(event),
        "id": said["call_id"],
        "args": said["arguments"],
    }
    if not event.end_us:
        return told
    requests = {"requests": said["exchanges"]} if said["exchanges"] else {}
    return {**told, "response": told_of(said.get("output"), said.get("error")), **requests}


def _agent(event: TraceEvent) -> JsonObject | None:
    if "state" in event.data:  # the end of the conversation
        return None
    return {"agent": event.data["playbook_display_name"], "args": event.data["arguments"]}


def _notice(event: TraceEvent) -> JsonObject | None:
    said = event.data
    if said["code"] != _GUARDRAIL:
        return None
    return {
        "agent": event.playbook_display_name,
        "name": said.get("guardrail", said["message"]),
        "type": "ContentFilter",
        "reason": said["message"],
    }


def _nothing(event: TraceEvent) -> None:
    """What has no span of its own: words stand in the messages."""


_DESCRIPTIONS: Mapping[str, tuple[str, Callable[[TraceEvent], JsonObject | None]]] = {
    "model": ("LLM", _model),
    "tool": ("Tool", _tool),
    "playbook": ("Agent", _agent),
    "notice": ("Guardrail", _notice),
}
