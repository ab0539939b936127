"""Counters and histograms that cost a dictionary look-up, written out in Prometheus' types when somebody asks.

prometheus-client's own take a lock and look their labels up at each step (measured: ten times the time), and
a turn takes a dozen steps. These belong to one thread, the event loop's.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector


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
        self._counts[labels] = self._counts.get(labels, 0) + count

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
            counts = self._counts[labels] = [0] * (len(self._bounds) + 1)
            self._sums[labels] = 0.0
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
