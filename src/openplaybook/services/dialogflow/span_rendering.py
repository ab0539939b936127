"""A turn's spans as JSON, in the shape of the Customer Engagement Suite's `DiagnosticInfo.root_span`."""

from collections.abc import Sequence
from datetime import UTC, datetime

from openplaybook.jsonvalues import JsonObject
from openplaybook.telemetry.otel_spans import SpanEvent, StepSpan
from openplaybook.turns.base import TraceStep, TurnResult
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree


def root_span(result: TurnResult, session_id: str) -> JsonObject:
    """The turn as `Span` of google.cloud.ces: name, startTime, endTime, attributes, childSpans.

    Words, arguments and results are in it, as they are in the rest of the response.
    """
    playbook, display_name = _first_playbook(result.trace) or (
        result.current_playbook,
        result.current_playbook_display_name,
    )
    facts = TurnFacts(playbook, display_name, session_id, result.response_id, 0, with_content=True)
    return _span(span_tree(result.trace, facts))


def _first_playbook(trace: Sequence[TraceStep]) -> tuple[str, str] | None:
    return (trace[0].playbook, trace[0].playbook_display_name) if trace else None


def _span(step: StepSpan | SpanEvent) -> JsonObject:
    is_moment = isinstance(step, SpanEvent)
    error = {} if is_moment or not step.error else {"error.type": step.error}
    shown: JsonObject = {
        "name": step.name,
        "startTime": _time(step.at_us if is_moment else step.start_us),
        "endTime": _time(step.at_us if is_moment else step.end_us),
        "attributes": {**step.attributes, **error},
    }
    children = () if is_moment else step.children
    return {**shown, "childSpans": [_span(child) for child in children]} if children else shown


def _time(us: int) -> str:
    seconds, micros = divmod(us, 1_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{micros:06}Z"
