"""What is measured: a property of the tree, beside what is allowed."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured property of the tree."""

    name: str
    value: float
    low: float
    """Least allowed."""
    high: float
    """Most allowed."""
    places: Sequence[str] = ()
    """Where to look when it is outside."""

    @property
    def holds(self) -> bool:
        """Whether the value is within its limits."""
        return self.low <= self.value <= self.high
