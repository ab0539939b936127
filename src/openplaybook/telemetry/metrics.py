"""What a turn server counts, for Prometheus: by counters and histograms that cost a dictionary look-up, written out in
Prometheus' types when somebody asks.

prometheus-client's own take a lock and look their labels up at each step (measured: ten times the time), and a turn
takes a dozen steps. Each belongs to one thread, mostly the event loop's.

However label values come about, a metric has at most `MAX_SERIES` of their combinations; what is beyond them is counted
under `other`.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

MAX_SERIES = 1000
"""Combinations of label values of one metric."""

OTHER = "other"

_SLOW_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Buckets for what waits for models and foreign APIs."""
_FAST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
"""Buckets for RPCs, most of which only read or write a record."""
_COMMIT_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class LabelledCounter(Collector):
    """A counter with labels."""

    def __init__(self, name: str, about: str, labels: Sequence[str]) -> None:
        """`name` without the `_total` that Prometheus puts behind it."""
        self._name = name
        self._about = about
        self._labels = labels
        self._counts: dict[tuple[str, ...], int] = {}

    def add(self, *labels: str, count: int = 1) -> None:
        """Count under these label values, one for each label."""
        known = self._counts.get(labels)
        if known is None:
            labels = _bounded(labels, len(self._counts))
            known = self._counts.get(labels, 0)
        self._counts[labels] = known + count

    def collect(self) -> Iterable[Metric]:
        """The counter as Prometheus reads it."""
        family = CounterMetricFamily(self._name, self._about, labels=self._labels)
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        return [family]


class SecondsHistogram(Collector):
    """A histogram of seconds with labels."""

    def __init__(self, name: str, about: str, labels: Sequence[str], bounds: Sequence[float]) -> None:
        """`bounds`: the upper ends of the buckets in seconds, rising; one more bucket holds what is above."""
        self._name = name
        self._about = about
        self._labels = labels
        self._bounds = bounds
        self._counts: dict[tuple[str, ...], list[int]] = {}
        self._sums: dict[tuple[str, ...], float] = {}

    def observe(self, *labels: str, seconds: float) -> None:
        """Count a duration under these label values, one for each label."""
        counts = self._counts.get(labels)
        if counts is None:
            labels = _bounded(labels, len(self._counts))
            counts = self._counts.setdefault(labels, [0] * (len(self._bounds) + 1))
            self._sums.setdefault(labels, 0.0)
        counts[bisect_left(self._bounds, seconds)] += 1
        self._sums[labels] += seconds

    def collect(self) -> Iterable[Metric]:
        """The histogram as Prometheus reads it: each bucket counts what is at most its bound."""
        family = HistogramMetricFamily(self._name, self._about, labels=self._labels)
        bounds = [*map(str, self._bounds), "+Inf"]
        for labels, counts in self._counts.items():
            buckets = list(zip(bounds, accumulate(counts), strict=True))
            family.add_metric(labels, buckets, self._sums[labels])
        return [family]


class Gauge(Collector):
    """A number that is asked for when somebody reads it."""

    def __init__(self, name: str, about: str, read: Callable[[], float]) -> None:
        self._name = name
        self._about = about
        self._read = read

    def collect(self) -> Iterable[Metric]:
        """The number as it is now."""
        return [GaugeMetricFamily(self._name, self._about, value=self._read())]


def _bounded(labels: tuple[str, ...], known: int) -> tuple[str, ...]:
    """The label values of a new series, where `known` are there already."""
    return (OTHER,) * len(labels) if known >= MAX_SERIES else labels


class Metrics:
    """Counters and histograms in a registry of their own, so that several servers may live in one process.

    Label values have to come from small sets (states, codes, names of methods and models), never from users.
    Seconds are wall time. To be used from one thread, the event loop's.
    """

    def __init__(self) -> None:
        self._rendering: asyncio.Task[tuple[bytes, str]] | None = None
        self._turns = LabelledCounter("openplaybook_turns", "Turns that ended", ["state"])
        self._turn_seconds = SecondsHistogram("openplaybook_turn_seconds", "Time of a turn", [], _SLOW_SECONDS)
        self._model_calls = LabelledCounter(
            "openplaybook_model_calls", "Decisions asked of a model", ["model", "outcome"]
        )
        self._model_seconds = SecondsHistogram(
            "openplaybook_model_seconds", "Time of a decision", ["model"], _SLOW_SECONDS
        )
        self._model_tokens = LabelledCounter("openplaybook_model_tokens", "Tokens of model calls", ["kind"])
        self._tool_calls = LabelledCounter("openplaybook_tool_calls", "Tool calls that ended", ["kind", "outcome"])
        self._tool_seconds = SecondsHistogram(
            "openplaybook_tool_seconds", "Time of a tool call", ["kind"], _SLOW_SECONDS
        )
        self._rpcs = LabelledCounter("openplaybook_rpc", "Requests to the API", ["method", "code"])
        self._rpc_seconds = SecondsHistogram("openplaybook_rpc_seconds", "Time of a request", ["method"], _FAST_SECONDS)
        self._code = LabelledCounter("openplaybook_code_executions", "Executions of code that ended", ["outcome"])
        self._code_seconds = SecondsHistogram("openplaybook_code_seconds", "Time of an execution", [], _SLOW_SECONDS)
        self._forgotten = LabelledCounter(
            "openplaybook_conversations_forgotten", "Conversations past their retention", []
        )
        self.turns_running = 0
        """Turns that have begun and not ended."""
        self.commits = CommitWatch()
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        for each in (self._turns, self._model_calls, self._model_tokens, self._tool_calls, self._rpcs, self._forgotten):
            self._registry.register(each)
        for each in (self._turn_seconds, self._model_seconds, self._tool_seconds, self._rpc_seconds):
            self._registry.register(each)
        self._registry.register(self._code)
        self._registry.register(self._code_seconds)
        for each in self.commits.collectors:
            self._registry.register(each)
        self.add_gauge("openplaybook_turns_running", "Turns under way", lambda: self.turns_running)

    def add_gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Show a number that `read` gives whenever somebody looks."""
        self._registry.register(Gauge(name, about, read))

    def turn_began(self) -> None:
        """A request for a turn has come; `turn_ended` is told of its end."""
        self.turns_running += 1

    def turn_ended(self, state: str, seconds: float) -> None:
        """A turn came to `state`: DONE, PAUSED, or the code of its error."""
        self.turns_running -= 1
        self._turns.add(state)
        self._turn_seconds.observe(seconds=seconds)

    def model_called(
        self, model: str, outcome: str, seconds: float, *, input_tokens: int = 0, output_tokens: int = 0
    ) -> None:
        """A model decided (`outcome` OK) or did not (the code of its error)."""
        self._model_calls.add(model, outcome)
        self._model_seconds.observe(model, seconds=seconds)
        self._model_tokens.add("input", count=input_tokens)
        self._model_tokens.add("output", count=output_tokens)

    def tool_called(self, kind: str, outcome: str, seconds: float) -> None:
        """A tool of that kind gave a result (`outcome` OK) or did not (the code of its failure)."""
        self._tool_calls.add(kind, outcome)
        self._tool_seconds.observe(kind, seconds=seconds)

    def code_executed(self, outcome: str, seconds: float) -> None:
        """Code ran to its end (`outcome` OK), failed (FAILED), was ended by a limit (its name), or did not run."""
        self._code.add(outcome)
        self._code_seconds.observe(seconds=seconds)

    def rpc_ended(self, method: str, code: str, seconds: float) -> None:
        """A request to the API was answered; `code` is the name of a google.rpc.Code."""
        self._rpcs.add(method, code)
        self._rpc_seconds.observe(method, seconds=seconds)

    def conversations_forgotten(self, count: int) -> None:
        """That many conversations were deleted because their retention was over."""
        self._forgotten.add(count=count)

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
        self._commits = SecondsHistogram(
            "openplaybook_commit_seconds", "Time of a commit of the store", [], _COMMIT_SECONDS
        )
        self._writes = LabelledCounter("openplaybook_commit_writes", "Writes that were committed", [])
        self._waiting: Callable[[], int] = _none

    @property
    def collectors(self) -> Sequence[SecondsHistogram | LabelledCounter | Gauge]:
        """What to register."""
        waiting = Gauge("openplaybook_commit_queue", "Writes that wait for a commit", lambda: self._waiting())
        return self._commits, self._writes, waiting

    def committed(self, seconds: float, writes: int) -> None:
        """A commit of that many writes took so long, from its first statement to the disk."""
        self._commits.observe(seconds=seconds)
        self._writes.add(count=writes)

    def watch_queue(self, waiting: Callable[[], int]) -> None:
        """`waiting` says how many writes wait now."""
        self._waiting = waiting


def _none() -> int:
    return 0
