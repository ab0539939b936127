"""The plugin that compares the seconds of folders with their budgets, tried on suites of its own."""

from itertools import chain
from pathlib import Path

import pytest

from tests.budgets import BUDGETS_S, WORKERS_S
from tests.distribution import FIRST, TOGETHER
from tests.sweeps import EVERY
from tests.unit.ledger.test_ledger import INI

PLUGIN = """
from tests.budgets import Budgets
def pytest_configure(config):
    config.pluginmanager.register(Budgets({"cheap": 1000, "dear": 0, "dear/part": 1000}))
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of folders with and without seconds to use; no other plugins."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    pytester.makeconftest(PLUGIN)
    for place in ("cheap", "dear", "dear/part", "other"):
        pytester.mkdir(place)
        (pytester.path / place / f"test_{place.replace('/', '_')}.py").write_text("def test_it(): pass")
    return pytester


def test_each_folder_has_its_line_and_a_folder_within_another_one_of_its_own(suite: pytest.Pytester) -> None:
    lines = suite.runpytest_inprocess().stdout
    lines.fnmatch_lines(["* of  1000 s *1 tests  cheap", "* of     0 s *1 tests  dear", "* of  1000 s *  dear/part"])
    lines.fnmatch_lines(["*0.0 * s *1 tests  elsewhere", "* of  2000 s *4 tests  in all"])


def test_a_budget_that_is_exceeded_is_named_and_fails_nothing(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["OVER BUDGET: dear used * s of 0 s: *"])
    result.stdout.no_fnmatch_line("OVER BUDGET: cheap*")


def test_all_budgets_together_are_at_most_nine_minutes_of_all_workers() -> None:
    assert sum(BUDGETS_S.values()) <= WORKERS_S


def test_each_folder_and_file_of_the_tables_is_there() -> None:
    root = Path(__file__).parents[3]
    named = chain(BUDGETS_S, TOGETHER, FIRST, EVERY)
    assert [each for each in named if not (root / each.partition("::")[0]).exists()] == []
