"""Programs of the corpus: the hostile ones are held, and those that mean well come out right.

Here a sample of them; `tests/proof/test_sandbox_hostile.py` runs each in every way.
"""

import pytest

from tests.kit.sandbox.benign import tasks
from tests.kit.sandbox.cases import CORPUS, LEFT_OUT, corpus_cases
from tests.kit.sandbox.suite import Way, run_suite, run_tasks
from tests.kit.thoroughness import sample

pytestmark = [pytest.mark.sweep, pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)]

WALL_S = 1.5
"""Shorter than what the corpus means, which the long proofs give it."""


@pytest.mark.proves("B5")
@pytest.mark.timeout(300)
def test_hostile_programs_are_held_where_an_ordinary_user_started_the_sandbox_and_children_are_allowed() -> None:
    cases = sample(corpus_cases(WALL_S), 40)
    verdicts = run_suite(Way("forkserver", ordinary=True, processes=True), cases, timeout_s=280)
    assert {verdict.id: verdict.faults for verdict in verdicts if verdict.faults} == {}
    assert [verdict.id for verdict in verdicts] == [case.id for case in cases]


@pytest.mark.timeout(200)
def test_a_sample_of_hostile_programs_is_held_without_child_processes() -> None:
    cases = sample(corpus_cases(WALL_S)[3:], 80)
    verdicts = run_suite(Way("forkserver"), cases, timeout_s=180)
    assert {verdict.id: verdict.faults for verdict in verdicts if verdict.faults} == {}
    assert len(verdicts) == len(cases)


@pytest.mark.timeout(200)
def test_programs_that_mean_well_come_out_right() -> None:
    wanted = sample(tasks(), 32)
    assert run_tasks(Way("forkserver"), wanted, timeout_s=180) == {task.id: [] for task in wanted}
