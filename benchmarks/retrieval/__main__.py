"""Searching many passages with the embedded engine, against SQLite FTS5 and LanceDB.

    python -m benchmarks.retrieval [--passages 200000] [--systems ours,fts5,lance]

Each system takes in the same texts and is asked the same in a process of its own, one after the other, with all cores:
keywords (three rarer words), questions (seven running words), both with a filter that lets a twentieth through, and
questions from two at once. A system is used as its own documentation advises, and asked when it has come to rest. What
takes it longer than 40 s is ended there. Prints a row per measure (see `benchmarks.rows`); without peers, only what was
measured, in words.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import ROOT, environment, ours, versions
from benchmarks.figures import median, quantile
from benchmarks.rows import NO_GOAL, Goal, Row, cost, rate, report

OURS, FTS5, LANCE = "ours", "fts5", "lance"
SYSTEMS = (OURS, FTS5, LANCE)
KEYWORDS, QUESTIONS = "keywords", "questions"
WITH_FILTER = " with a filter"

_SCRIPTS = Path(__file__).parent / "workers"
_KEPT_VARIABLES = ("PATH", "HOME", "PYTHONPATH")
_GOALS = {
    KEYWORDS: Goal(ours_at_most=5),
    QUESTIONS: Goal(ours_at_most=40),
}
"""Of p99, in milliseconds; set for a million passages."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one system took."""

    fill_per_s: float
    """Texts a second until all are found."""
    kinds: Mapping[str, Sequence[float]]
    """Milliseconds of the searches of each kind; of few, where they take long."""
    at_once_per_s: float
    add_ms: Sequence[float]
    """Until a text that was added is found."""
    peak_mb: float
    rss_mb: float
    """After the searches."""


def measured(system: str, binaries: Path, passages: int) -> Figures:
    """Run a system through the course. Raises `subprocess.CalledProcessError` where it fails."""
    sys.stderr.write(f"  {system}: {passages:,} passages\n")
    command = [str(binaries / "python"), str(_SCRIPTS / f"{system}.py"), str(passages)]
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    done = subprocess.run(command, cwd=ROOT, env=kept, stdout=subprocess.PIPE, text=True, check=True)
    figures = Figures(**json.loads(done.stdout.strip().rpartition("\n")[2]))
    for line in words(figures):
        sys.stderr.write(f"    {line}\n")
    return figures


def words(figures: Figures) -> Sequence[str]:
    """The figures for people."""
    kinds = [
        f"{name}: p50 {median(times):.2f} ms, p99 {quantile(times, 0.99):.2f} ms, of {len(times)}"
        for name, times in figures.kinds.items()
    ]
    return [
        f"taken in: {figures.fill_per_s:,.0f} a second",
        *kinds,
        f"two at once: {figures.at_once_per_s:,.1f} questions a second",
        f"found after being added: p50 {median(figures.add_ms):.0f} ms, at most {max(figures.add_ms):.0f} ms",
        f"memory: {figures.rss_mb:,.0f} MiB after the searches, {figures.peak_mb:,.0f} MiB at most",
    ]


def rows(own: Figures, peer: Figures, against: str) -> Sequence[Row]:
    """Ours beside a peer."""

    def both(of: Callable[[Figures], float]) -> tuple[float, float]:
        return of(own), of(peer)

    found = [rate("retrieval: taken in", "/s", *both(lambda each: each.fill_per_s), against, Goal(ours_at_least=5000))]
    for name, times in own.kinds.items():
        theirs = peer.kinds[name]
        found.append(cost(f"retrieval: {name}, p50", "ms", median(times), median(theirs), against))
        p99 = quantile(times, 0.99), quantile(theirs, 0.99)
        found.append(cost(f"retrieval: {name}, p99", "ms", *p99, against, _GOALS.get(name, NO_GOAL)))
    at_once = both(lambda each: each.at_once_per_s)
    found.append(rate("retrieval: questions, two at once", "/s", *at_once, against, Goal(ours_at_least=150)))
    added = both(lambda each: max(each.add_ms))
    found.append(cost("retrieval: added until found, at most", "ms", *added, against, Goal(ours_at_most=1000)))
    found.append(cost("retrieval: memory after the searches", "MiB", *both(lambda each: each.rss_mb), against))
    # 700 MB.
    peak = both(lambda each: each.peak_mb)
    found.append(cost("retrieval: memory, at most", "MiB", *peak, against, Goal(ours_at_most=667)))
    return found


def filter_rows(own: Figures) -> Sequence[Row]:
    """What a filter costs, beside the same searches without."""
    return [
        cost(
            f"retrieval: {name}{WITH_FILTER}, p99",
            "ms",
            quantile(own.kinds[name + WITH_FILTER], 0.99),
            quantile(own.kinds[name], 0.99),
            "the same without",
            Goal(times_at_most=1.5),
        )
        for name in (KEYWORDS, QUESTIONS)
    ]


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--systems", default=",".join(SYSTEMS), help=f"some of {', '.join(SYSTEMS)}")
    arguments = parser.parse_args()
    systems = [each for each in SYSTEMS if each in arguments.systems.split(",")]
    environments = {OURS: ours(), FTS5: ours()}
    if LANCE in systems:
        environments[LANCE] = environment("lancedb")
    found = {system: measured(system, environments[system], arguments.passages) for system in systems}
    if OURS not in found:
        return
    for peer in found:
        if peer != OURS:
            for row in rows(found[OURS], found[peer], _named(peer, environments[peer])):
                report(row)
    if len(found) > 1:
        for row in filter_rows(found[OURS]):
            report(row)


def _named(peer: str, binaries: Path) -> str:
    if peer == FTS5:
        return f"SQLite FTS5 {sqlite3.sqlite_version}"
    return f"lancedb {versions(binaries, ['lancedb'])['lancedb']}"


if __name__ == "__main__":
    main()
