"""What a run came to: rows, each with its goal."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.hostile.plans import Scene, Window
from benchmarks.hostile.target import DRAIN_S
from benchmarks.rows import NO_GOAL, Goal, Row, cost, rate

P99_GOAL_MS = 250.0
MEMORY_GOAL_MB = 1000.0
_WORST = 5
_MARGIN_S = 5
"""What those who stop servers give them beyond their drain, before they kill: 30 s for the usual drain of 25."""
_LEAST = 0.1
"""What stands for no time at all, in milliseconds: ratios need something to divide by."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A whole run."""

    quiet: Window
    replay: Window
    """All cases, one after the other."""
    crowd: Window
    """Three attackers at once."""
    place: Scene
    played: float
    """Share of the cases that were played one after the other."""
    was_alive: bool
    """Whether the server lived when it was told to stop."""
    ended_s: float | None
    """From SIGTERM to its end, under attack; None when it had to be killed."""


def rows(verdict: Verdict) -> Sequence[Row]:
    """The rows of the table, those with goals first."""
    quiet, busy, crowd, place = verdict.quiet, verdict.replay, verdict.crowd, verdict.place
    against = "the same server, quiet"
    turns = [
        cost(f"hostile: ordinary turns, {name}", "ms", value(busy), value(quiet), against, goal)
        for name, value, goal in (
            ("p50", Window.p50_ms, NO_GOAL),
            ("p99", Window.p99_ms, Goal(ours_at_most=P99_GOAL_MS)),
            ("longest", Window.longest_ms, NO_GOAL),
        )
    ]
    asked = place.answers
    turned = len(busy.turns) + len(crowd.turns)
    right = 100 * (1 - (len(busy.wrong) + len(crowd.wrong)) / max(turned, 1))
    timely = 100 * (1 - len(place.violations) / max(asked, 1))
    ended = verdict.ended_s if verdict.ended_s is not None else DRAIN_S * 10
    return [
        *turns,
        rate(
            "hostile: ordinary turns answered right",
            "%",
            right,
            100,
            f"all {turned:,}",
            Goal(ours_at_least=100),
        ),
        cost("hostile: longest wait for health", "ms", max(busy.gap_ms, _LEAST), max(quiet.gap_ms, _LEAST), against),
        cost(
            "hostile: memory, server and children",
            "MB",
            busy.memory_mb,
            quiet.memory_mb,
            against,
            Goal(ours_at_most=MEMORY_GOAL_MB),
        ),
        rate(
            "hostile: answers within their deadline and no fault of ours",
            "%",
            timely,
            100,
            f"all {asked:,}",
            Goal(ours_at_least=100),
        ),
        rate(
            "hostile: cases played", "%", 100 * verdict.played, 100, f"all {len(place.names)}", Goal(ours_at_least=100)
        ),
        rate(
            "hostile: alive at the end", "%", 100.0 * verdict.was_alive or _LEAST, 100, "alive", Goal(ours_at_least=100)
        ),
        cost(
            "hostile: from SIGTERM to the end, under attack",
            "s",
            max(ended, 0.01),
            DRAIN_S,
            "its drain",
            Goal(ours_at_most=DRAIN_S + _MARGIN_S),
        ),
        *_of_crowd(verdict, against),
        *_of_worst(verdict, against),
    ]


def _of_crowd(verdict: Verdict, against: str) -> Sequence[Row]:
    """What several attackers at once did; no goal speaks of that."""
    crowd, quiet = verdict.crowd, verdict.quiet
    return [
        cost(f"hostile: a crowd of three, {name}", unit, value, before, against)
        for name, unit, value, before in (
            ("ordinary turns, p50", "ms", crowd.p50_ms(), quiet.p50_ms()),
            ("ordinary turns, p99", "ms", crowd.p99_ms(), quiet.p99_ms()),
            ("longest wait for health", "ms", max(crowd.gap_ms, _LEAST), max(quiet.gap_ms, _LEAST)),
            ("memory, server and children", "MB", crowd.memory_mb, quiet.memory_mb),
        )
    ]


def _of_worst(verdict: Verdict, against: str) -> Sequence[Row]:
    """The cases beside which health was waited for longest."""
    costs = sorted(verdict.place.costs.items(), key=lambda item: item[1].gap_s, reverse=True)
    quiet_ms = max(verdict.quiet.gap_ms, _LEAST)
    return [
        cost(f"hostile: longest wait for health, {name} alone", "ms", max(each.gap_s * 1000, _LEAST), quiet_ms, against)
        for name, each in costs[:_WORST]
    ]
