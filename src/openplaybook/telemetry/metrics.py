"""What a turn server counts, for Prometheus.

However label values come about, a metric has at most `MAX_SERIES` of their combinations; what is beyond them is counted
under `other`.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric

MAX_SERIES = 1000
"""Combinations of label values of one metric."""

OTHER = "other"

_SLOW_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Buckets for what waits for models and foreign APIs."""
_FAST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
"""Buckets for RPCs, most of which only read or write a record."""
_COMMIT_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)

MetricT = TypeVar("MetricT", Counter, Histogram)


class BoundedSeries(Generic[MetricT]):
    """The series of a metric by their label values, as many as it may have."""

    def __init__(self, metric: MetricT) -> None:
        self._metric = metric
        self._series: dict[tuple[str, ...], MetricT] = {}

    def of(self, *labels: str) -> MetricT:
        """The series with these label values, one for each label; of `other` where it would be one too many."""
        series = self._series.get(labels)
        if series is None:
            if len(self._series) >= MAX_SERIES:
                labels = (OTHER,) * len(labels)
            series = self._series[labels] = self._metric.labels(*labels)
        return series


class _Registry(CollectorRegistry):
    """A registry that leaves out when series began, which doubles them and tells nothing."""

    def collect(self) -> Iterable[Metric]:
        """All metrics as they are now."""
        for metric in super().collect():
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


class Metrics:
    """Counters and histograms in a registry of their own, so that several servers may live in one process.

    Label values have to come from small sets (states, codes, names of methods and models), never from users.
    Seconds are wall time. To be used from one thread, the event loop's.
    """

    def __init__(self) -> None:
        self._rendering: asyncio.Task[tuple[bytes, str]] | None = None
        registry = self._registry = _Registry()
        ProcessCollector(registry=registry)
        self._turns = _counter(registry, "openplaybook_turns", "Turns that ended", "state")
        self._model_calls = _counter(
            registry, "openplaybook_model_calls", "Decisions asked of a model", "model", "outcome"
        )
        self._model_tokens = _counter(registry, "openplaybook_model_tokens", "Tokens of model calls", "kind")
        self._tool_calls = _counter(registry, "openplaybook_tool_calls", "Tool calls that ended", "kind", "outcome")
        self._rpcs = _counter(registry, "openplaybook_rpc", "Requests to the API", "method", "code")
        self._forgotten = Counter(
            "openplaybook_conversations_forgotten", "Conversations past their retention", registry=registry
        )
        self._turn_seconds = Histogram(
            "openplaybook_turn_seconds", "Time of a turn", registry=registry, buckets=_SLOW_SECONDS
        )
        self._model_seconds = _seconds(
            registry, "openplaybook_model_seconds", "Time of a decision", "model", _SLOW_SECONDS
        )
        self._tool_seconds = _seconds(
            registry, "openplaybook_tool_seconds", "Time of a tool call", "kind", _SLOW_SECONDS
        )
        self._rpc_seconds = _seconds(registry, "openplaybook_rpc_seconds", "Time of a request", "method", _FAST_SECONDS)
        self._code = _counter(registry, "openplaybook_code_executions", "Executions of code that ended", "outcome")
        self._code_seconds = Histogram(
            "openplaybook_code_seconds", "Time of an execution", registry=registry, buckets=_SLOW_SECONDS
        )
        self.turns_running = 0
        """Turns that have begun and not ended."""
        self.commits = CommitWatch()
        for each in self.commits.collectors:
            registry.register(each)
        self.add_gauge("openplaybook_turns_running", "Turns under way", lambda: self.turns_running)

    def add_gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Show a number that `read` gives whenever somebody looks."""
        Gauge(name, about, registry=self._registry).set_function(read)

    def turn_began(self) -> None:
        """A request for a turn has come; `turn_ended` is told of its end."""
        self.turns_running += 1

    def turn_ended(self, state: str, seconds: float) -> None:
        """A turn came to `state`: DONE, PAUSED, or the code of its error."""
        self.turns_running -= 1
        self._turns.of(state).inc()
        self._turn_seconds.observe(seconds)

    def model_called(
        self, model: str, outcome: str, seconds: float, *, input_tokens: int = 0, output_tokens: int = 0
    ) -> None:
        """A model decided (`outcome` OK) or did not (the code of its error)."""
        self._model_calls.of(model, outcome).inc()
        self._model_seconds.of(model).observe(seconds)
        # As the model's server says them, and nothing keeps it from saying less than none.
        self._model_tokens.of("input").inc(max(input_tokens, 0))
        self._model_tokens.of("output").inc(max(output_tokens, 0))

    def tool_called(self, kind: str, outcome: str, seconds: float) -> None:
        """A tool of that kind gave a result (`outcome` OK) or did not (the code of its failure)."""
        self._tool_calls.of(kind, outcome).inc()
        self._tool_seconds.of(kind).observe(seconds)

    def code_executed(self, outcome: str, seconds: float) -> None:
        """Code ran to its end (`outcome` OK), failed (FAILED), was ended by a limit (its name), or did not run."""
        self._code.of(outcome).inc()
        self._code_seconds.observe(seconds)

    def rpc_ended(self, method: str, code: str, seconds: float) -> None:
        """A request to the API was answered; `code` is the name of a google.rpc.Code."""
        self._rpcs.of(method, code).inc()
        self._rpc_seconds.of(method).observe(seconds)

    def conversations_forgotten(self, count: int) -> None:
        """That many conversations were deleted because their retention was over."""
        self._forgotten.inc(count)

    async def rendered(self) -> tuple[bytes, str]:
        """As `render`, once for all who ask at the same moment: a flood of them costs little more than one."""
        if self._rendering is None:
            self._rendering = asyncio.ensure_future(self._render_later())
        return await asyncio.shield(self._rendering)

    async def _render_later(self) -> tuple[bytes, str]:
        await asyncio.sleep(0)
        # Nobody who asks from now on is told of less than has happened by then.
        self._rendering = None
        return self.render()

    def render(self) -> tuple[bytes, str]:
        """All values in Prometheus' text format, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class CommitWatch:
    """How long a store takes to make things durable: told of every commit, from the one thread that commits."""

    def __init__(self) -> None:
        self._seconds = Histogram(
            "openplaybook_commit_seconds", "Time of a commit of the store", registry=None, buckets=_COMMIT_SECONDS
        )
        self._writes = Counter("openplaybook_commit_writes", "Writes that were committed", registry=None)
        self._queue = Gauge("openplaybook_commit_queue", "Writes that wait for a commit", registry=None)

    @property
    def collectors(self) -> Sequence[Histogram | Counter | Gauge]:
        """What to register."""
        return self._seconds, self._writes, self._queue

    def committed(self, seconds: float, writes: int) -> None:
        """A commit of that many writes took so long, from its first statement to the disk."""
        self._seconds.observe(seconds)
        self._writes.inc(writes)

    def watch_queue(self, waiting: Callable[[], int]) -> None:
        """`waiting` says how many writes wait now."""
        self._queue.set_function(waiting)


def _counter(registry: CollectorRegistry, name: str, about: str, *labels: str) -> BoundedSeries[Counter]:
    return BoundedSeries(Counter(name, about, labels, registry=registry))


def _seconds(
    registry: CollectorRegistry, name: str, about: str, label: str, bounds: Sequence[float]
) -> BoundedSeries[Histogram]:
    return BoundedSeries(Histogram(name, about, [label], registry=registry, buckets=bounds))
