"""Spans and metrics to an OpenTelemetry collector, where the standard `OTEL_…` variables ask for it.

They do by naming where to (`OTEL_EXPORTER_OTLP_ENDPOINT`, or the same for one signal) or by
`OTEL_TRACES_EXPORTER=otlp` and `OTEL_METRICS_EXPORTER=otlp`; `none` leaves a signal out and `OTEL_SDK_DISABLED=true`
all of them. What else they say (headers, certificates, sampling, intervals) is read by the SDK itself. The SDK is an
extra, and imported only when it is asked for.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from opentelemetry.trace import NoOpTracerProvider, TracerProvider

from openplaybook.server.errors import SettingsError
from openplaybook.telemetry.otel_meters import GenAiMeters
from openplaybook.telemetry.otel_spans import Spans

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider

_CLOSE_S = 5.0
"""Seconds that the last export may take when the server ends; a collector that is gone must not hold it up."""

_PROTOCOL = "http/protobuf"
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURING = ("true", "1", "span_only", "span_and_event")


@asynccontextmanager
async def observed(environment: Mapping[str, str]) -> AsyncGenerator[Spans]:
    """Where turns are told to inside the block; at its end what is not yet sent is sent, within a few seconds.

    Raises `SettingsError` when what is asked for cannot be had.
    """
    traces, metrics = _is_asked_for("TRACES", environment), _is_asked_for("METRICS", environment)
    if not traces and not metrics:
        yield Spans()
        return
    providers = _providers(environment, traces=traces, metrics=metrics)
    meters = GenAiMeters(providers.meters) if providers.meters is not None else None
    with_content = environment.get(_CAPTURE, "").lower() in _CAPTURING
    try:
        yield Spans(providers.tracers, meters, with_content=with_content)
    finally:
        await _ended(providers.shutdown)


@dataclass(frozen=True, slots=True)
class _Providers:
    tracers: TracerProvider
    meters: "MeterProvider | None"
    shutdown: Callable[[], None]


def _is_asked_for(signal: str, environment: Mapping[str, str]) -> bool:
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get(f"OTEL_{signal}_EXPORTER", "")
    if exporter not in ("", "otlp", "none"):
        raise SettingsError(f"OTEL_{signal}_EXPORTER is {exporter!r}; it must be otlp or none")
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")
    wanted = exporter == "otlp" or (exporter == "" and any(environment.get(name) for name in endpoints))
    if wanted:
        _check_protocol(signal, environment)
    return wanted


def _check_protocol(signal: str, environment: Mapping[str, str]) -> None:
    for name in (f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        protocol = environment.get(name, "")
        if protocol == _PROTOCOL:
            return
        if protocol:
            raise SettingsError(f"{name} is {protocol!r}; this server exports by {_PROTOCOL}")


def _providers(environment: Mapping[str, str], *, traces: bool, metrics: bool) -> _Providers:
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider as SdkMeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider as SdkTracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise SettingsError(
            "OTEL_… variables require OpenTelemetry, whose packages are not installed: they come with the extra "
            "otel (docs/installing.md)"
        ) from None
    resource = Resource.create(_resource(environment))
    tracers, meters, ends = NoOpTracerProvider(), None, list[Callable[[], None]]()
    if traces:
        tracers = SdkTracerProvider(resource=resource, shutdown_on_exit=False)
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        ends.append(tracers.shutdown)
    if metrics:
        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        meters = SdkMeterProvider([reader], resource=resource, shutdown_on_exit=False)
        ends.append(meters.shutdown)

    def shutdown() -> None:
        for end in ends:
            end()

    return _Providers(tracers, meters, shutdown)


def _resource(environment: Mapping[str, str]) -> dict[str, str]:
    """What tells this service from others, unless the variables say something else."""
    named = environment.get("OTEL_SERVICE_NAME") or "service.name=" in environment.get("OTEL_RESOURCE_ATTRIBUTES", "")
    name = {} if named else {"service.name": "openplaybook"}
    return {**name, "service.version": version("openplaybook")}


async def _ended(shutdown: Callable[[], None]) -> None:
    """Runs `shutdown`, which waits for the collector, on a thread that nobody waits for longer than that."""
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def run() -> None:
        shutdown()
        with suppress(RuntimeError):  # the loop has been closed without waiting any longer
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="openplaybook-otel", daemon=True).start()
    try:
        await asyncio.wait_for(done.wait(), _CLOSE_S)
    except TimeoutError:
        return
