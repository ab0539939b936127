from openplaybook.telemetry.spans import AgentSpan, ChatSpan, ToolSpan
from openplaybook.turns.base import TextInput, TraceEvent, TurnRequest, TurnResult
from openplaybook.turns.spans import agent_span


def event(kind: str, start: int, end: int, **data: object) -> TraceEvent:
    return TraceEvent(kind, "p", "Start", 1, start, end, data)


def test_a_turn_is_a_span_with_its_model_and_tool_calls() -> None:
    trace = (
        event("user", 1, 1, text="hi"),
        event("model", 2, 3, model="m", input_tokens=5, output_tokens=6),
        event("tool", 3, 4, action="getPet", call_id="c1"),
        event("tool", 4, 5, action="getPet", call_id="c2", error={"code": "TIMEOUT", "message": "late"}),
        event("tool", 5, 0, action="weather", call_id="c3"),
    )
    request = TurnRequest("a", "a/sessions/s", TextInput("hi"), "en")
    result = TurnResult("r", (), {}, "p", "Start", "hi", "en", trace, paused=True)
    assert agent_span(request, result, 1, 9) == AgentSpan(
        agent="a",
        agent_display_name="Start",
        session="a/sessions/s",
        start_us=1,
        end_us=9,
        calls=[
            ChatSpan("m", 2, 3, input_tokens=5, output_tokens=6),
            ToolSpan("getPet", "c1", 3, 4),
            ToolSpan("getPet", "c2", 4, 5, error="TIMEOUT"),
        ],
    )
