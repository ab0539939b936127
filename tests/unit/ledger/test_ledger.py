"""The plugin that ties tests to requirements, tried on suites of its own."""

import pytest

from tests.requirements import REQUIREMENTS, SECTIONS

PLUGIN = """
from tests.ledger import Ledger
from tests.requirements import Requirement, Status
REQUIREMENTS = {"F1": Requirement("F1", "is proved", status=Status.PROVED), "F2": Requirement("F2", "is open")}
def pytest_configure(config):
    config.addinivalue_line("markers", "proves(*ids): ids")
    config.addinivalue_line("markers", "proof: long")
    config.pluginmanager.register(Ledger(REQUIREMENTS, is_ci=IS_CI))
"""
COUNTING = """
def pytest_collection_finish(session):
    session.config.pluginmanager.register(Ledger(REQUIREMENTS, is_ci=False))
"""
INI = "[pytest]\ntestpaths = .\naddopts = -p no:cacheprovider\n"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite under the ledger, outside CI, with one proved and one open requirement; no other plugins."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    pytester.makeconftest(PLUGIN.replace("IS_CI", "False"))
    return pytester


def test_a_proved_requirement_needs_a_passing_test(suite: pytest.Pytester) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.proves('F2')\ndef test_it(): pass")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["F1 is `proved`*"])


def test_a_failing_test_proves_nothing(suite: pytest.Pytester) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.proves('F1')\ndef test_it(): assert False")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["F1 is `proved`*"])


def test_a_full_run_with_every_proof_passes(suite: pytest.Pytester) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.proves('F1', 'F2')\ndef test_it(): pass")
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.OK


def test_a_ledger_that_collected_nothing_counts_the_proofs_in_reports(suite: pytest.Pytester) -> None:
    """As where tests run in other processes than the one that counts."""
    suite.makeconftest(PLUGIN.replace("IS_CI", "False") + COUNTING)
    suite.makepyfile("import pytest\n@pytest.mark.proves('F1')\ndef test_it(): pass")
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.OK
    suite.makepyfile("def test_it(): pass")
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.TESTS_FAILED


def test_an_unknown_id_stops_the_run(suite: pytest.Pytester) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.proves('Z9')\ndef test_it(): pass")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*proves('Z9') names no requirement*"])


@pytest.mark.parametrize("selection", [["-k", "test_it"], ["-m", "proof"], ["test_part.py"]])
def test_a_partial_run_owes_no_proofs(suite: pytest.Pytester, selection: list[str]) -> None:
    suite.makepyfile(test_part="import pytest\n@pytest.mark.proof\ndef test_it(): pass")
    assert suite.runpytest_inprocess(*selection).ret == pytest.ExitCode.OK


def test_outside_ci_a_missing_part_skips(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_part="import pytest\ndef test_it(): pytest.skip('needs node')")
    suite.runpytest_inprocess("test_part.py").assert_outcomes(skipped=1)


def test_in_ci_a_missing_part_fails(suite: pytest.Pytester) -> None:
    suite.makeconftest(PLUGIN.replace("IS_CI", "True"))
    suite.makepyfile(test_part="import pytest\ndef test_it(): pytest.skip('needs node')")
    result = suite.runpytest_inprocess("test_part.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*was skipped where everything must be installed*needs node*"])


def test_in_ci_the_corpus_may_be_absent(suite: pytest.Pytester) -> None:
    suite.makeconftest(PLUGIN.replace("IS_CI", "True"))
    suite.makepyfile(test_part="import pytest\ndef test_it(): pytest.skip('OPENPLAYBOOK_CORPUS is not set')")
    suite.runpytest_inprocess("test_part.py").assert_outcomes(skipped=1)


def test_every_id_is_unique_and_belongs_to_a_section() -> None:
    ids = [item.id for item in REQUIREMENTS]
    assert len(ids) == len(set(ids))
    assert {id_[0] for id_ in ids} == set(SECTIONS)
