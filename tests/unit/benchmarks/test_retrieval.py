import pytest

from benchmarks.retrieval.__main__ import Figures, filter_rows, rows, words
from benchmarks.retrieval.workers.texts import Texts
from benchmarks.rows import Row

OURS = Figures(
    fill_per_s=6000.0,
    kinds={
        "keywords": [1.0, 2.0, 3.0],
        "keywords with a filter": [2.0, 2.0, 6.0],
        "questions": [10.0, 20.0, 30.0],
        "questions with a filter": [20.0, 20.0, 30.0],
    },
    at_once_per_s=100.0,
    add_ms=[300.0, 400.0],
    peak_mb=600.0,
    rss_mb=500.0,
)
PEER = Figures(
    fill_per_s=3000.0,
    kinds={name: [each * 4 for each in times] for name, times in OURS.kinds.items()},
    at_once_per_s=50.0,
    add_ms=[5.0, 20.0],
    peak_mb=1200.0,
    rss_mb=1000.0,
)


@pytest.fixture
def found() -> dict[str, Row]:
    return {row.name.removeprefix("retrieval: "): row for row in rows(OURS, PEER, "peer 1.0")}


def test_rates_are_better_when_they_are_more_and_times_when_they_are_less(found: dict[str, Row]) -> None:
    assert (found["taken in"].ratio, found["taken in"].is_met) == (2.0, True)
    assert (found["keywords, p50"].ours, found["keywords, p50"].peer, found["keywords, p50"].ratio) == (2.0, 8.0, 4.0)
    assert (found["questions, two at once"].ratio, found["questions, two at once"].is_met) == (2.0, False)


def test_the_longest_wait_for_what_was_added_counts(found: dict[str, Row]) -> None:
    added = found["added until found, at most"]
    assert (added.ours, added.peer, added.ratio, added.is_met) == (400.0, 20.0, 0.05, True)


def test_goals_are_of_the_slowest_searches_and_of_the_most_memory(found: dict[str, Row]) -> None:
    goals = {name: row.goal for name, row in found.items() if row.goal}
    assert goals == {
        "taken in": "≥ 5000 /s",
        "keywords, p99": "≤ 5 ms",
        "questions, p99": "≤ 40 ms",
        "questions, two at once": "≥ 150 /s",
        "added until found, at most": "≤ 1000 ms",
        "memory, at most": "≤ 667 MiB",
    }


def test_what_a_filter_costs_is_told_beside_the_same_searches_without() -> None:
    told = [(row.ours, row.peer, row.is_met) for row in filter_rows(OURS)]
    assert told == [(6.0, 3.0, False), (30.0, 30.0, True)]


def test_figures_say_of_how_many_searches_they_are() -> None:
    assert "keywords: p50 2.00 ms, p99 3.00 ms, of 3" in words(OURS)


def test_texts_and_questions_are_the_same_each_time() -> None:
    first, again = Texts(), Texts()
    assert [*first.passages(20)] == [*again.passages(20)]
    assert (first.keywords(5), first.questions(5)) == (again.keywords(5), again.questions(5))
