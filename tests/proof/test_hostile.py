"""A part of the benchmark `hostile`, bounded: what is known to have stopped a server once, beside ordinary turns."""

import pytest

from benchmarks.hostile.cases import FIRST
from benchmarks.hostile.plans import Played, Scene, alone, scene

MOST_MB = 1000.0
_BUDGET_S = 300.0


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_what_once_stopped_a_server_harms_no_ordinary_turn() -> None:
    played: list[str] = []

    def tell(place: Scene, case: Played) -> None:
        cost = place.costs[case.name]
        played.append(case.name)
        print(
            f"{case.name}: {cost.slowest_s:.2f} s, CPU {cost.cpu_s:.2f} s, health waited {cost.gap_s:.2f} s, "
            f"{cost.memory_mb:.0f} MB: {case.statuses}"
        )

    with scene(10.0) as place:
        place.settle()
        left = alone(place, FIRST, tell, _BUDGET_S)
        wrong = [turn.fault for turn in place.turns if turn.fault]
        is_alive, peak_mb = place.target.is_alive, place.target.peak_mb()
        ended_s = place.target.end()

    assert (left, played) == ([], [*FIRST])
    assert is_alive
    assert wrong == []
    assert place.violations == []
    assert peak_mb < MOST_MB
    assert ended_s is not None
