from dataclasses import replace

import pytest

from benchmarks.rows import NO_GOAL, Goal
from benchmarks.turns.__main__ import rows
from benchmarks.turns.load import Window
from benchmarks.turns.pets_peer import answer, document
from benchmarks.turns.rounds import merged

WINDOW = Window(
    turns=100,
    failed=1,
    cpu_ms=3.0,
    p50_ms=10.0,
    p99_ms=20.0,
    turns_per_s=300.0,
    server_share=0.9,
    other_share=0.1,
    model_calls=2.0,
    tool_calls=1.0,
)


def test_rounds_are_merged_into_medians_while_turns_and_failures_add_up() -> None:
    rounds = [{16: replace(WINDOW, cpu_ms=cpu)} for cpu in (4.0, 2.0, 9.0)]
    assert merged(rounds) == {16: replace(WINDOW, cpu_ms=4.0, turns=300, failed=3)}


def test_rows_compare_each_window_and_goals_are_for_what_they_name() -> None:
    slow = replace(WINDOW, cpu_ms=60.0, p99_ms=80.0, turns_per_s=15.0)
    own, peer = {1: WINDOW, 16: WINDOW}, {1: slow, 16: slow}
    made = list(rows(own, "peer 1.0", peer, (Goal(ratio_at_least=5), Goal(ratio_at_least=5))))
    assert [(row.name, row.ratio, row.is_met) for row in made] == [
        ("turns: server CPU a turn, 1 at once", 20.0, True),
        ("turns: p99 of a turn, 1 at once", 4.0, None),
        ("turns: server CPU a turn, 16 at once", 20.0, True),
        ("turns: p99 of a turn, 16 at once", 4.0, False),
        ("turns: turns a second of one core, 16 at once", 20.0, None),
    ]


def test_a_peer_without_goals_has_none_in_its_rows() -> None:
    made = rows({16: WINDOW}, "peer 1.0", {16: WINDOW}, (NO_GOAL, NO_GOAL))
    assert {(row.goal, row.is_met) for row in made} == {("", None)}


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/pets/37", 200), ("POST", "/pets/37", 404), ("GET", "/pets/x", 404)]
)
def test_the_pets_api_serves_what_its_document_says(method: str, path: str, status: int) -> None:
    assert list(document("http://127.0.0.1:1")["paths"]) == ["/pets/{petId}"]
    found, value = answer(method, path, b"")
    assert found == status
    assert (value == {"id": 37, "name": "Pet-37"}) == (status == 200)
