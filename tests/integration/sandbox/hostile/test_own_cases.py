"""Hostile programs of our own invention (the TOML files beside) are held by the sandbox."""

from collections.abc import Sequence

import pytest

from tests.kit.sandbox.cases import own_cases
from tests.kit.sandbox.judge import Verdict
from tests.kit.sandbox.ordinary import is_root
from tests.kit.sandbox.suite import Way, run_suite
from tests.kit.thoroughness import sample

SAMPLED = 12
"""So that a case of each kind is in the sample."""


def faults(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """What got through, by case."""
    return {verdict.id: verdict.faults for verdict in verdicts if verdict.faults}


@pytest.mark.sweep
@pytest.mark.proves("B5")
@pytest.mark.timeout(400)
def test_each_is_held_by_a_sandbox_without_child_processes() -> None:
    cases = sample(own_cases(), SAMPLED)
    verdicts = run_suite(Way("forkserver"), cases, timeout_s=380)
    assert faults(verdicts) == {}
    assert [verdict.id for verdict in verdicts] == [case.id for case in cases]


@pytest.mark.timeout(200)
def test_a_sample_is_held_where_an_ordinary_user_started_it_and_children_are_allowed() -> None:
    cases = own_cases()[3 :: 3 * SAMPLED]
    verdicts = run_suite(Way("forkserver", ordinary=True, processes=True), cases, timeout_s=180)
    assert faults(verdicts) == {}
    assert len(verdicts) == len(cases)


@pytest.mark.skipif(not is_root(), reason="only root can start a process of a user of its own")
def test_one_of_each_kind_succeeds_against_a_plain_process_so_the_judge_is_known_to_see() -> None:
    kinds = {case.category: case for case in reversed(own_cases()) if not case.warm}
    verdicts = run_suite(Way("plain"), list(kinds.values()), timeout_s=60)
    assert [verdict.id for verdict in verdicts if verdict.faults] == [case.id for case in kinds.values()]


def test_there_are_sixty_and_their_ids_tell_them_apart() -> None:
    cases = own_cases()
    assert len({case.id for case in cases}) == len(cases)
    assert len([case for case in cases if not case.warm]) >= 60
