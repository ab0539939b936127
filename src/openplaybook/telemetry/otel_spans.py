"""OpenTelemetry spans and metrics of a turn, written after the fact from its recorded times.

Names follow the GenAI semantic conventions (github.com/open-telemetry/semantic-conventions-genai, status:
development). What was said and passed is content, which the conventions leave out unless asked for; so do we.
Without an SDK nothing is built.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from openplaybook.telemetry.otel_meters import Attributes, GenAiMeters

_NS_PER_US = 1000


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that took no time."""

    name: str
    at_us: int
    """Microseconds since the epoch, as all times here."""
    attributes: Attributes = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class StepSpan:
    """A piece of work with all that happened in it, in order."""

    name: str
    start_us: int
    end_us: int
    attributes: Attributes
    is_client: bool = False
    """Work of another service that was waited for."""
    error: str = ""
    """Code of what went wrong; empty when nothing did."""
    children: "Sequence[StepSpan | SpanEvent]" = ()


class Spans:
    """Gives turns to an OpenTelemetry tracer, and their figures to a meter."""

    def __init__(
        self,
        provider: trace.TracerProvider | None = None,
        meters: GenAiMeters | None = None,
        *,
        with_content: bool = False,
    ) -> None:
        """`provider`: the process-wide one when None, also when that is set later."""
        self._tracer = trace.get_tracer("openplaybook", tracer_provider=provider)
        self._provider = provider
        self._meters = meters
        self.with_content = with_content
        """Whether words, arguments and results are to be in the spans."""

    @property
    def wanted(self) -> bool:
        """Whether anybody listens; ask before building a `StepSpan`."""
        if self._meters is not None:
            return True
        provider = self._provider or trace.get_tracer_provider()
        return not isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider)

    def emit(self, turn: StepSpan, trace_parent: str = "") -> None:
        """Write a turn's spans beneath the caller's: `trace_parent` is its `traceparent` header (W3C Trace Context).

        One that cannot be read counts as none, as the specification wants it.
        """
        if self._meters is not None:
            _measure(turn, self._meters)
        parent = TraceContextTextMapPropagator().extract({"traceparent": trace_parent}) if trace_parent else None
        self._write(turn, trace.get_current_span(parent))

    def _write(self, step: StepSpan, parent: trace.Span) -> None:
        span = self._tracer.start_span(
            step.name,
            trace.set_span_in_context(parent),
            kind=SpanKind.CLIENT if step.is_client else SpanKind.INTERNAL,
            attributes={**step.attributes, **({"error.type": step.error} if step.error else {})},
            start_time=step.start_us * _NS_PER_US,
        )
        if not span.is_recording():
            return
        for child in step.children:
            if isinstance(child, SpanEvent):
                span.add_event(child.name, child.attributes, child.at_us * _NS_PER_US)
            else:
                self._write(child, span)
        if step.error:
            span.set_status(Status(StatusCode.ERROR, step.error))
        span.end(step.end_us * _NS_PER_US)


def _measure(step: StepSpan, meters: GenAiMeters) -> None:
    meters.record(step.attributes, (step.end_us - step.start_us) / 1e6, step.error)
    for child in step.children:
        if isinstance(child, StepSpan):
            _measure(child, meters)
