"""The few statistics that benchmarks need."""

import math
import statistics
from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """The least of `values` that `share` (0 to 1) of them do not exceed: always one of them, never a mean.

    `ValueError` without values.
    """
    if not values:
        raise ValueError("a quantile needs values")
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def median(values: Sequence[float]) -> float:
    """The middle of `values`, or the mean of the middle two; `ValueError` without values."""
    return statistics.median(values)
