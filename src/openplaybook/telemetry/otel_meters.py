"""OpenTelemetry metrics of model calls, tools and agents, with the names and buckets of the GenAI conventions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    # Only a server that exports metrics imports it, where it makes the provider.
    from opentelemetry.metrics import Histogram, MeterProvider

Attributes: TypeAlias = Mapping[str, str | int | float | Sequence[str]]

_SECONDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_TOKENS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864)
_AGENT_SECONDS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6)

_OF_CHAT = (
    *("gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.response.model"),
    *("server.address", "server.port"),
)
_OF_TOOL = ("gen_ai.tool.name", "gen_ai.tool.type", "gen_ai.agent.name")
_OF_AGENT = ("gen_ai.agent.name",)
"""Attributes of a span that its metrics have too: those of small sets."""


class GenAiMeters:
    """The instruments; each span of a turn is recorded once."""

    def __init__(self, provider: "MeterProvider") -> None:
        self._meter = provider.get_meter("openplaybook")
        self._duration = self._seconds("gen_ai.client.operation.duration", "GenAI operation duration.", _SECONDS)
        self._first_chunk = self._seconds(
            "gen_ai.client.operation.time_to_first_chunk", "Time to receive the first chunk of a stream.", _SECONDS
        )
        self._tokens = self._meter.create_histogram(
            "gen_ai.client.token.usage",
            unit="{token}",
            description="Number of input and output tokens used.",
            explicit_bucket_boundaries_advisory=_TOKENS,
        )
        self._tool = self._seconds("gen_ai.execute_tool.duration", "Duration of a tool execution.", _SECONDS)
        self._agent = self._seconds("gen_ai.invoke_agent.duration", "Duration of an agent invocation.", _AGENT_SECONDS)

    def record(self, span: Attributes, seconds: float, error: str) -> None:
        """Record a span by its attributes; `error` is the code of what went wrong, or empty."""
        failed = {"error.type": error} if error else {}
        match span["gen_ai.operation.name"]:
            case "chat":
                self._record_chat(span, seconds, failed)
            case "execute_tool":
                self._tool.record(seconds, {**_of(span, _OF_TOOL), **failed})
            case _:
                self._agent.record(seconds, {**_of(span, _OF_AGENT), **failed})

    def _record_chat(self, span: Attributes, seconds: float, failed: Mapping[str, str]) -> None:
        shared = _of(span, _OF_CHAT)
        self._duration.record(seconds, {**shared, **failed})
        first = span.get("gen_ai.response.time_to_first_chunk")
        if isinstance(first, float):
            self._first_chunk.record(first, shared)
        for kind in ("input", "output"):
            count = span.get(f"gen_ai.usage.{kind}_tokens")
            if isinstance(count, int):
                self._tokens.record(count, {**shared, "gen_ai.token.type": kind})

    def _seconds(self, name: str, about: str, bounds: Sequence[float]) -> "Histogram":
        return self._meter.create_histogram(
            name, unit="s", description=about, explicit_bucket_boundaries_advisory=bounds
        )


def _of(span: Attributes, names: Sequence[str]) -> dict[str, str | int | float | Sequence[str]]:
    return {name: span[name] for name in names if name in span}
