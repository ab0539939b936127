"""A turn's spans as `Span` messages.

    Turn                  the turn, in the agent that it began in
      LLM                 a decision of the model
      Tool                a call that has ended, with what its tool asked and called
      Agent               an agent that was called as a tool, with what happened in it
      Guardrail           a guardrail that held something back

The tree is the one that OpenTelemetry gets (`turns.journal.spans`). Names and attributes are those that clients of CX
Agent Studio look for: cxas-scrapi's latency report, turn evaluations and guardrail evaluations.
"""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.ces.turn_messages import response_of, tool_name
from openplaybook.telemetry.otel_spans import SpanEvent, StepSpan
from openplaybook.turns.base import DepartureStep, EntryStep, ModelStep, NoticeStep, ToolStep, TraceStep, TurnResult
from openplaybook.turns.journal.rows import exchange_json
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree
from openplaybook.wire.codec.structs import fill_struct
from openplaybook.wire.messages import ApiMessage

_STEP, _END_STEP = "openplaybook.step", "openplaybook.end_step"
"""Attributes that say which events of the trace a span is of."""


def fill_root_span(result: TurnResult, trace: Sequence[TraceStep], session_id: str, span: ApiMessage) -> None:
    """Fill the span of a turn; `trace` is the result's, as clients see it."""
    first = trace[0] if trace else None
    playbook = result.current_playbook if first is None else first.playbook
    display_name = result.current_playbook_display_name if first is None else first.playbook_display_name
    facts = TurnFacts(playbook, display_name, session_id, result.response_id, 0)
    tree = span_tree(trace, facts)
    attributes: JsonObject = {"agent": display_name, "turn index": result.index, "response id": result.response_id}
    _fill(span, "Turn", tree.start_us, tree.end_us, attributes)
    _fill_children(tree, trace, span)


def _fill_children(parent: StepSpan, trace: Sequence[TraceStep], span: ApiMessage) -> None:
    for child in parent.children:
        described = _described(trace[int(str(child.attributes[_STEP]))])
        if described is None:
            continue
        name, attributes = described
        child_span = span.child_spans.add()
        if isinstance(child, SpanEvent):
            _fill(child_span, name, child.at_us, child.at_us, attributes)
            continue
        if _END_STEP in child.attributes:
            end = trace[int(str(child.attributes[_END_STEP]))]
            attributes |= {"response": end.output} if isinstance(end, DepartureStep) else {}
        _fill(child_span, name, child.start_us, child.end_us, attributes)
        _fill_children(child, trace, child_span)


def _fill(span: ApiMessage, name: str, start_us: int, end_us: int, attributes: JsonObject) -> None:
    span.name = name
    span.start_time.FromMicroseconds(start_us)
    span.end_time.FromMicroseconds(end_us)
    span.duration.FromMicroseconds(max(0, end_us - start_us))
    fill_struct(attributes, span.attributes, 0)


def _described(step: TraceStep) -> tuple[str, JsonObject] | None:
    """Name and attributes of a step's span; None for what has none of its own: words stand in the messages."""
    agent: JsonObject = {"agent": step.playbook_display_name}
    match step:
        case ModelStep():
            return "LLM", agent | _decision(step)
        case ToolStep():
            return "Tool", agent | _call(step)
        case EntryStep():
            return "Agent", agent | {"args": step.arguments}
        case NoticeStep(code="GUARDRAIL"):
            name = step.message if step.guardrail is None else step.guardrail
            return "Guardrail", agent | {"name": name, "type": "ContentFilter", "reason": step.message}
        case _:
            return None


def _decision(step: ModelStep) -> JsonObject:
    attributes: JsonObject = {
        "model": step.model,
        "input token count": step.usage.input_tokens,
        "output token count": step.usage.output_tokens,
        "attempts": step.attempts,
    }
    if step.facts.first:
        attributes["time to first chunk (ms)"] = (step.facts.first - step.start_us) / 1000
    if step.evidence:
        attributes["evidence"] = step.evidence
    return attributes if step.error is None else {**attributes, "error": step.error.code}


def _call(step: ToolStep) -> JsonObject:
    attributes: JsonObject = {"name": tool_name(step), "id": step.call_id, "args": step.arguments}
    if not step.end_us:
        return attributes
    requests = [exchange_json(each) for each in step.exchanges]
    return {**attributes, "response": response_of(step), **({"requests": requests} if requests else {})}
