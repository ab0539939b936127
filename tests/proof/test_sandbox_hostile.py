"""Every hostile program in every way that a sandbox is run, with the limits that it was written for; and, so that the
judge is known to see, in no sandbox at all."""

import pytest

from tests.kit.sandbox.benign import tasks
from tests.kit.sandbox.cases import CORPUS, LEFT_OUT, corpus_cases, own_cases
from tests.kit.sandbox.ordinary import is_root
from tests.kit.sandbox.suite import Way, run_suite, run_tasks

WAYS = [Way("forkserver", ordinary, processes) for ordinary in (False, True) for processes in (False, True)]
TIMEOUT_S = 1700

pytestmark = [pytest.mark.proof, pytest.mark.timeout(TIMEOUT_S + 100)]


@pytest.mark.proves("B5")
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_our_own_programs_are_held(way: Way) -> None:
    cases = own_cases()
    verdicts = run_suite(way, cases, timeout_s=TIMEOUT_S)
    held = [verdict.id for verdict in verdicts if not verdict.faults]
    print(f"\n{way}: {len(held)} of {len(cases)} of our own held")
    assert {verdict.id: verdict.faults for verdict in verdicts if verdict.faults} == {}
    assert held == [case.id for case in cases]


@pytest.mark.proves("B5")
@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_programs_of_the_corpus_are_held(way: Way) -> None:
    cases = corpus_cases()
    verdicts = run_suite(way, cases, timeout_s=TIMEOUT_S)
    held = [verdict.id for verdict in verdicts if not verdict.faults]
    print(f"\n{way}: {len(held)} of {len(cases)} of the corpus held")
    assert {verdict.id: verdict.faults for verdict in verdicts if verdict.faults} == {}
    assert held == [case.id for case in cases]


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_programs_that_mean_well_come_out_right(way: Way) -> None:
    wanted = tasks()
    assert run_tasks(way, wanted, timeout_s=TIMEOUT_S) == {task.id: [] for task in wanted}


@pytest.mark.skipif(not is_root(), reason="only root can start a process of a user of its own")
def test_our_own_programs_succeed_against_a_plain_process_of_an_ordinary_user() -> None:
    cases = [case for case in own_cases() if not case.warm]
    verdicts = run_suite(Way("plain"), cases, timeout_s=TIMEOUT_S)
    print(f"\n{len(cases)} of our own against a plain process: {sum(bool(each.faults) for each in verdicts)} succeed")
    assert [verdict.id for verdict in verdicts if verdict.faults] == [case.id for case in cases]
