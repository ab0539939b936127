"""An OpenTelemetry collector on a loopback socket: OTLP over HTTP, as protobuf."""

import gzip
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer


@dataclass
class Collector:
    """What was exported."""

    peer: HttpPeer
    resources: list[JsonObject] = field(default_factory=list[JsonObject])
    """Attributes of whom it came from."""
    spans: list[Span] = field(default_factory=list[Span])
    metrics: list[Metric] = field(default_factory=list[Metric])
    heard: bytes = b""
    """All of it as it came."""

    @property
    def url(self) -> str:
        """Its base address, as `OTEL_EXPORTER_OTLP_ENDPOINT` takes it."""
        return self.peer.url

    def span(self, name: str) -> Span:
        """The only span of that name."""
        (found,) = (span for span in self.spans if span.name == name)
        return found

    def take(self, received: Received) -> bytes:
        """Take in one export."""
        body = gzip.decompress(received.body) if received.header("Content-Encoding") == "gzip" else received.body
        self.heard += body
        if received.target == "/v1/traces":
            for traces in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resources.append(attributes(traces.resource.attributes))
                self.spans += [span for scope in traces.scope_spans for span in scope.spans]
        elif received.target == "/v1/metrics":
            for measured in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.metrics += [metric for scope in measured.scope_metrics for metric in scope.metrics]
        else:
            return answer(status="404 Not Found")
        return answer(b"", content_type="application/x-protobuf")


def attributes(pairs: Iterable[KeyValue]) -> JsonObject:
    """Attributes by name."""
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: AnyValue) -> JsonValue:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return None if kind is None else getattr(value, kind)


@asynccontextmanager
async def collector() -> AsyncGenerator[Collector]:
    """A collector, listening."""
    received: list[Collector] = []
    async with http_peer(lambda request: received[0].take(request)) as peer:
        received.append(Collector(peer))
        yield received[0]
