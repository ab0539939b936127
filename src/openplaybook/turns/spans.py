"""A turn's trace as OpenTelemetry spans."""

from openplaybook.jsonvalues import as_object
from openplaybook.telemetry.spans import AgentSpan, ChatSpan, ToolSpan
from openplaybook.turns.base import TraceEvent, TurnRequest, TurnResult


def agent_span(request: TurnRequest, result: TurnResult, start_us: int, end_us: int) -> AgentSpan:
    """The span of a turn that came to a result, with the model and tool calls made in it."""
    return AgentSpan(
        agent=request.agent,
        agent_display_name=result.current_playbook_display_name,
        session=request.session,
        start_us=start_us,
        end_us=end_us,
        calls=[span for event in result.trace if (span := _call_span(event)) is not None],
    )


def _call_span(event: TraceEvent) -> ChatSpan | ToolSpan | None:
    """A call that has ended; None for what is no call, or waits for the client."""
    data = event.data
    if event.kind == "model":
        return ChatSpan(
            model=data["model"],
            start_us=event.start_us,
            end_us=event.end_us,
            input_tokens=data["input_tokens"],
            output_tokens=data["output_tokens"],
        )
    if event.kind == "tool" and event.end_us:
        error = str(as_object(data.get("error")).get("code", ""))
        return ToolSpan(data["action"], data["call_id"], event.start_us, event.end_us, error=error)
    return None
