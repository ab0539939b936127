"""The plugin that shares out the rewriting of assertions, tried on a suite of its own."""

import pytest

from tests.rewriting import Rewriting
from tests.unit.ledger.test_ledger import INI

FILES = ("test_a", "test_b", "test_c")


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of three files, next to which nothing is kept."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    pytester.makeini(INI)
    pytester.makepyfile(helper="A = 1", **dict.fromkeys(FILES, "def test_it():\n    assert True\n"))
    return pytester


def kept(suite: pytest.Pytester) -> dict[str, int]:
    """For which files something is kept, and since when."""
    found = (suite.path / "__pycache__").glob("*-pytest-*.pyc")
    return {path.name.partition(".")[0]: path.stat().st_mtime_ns for path in found}


def share(suite: pytest.Pytester, **worker: object) -> None:
    """What a worker does before it collects the suite."""
    config = suite.parseconfigure(suite.path)
    if worker:
        config.workerinput = worker  # type: ignore[attr-defined]
    Rewriting().pytest_collection(pytest.Session.from_config(config))


def test_workers_rewrite_all_files_together_and_each_another_part(suite: pytest.Pytester) -> None:
    share(suite, workerid="gw1", workercount=3)
    first = kept(suite)
    assert len(first) == 1
    share(suite, workerid="gw0", workercount=3)
    share(suite, workerid="gw2", workercount=3)
    assert set(kept(suite)) == set(FILES)
    assert kept(suite).items() >= first.items()


def test_what_they_kept_is_what_pytest_takes(suite: pytest.Pytester) -> None:
    share(suite, workerid="gw0", workercount=1)
    before = kept(suite)
    suite.runpytest_inprocess("-p", "no:xdist").assert_outcomes(passed=3)
    assert kept(suite) == before


def test_without_workers_nothing_is_done_ahead(suite: pytest.Pytester) -> None:
    share(suite)
    assert kept(suite) == {}
