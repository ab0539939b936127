"""The plugin that hands out tests to workers, tried on suites of its own."""

from collections.abc import Mapping

import pytest

from tests.unit.ledger.test_ledger import INI

PLUGIN = """
from tests.distribution import Distribution
def pytest_configure(config):
    config.pluginmanager.register(Distribution(("one", "other"), ("late/first", "other")))
"""
TEST = """
import os
from pathlib import Path
def test_it():
    with Path({log!r}).open("a") as log:
        log.write("{place} " + os.environ.get("PYTEST_XDIST_WORKER", "itself") + "\\n")
"""
PLACES = ("late", "late/first", "one", "one/part", "other", "other/part")


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of six files in folders, whose tests write down who runs them; no other plugins than xdist."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makeini(INI.replace("addopts =", "addopts = -p xdist"))
    pytester.makeconftest(PLUGIN)
    for place in PLACES:
        folder = pytester.path / place
        folder.mkdir()
        test = TEST.format(log=str(pytester.path / "log"), place=place)
        (folder / f"test_{place.replace('/', '_')}.py").write_text(test)
    return pytester


def ran(suite: pytest.Pytester, *arguments: str) -> Mapping[str, str]:
    """Place of a test → who ran it, in the order of running."""
    suite.runpytest_inprocess(*arguments).assert_outcomes(passed=len(PLACES))
    return dict(line.split() for line in (suite.path / "log").read_text().splitlines())


def test_a_worker_begins_with_the_first_folders(suite: pytest.Pytester) -> None:
    order = ran(suite, "-n1", "--dist=loadscope")
    assert list(order) == ["late/first", "other/part", "other", "late", "one/part", "one"]
    assert set(order.values()) == {"gw0"}


def test_folders_of_one_group_are_one_workers(suite: pytest.Pytester) -> None:
    workers = ran(suite, "-n3", "--dist=loadscope")
    assert workers["one"] == workers["one/part"]
    assert workers["other"] == workers["other/part"]


def test_in_one_process_the_order_stays(suite: pytest.Pytester) -> None:
    order = ran(suite)
    assert list(order) == ["late/first", "late", "one/part", "one", "other/part", "other"]
    assert set(order.values()) == {"itself"}
