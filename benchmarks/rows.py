"""A row: one figure of ours beside the same figure of a peer, measured in the same run.

Benchmarks print their rows as JSON, one a line; the runner collects them and writes the table.
"""

import sys
from dataclasses import asdict, dataclass
from typing import cast

from openplaybook.jsonvalues import JsonObject, dumps, loads

MISSED = 3
"""Exit status of a benchmark that printed all its rows, and says besides that a goal of theirs is missed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison."""

    name: str
    """What is measured, its benchmark first: `storage: CPU an append, 16 at once`."""
    unit: str
    """Unit of both figures."""
    ours: float
    peer: float
    against: str
    """The peer, with its version where it has one of its own."""
    ratio: float
    """How many times better ours is, whether less or more is good."""
    goal: str = ""
    """What was aimed at; empty where nothing was."""
    is_met: bool | None = None
    """None where there is no goal."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a row is to reach: a ratio, a figure of ours, a multiple of the peer's, or (as here) none."""

    ratio_at_least: float | None = None
    ours_at_most: float | None = None
    ours_at_least: float | None = None
    times_at_most: float | None = None
    """For a cost: how many times the peer's ours may be, where the peer is the least that is possible."""

    def words(self, unit: str) -> str:
        """As it stands in the table."""
        if self.times_at_most is not None:
            return f"≤ {self.times_at_most:g}× the peer's"
        if self.ratio_at_least is not None:
            return f"≥ {self.ratio_at_least:g}×"
        if self.ours_at_least is not None:
            return f"≥ {self.ours_at_least:g} {unit}"
        return "" if self.ours_at_most is None else f"≤ {self.ours_at_most:g} {unit}"

    def is_met(self, ours: float, ratio: float) -> bool | None:
        """Whether it is reached; None without a goal."""
        if self.times_at_most is not None:
            return ratio * self.times_at_most >= 1
        if self.ratio_at_least is not None:
            return ratio >= self.ratio_at_least
        if self.ours_at_least is not None:
            return ours >= self.ours_at_least
        return None if self.ours_at_most is None else ours <= self.ours_at_most


NO_GOAL = Goal()


def cost(name: str, unit: str, ours: float, peer: float, against: str, goal: Goal = NO_GOAL) -> Row:
    """A row of figures of which less is better."""
    return _row(name, unit, (ours, peer), against, peer / ours, goal)


def rate(name: str, unit: str, ours: float, peer: float, against: str, goal: Goal = NO_GOAL) -> Row:
    """A row of figures of which more is better."""
    return _row(name, unit, (ours, peer), against, ours / peer, goal)


def _row(name: str, unit: str, figures: tuple[float, float], against: str, ratio: float, goal: Goal) -> Row:
    ours, peer = figures
    met = goal.is_met(ours, ratio)
    return Row(name, unit, digits(ours), digits(peer), against, digits(ratio), goal.words(unit), met)


def digits(value: float) -> float:
    """`value` with three digits that count; whole numbers from 1000 up."""
    return float(round(value)) if abs(value) >= 1000 else float(f"{value:.3g}")


def report(row: Row) -> None:
    """Print a row for the runner."""
    sys.stdout.write(dumps(asdict(row)).decode() + "\n")
    sys.stdout.flush()


def parse(line: str) -> Row:
    """The row of a printed line; `ValueError` for anything else."""
    value = loads(line)
    if not isinstance(value, dict):
        raise ValueError(f"a row is a JSON object, not {line.strip()[:80]!r}")
    members = cast(JsonObject, value)
    try:
        return Row(**members)
    except TypeError as error:
        raise ValueError(f"not a row: {error}") from None
