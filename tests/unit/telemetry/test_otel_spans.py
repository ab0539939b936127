"""Spans and metrics of a turn, as OpenTelemetry's own SDK takes them down."""

import json

from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import SpanKind, StatusCode

from openplaybook.telemetry.otel_meters import GenAiMeters
from openplaybook.telemetry.otel_spans import SpanEvent, Spans, StepSpan

CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt",
    "gen_ai.conversation.id": "sessions/s",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.response.time_to_first_chunk": 0.0005,
}
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "getPet", "gen_ai.tool.call.id": "c1"}
TURN = StepSpan(
    "invoke_agent Pets",
    1_000,
    9_000,
    {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Pets"},
    children=(
        SpanEvent("openplaybook.user", 1_000, {"openplaybook.step": 0}),
        StepSpan("chat gpt", 1_100, 2_000, CHAT, is_client=True),
        StepSpan("execute_tool getPet", 2_100, 3_000, TOOL, error="TIMEOUT"),
    ),
)
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Exported:
    """A provider, and what came out of it."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def spans(self) -> dict[str, ReadableSpan]:
        """By name."""
        return {span.name: span for span in self._exporter.get_finished_spans()}


def emitted(trace_parent: str = "") -> dict[str, ReadableSpan]:
    exported = Exported()
    Spans(exported.provider).emit(TURN, trace_parent)
    return exported.spans()


def test_a_turn_is_a_span_with_its_steps_beneath_at_their_times() -> None:
    spans = emitted()
    assert [(name, span.kind, span.start_time, span.end_time) for name, span in spans.items()] == [
        ("chat gpt", SpanKind.CLIENT, 1_100_000, 2_000_000),
        ("execute_tool getPet", SpanKind.INTERNAL, 2_100_000, 3_000_000),
        ("invoke_agent Pets", SpanKind.INTERNAL, 1_000_000, 9_000_000),
    ]
    root = spans["invoke_agent Pets"]
    assert root.parent is None
    parents = [span.parent.span_id for span in spans.values() if span.parent is not None]
    assert parents == [(root.context.span_id if root.context else 0)] * 2


def test_what_takes_no_time_is_an_event_of_its_span() -> None:
    (event,) = emitted()["invoke_agent Pets"].events
    assert (event.name, event.timestamp, dict(event.attributes or {})) == (
        "openplaybook.user",
        1_000_000,
        {"openplaybook.step": 0},
    )


def test_an_error_is_the_status_and_type_of_its_span_only() -> None:
    found = {
        name: (span.status.status_code, (span.attributes or {}).get("error.type")) for name, span in emitted().items()
    }
    assert found == {
        "chat gpt": (StatusCode.UNSET, None),
        "execute_tool getPet": (StatusCode.ERROR, "TIMEOUT"),
        "invoke_agent Pets": (StatusCode.UNSET, None),
    }


def test_a_turn_stands_beneath_the_callers_span() -> None:
    root = emitted(PARENT)["invoke_agent Pets"]
    assert root.parent is not None
    assert (f"{root.parent.trace_id:032x}", f"{root.parent.span_id:016x}") == tuple(PARENT.split("-")[1:3])
    assert root.context is not None
    assert root.context.trace_id == root.parent.trace_id


def test_a_traceparent_that_cannot_be_read_counts_as_none() -> None:
    assert emitted("00-nonsense")["invoke_agent Pets"].parent is None


def test_a_turn_that_the_sampler_drops_is_not_written() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    Spans(provider).emit(TURN)
    assert exporter.get_finished_spans() == ()


def test_they_are_wanted_only_where_somebody_listens() -> None:
    assert Spans(TracerProvider(shutdown_on_exit=False)).wanted
    assert Spans(trace.NoOpTracerProvider(), GenAiMeters(MeterProvider(shutdown_on_exit=False))).wanted
    assert not Spans(trace.NoOpTracerProvider()).wanted
    assert not Spans().wanted
    Spans().emit(TURN)


def test_each_span_is_measured_by_the_names_of_the_conventions() -> None:
    reader = InMemoryMetricReader()
    meters = GenAiMeters(MeterProvider([reader], shutdown_on_exit=False))
    Spans(trace.NoOpTracerProvider(), meters).emit(TURN)
    data = reader.get_metrics_data()
    assert data is not None
    found: dict[str, list[tuple[float, str]]] = {}
    for metric in data.resource_metrics[0].scope_metrics[0].metrics:
        for point in metric.data.data_points:
            assert isinstance(point, HistogramDataPoint)
            found.setdefault(metric.name, []).append((point.sum, json.dumps(dict(point.attributes or {}))))
    chat = {name: value for name, value in CHAT.items() if name.rpartition(".")[2] in ("name", "model")}
    assert found == {
        "gen_ai.client.operation.duration": [(0.0009, json.dumps(chat))],
        "gen_ai.client.operation.time_to_first_chunk": [(0.0005, json.dumps(chat))],
        "gen_ai.client.token.usage": [
            (10, json.dumps({**chat, "gen_ai.token.type": "input"})),
            (2, json.dumps({**chat, "gen_ai.token.type": "output"})),
        ],
        "gen_ai.execute_tool.duration": [(0.0009, json.dumps({"gen_ai.tool.name": "getPet", "error.type": "TIMEOUT"}))],
        "gen_ai.invoke_agent.duration": [(0.008, json.dumps({"gen_ai.agent.name": "Pets"}))],
    }
