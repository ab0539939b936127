"""The plugin that leaves a sample of long sweeps, tried on suites of its own."""

import pytest

from tests.unit.ledger.test_ledger import INI

PLUGIN = """
from tests.sweeps import Sweeps
def pytest_configure(config):
    for name in ("proof", "sweep", "proves(*ids)"):
        config.addinivalue_line("markers", f"{name}: it")
    config.pluginmanager.register(Sweeps({"test_long": 3, "test_long.py::test_all": 1}))
"""
MATRIX = """
import pytest
@pytest.mark.parametrize("way", ["rest", "grpc", "aio"])
@pytest.mark.parametrize("number", range(6))
def test_it(way, number): print(f"<{way} {number}>")
"""
TEST, PROOF = ("-m", "not proof"), ("-m", "proof or sweep")


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite in which a third of `test_long.py` is the sample; no other plugins."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    pytester.makeconftest(PLUGIN)
    return pytester


def test_a_third_of_the_cases_stays_and_each_value_of_each_parameter_does(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_long=MATRIX)
    result = suite.runpytest_inprocess("-s", *TEST)
    result.assert_outcomes(passed=6, deselected=12)
    cases = {line.partition("<")[2].partition(">")[0] for line in result.outlines if "<" in line}
    assert {case.split()[0] for case in cases} == {"rest", "grpc", "aio"}
    assert {case.split()[1] for case in cases} == {str(number) for number in range(6)}


def test_values_that_come_in_rows_are_one_parameter(suite: pytest.Pytester) -> None:
    rows = "[(number, number % 2) for number in range(12)]"
    suite.makepyfile(test_long=f"import pytest\n@pytest.mark.parametrize(('a', 'b'), {rows})\ndef test_it(a, b): pass")
    suite.runpytest_inprocess(*TEST).assert_outcomes(passed=4, deselected=8)


def test_the_sample_is_the_same_in_every_run(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_long=MATRIX)
    first, second = (suite.runpytest_inprocess("--collect-only", "-q", *TEST).outlines[:6] for _ in range(2))
    assert first == second


def test_the_long_proofs_run_all_cases(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_long=MATRIX, test_short=MATRIX)
    suite.runpytest_inprocess(*PROOF).assert_outcomes(passed=18, deselected=18)


def test_of_few_cases_one_stays(suite: pytest.Pytester) -> None:
    test = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_{}(n): pass\n"
    suite.makepyfile(test_long="".join(test.format(name) for name in "abcdef"))
    suite.runpytest_inprocess(*TEST).assert_outcomes(passed=6, deselected=6)


def test_a_case_that_proves_a_requirement_on_its_own_stays(suite: pytest.Pytester) -> None:
    proofs = "[pytest.param(n, marks=pytest.mark.proves(f'F{n}')) for n in range(5)]"
    suite.makepyfile(test_long=f"import pytest\n@pytest.mark.parametrize('n', {proofs})\ndef test_it(n): pass")
    suite.runpytest_inprocess(*TEST).assert_outcomes(passed=5)


def test_the_longest_beginning_of_an_id_counts(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_long=MATRIX.replace("test_it", "test_all"))
    suite.runpytest_inprocess(*TEST).assert_outcomes(passed=18)


def test_a_test_that_is_asked_for_by_its_id_leaves_nothing_out(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_long=MATRIX)
    suite.runpytest_inprocess("test_long.py::test_it", *TEST).assert_outcomes(passed=18)
