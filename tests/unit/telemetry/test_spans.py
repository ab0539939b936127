"""Spans of a turn, against a tracer that writes them down."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.util import types

from openplaybook.telemetry.spans import AgentSpan, ChatSpan, Spans, ToolSpan


class NotedSpan(trace.Span):
    """A span that keeps what it is told."""

    def __init__(
        self, number: int, name: str, kind: SpanKind, parent: int, attributes: types.Attributes, start_ns: int | None
    ) -> None:
        self.number, self.name, self.kind, self.parent = number, name, kind, parent
        self.attributes = dict(attributes or {})
        self.start_ns, self.end_ns = start_ns, None if start_ns is None else 0
        self.status: tuple[StatusCode, str | None] | None = None

    def end(self, end_time: int | None = None) -> None:
        self.end_ns = end_time

    def get_span_context(self) -> SpanContext:
        return SpanContext(1, self.number, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

    def set_attributes(self, attributes: types.Attributes) -> None:
        self.attributes.update(attributes or {})

    def set_attribute(self, key: str, value: types.AttributeValue) -> None:
        self.attributes[key] = value

    def set_status(self, status: Status | StatusCode, description: str | None = None) -> None:
        assert isinstance(status, Status)
        self.status = (status.status_code, status.description)

    def add_event(self, name: str, attributes: types.Attributes = None, timestamp: int | None = None) -> None:
        raise NotImplementedError

    def update_name(self, name: str) -> None:
        raise NotImplementedError

    def is_recording(self) -> bool:
        return True

    def record_exception(
        self,
        exception: BaseException,
        attributes: types.Attributes = None,
        timestamp: int | None = None,
        escaped: bool = False,
    ) -> None:
        raise NotImplementedError


@dataclass
class Notes(trace.Tracer, trace.TracerProvider):
    """A tracer, and the provider of it; `sampled` False: a sampler that wants nothing."""

    sampled: bool = True
    spans: list[NotedSpan] = field(default_factory=list[NotedSpan])
    asked: int = 0

    def get_tracer(
        self,
        instrumenting_module_name: str,
        instrumenting_library_version: str | None = None,
        schema_url: str | None = None,
        attributes: types.Attributes = None,
    ) -> trace.Tracer:
        return self

    def start_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: types.Attributes = None,
        links: Sequence[Link] | None = None,
        start_time: int | None = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
    ) -> trace.Span:
        self.asked += 1
        if not self.sampled:
            return trace.INVALID_SPAN
        parent = trace.get_current_span(context).get_span_context().span_id
        span = NotedSpan(len(self.spans) + 1, name, kind, parent, attributes, start_time)
        self.spans.append(span)
        return span

    @contextmanager
    def start_as_current_span(self, *args: str, **options: str) -> Generator[trace.Span]:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError
        yield


TURN = AgentSpan(
    agent="projects/p/locations/l/agents/a",
    agent_display_name="Pets",
    session="projects/p/locations/l/agents/a/sessions/s",
    start_us=1_000,
    end_us=9_000,
    calls=[
        ChatSpan("gpt", 1_100, 2_000, provider="openai", response_model="gpt-1", input_tokens=10, output_tokens=2),
        ToolSpan("pets__getPet", "call-1", 2_100, 3_000, error="TIMEOUT"),
        ChatSpan("offline", 3_100, 4_000),
    ],
)


def test_a_turn_is_an_agent_span_with_its_calls_beneath() -> None:
    notes = Notes()
    Spans(notes).emit(TURN)
    assert [(span.name, span.kind, span.parent) for span in notes.spans] == [
        ("invoke_agent Pets", SpanKind.INTERNAL, 0),
        ("chat gpt", SpanKind.CLIENT, 1),
        ("execute_tool pets__getPet", SpanKind.INTERNAL, 1),
        ("chat offline", SpanKind.CLIENT, 1),
    ]


def test_spans_have_the_times_of_what_they_tell_in_nanoseconds() -> None:
    notes = Notes()
    Spans(notes).emit(TURN)
    assert [(span.start_ns, span.end_ns) for span in notes.spans] == [
        (1_000_000, 9_000_000),
        (1_100_000, 2_000_000),
        (2_100_000, 3_000_000),
        (3_100_000, 4_000_000),
    ]


def test_attributes_have_the_names_of_the_genai_conventions() -> None:
    notes = Notes()
    Spans(notes).emit(TURN)
    assert [span.attributes for span in notes.spans] == [
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.id": "projects/p/locations/l/agents/a",
            "gen_ai.agent.name": "Pets",
            "gen_ai.conversation.id": "projects/p/locations/l/agents/a/sessions/s",
        },
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt",
            "gen_ai.response.model": "gpt-1",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 2,
        },
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "pets__getPet",
            "gen_ai.tool.type": "extension",
            "gen_ai.tool.call.id": "call-1",
            "error.type": "TIMEOUT",
        },
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "offline",
            "gen_ai.usage.input_tokens": 0,
            "gen_ai.usage.output_tokens": 0,
        },
    ]


def test_an_error_is_the_status_of_its_span_only() -> None:
    notes = Notes()
    Spans(notes).emit(TURN)
    assert [span.status for span in notes.spans] == [None, None, (StatusCode.ERROR, "TIMEOUT"), None]


def test_a_turn_stands_beneath_the_callers_span() -> None:
    notes = Notes()
    with trace.use_span(NotedSpan(77, "request", SpanKind.SERVER, 0, {}, 0)):
        Spans(notes).emit(TURN)
    assert notes.spans[0].parent == 77


def test_a_turn_that_the_sampler_drops_costs_one_question() -> None:
    notes = Notes(sampled=False)
    Spans(notes).emit(TURN)
    assert notes.asked == 1


def test_they_are_wanted_only_where_somebody_listens() -> None:
    assert Spans(Notes()).wanted
    assert not Spans(trace.NoOpTracerProvider()).wanted
    assert not Spans().wanted
    Spans().emit(TURN)
