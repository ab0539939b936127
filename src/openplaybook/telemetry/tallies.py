"""Counters and histograms that cost a dictionary look-up, written out in Prometheus' types when somebody asks.

prometheus-client's own take a lock and look their labels up at each step (measured: ten times the time), and
a turn takes a dozen steps. Each belongs to one thread, mostly the event loop's.

However label values come about, a metric has at most `MAX_SERIES` of their combinations; what is beyond them is
counted under `other`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

MAX_SERIES = 1000
"""Combinations of label values of one metric."""

OTHER = "other"


class Tally(Collector):
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


class Spread(Collector):
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
