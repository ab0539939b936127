"""The plugin that names the blocks that no test has taken, tried on suites of its own."""

import pytest

from tests.unit.ledger.test_ledger import INI

PLUGIN = """
from tests.guide_ledger import GuideLedger
from tests.kit.guides import page_blocks
def pytest_configure(config):
    config.pluginmanager.register(GuideLedger(lambda: page_blocks("streaming.md")))
"""
TAKING = "from tests.kit.guides import blocks\ndef test_it():\n    "
ALL = f"{TAKING}assert blocks('streaming.md', 'python') and blocks('streaming.md', 'text')"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite that owes the blocks of one page; no other plugins."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    pytester.makeconftest(PLUGIN)
    return pytester


def test_a_run_that_takes_every_block_passes(suite: pytest.Pytester) -> None:
    suite.makepyfile(ALL)
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.OK


def test_what_a_fixture_takes_counts(suite: pytest.Pytester) -> None:
    fixture = ALL.replace("def test_it", "@pytest.fixture\ndef it")
    suite.makepyfile(f"import pytest\n{fixture}\ndef test_it(it): pass")
    assert suite.runpytest_inprocess().ret == pytest.ExitCode.OK


def test_a_block_that_no_test_takes_fails_the_run(suite: pytest.Pytester) -> None:
    suite.makepyfile(f"{TAKING}assert blocks('streaming.md', 'python')")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["docs/streaming.md:* (text): run it in tests/docs, or mark it*"])


def test_a_failing_test_holds_nothing(suite: pytest.Pytester) -> None:
    suite.makepyfile(f"{ALL}; raise ValueError")
    suite.runpytest_inprocess().stdout.fnmatch_lines(["docs/streaming.md:* (python): *"])


def test_a_skipped_test_of_the_guides_excuses_what_it_would_have_taken(suite: pytest.Pytester) -> None:
    folder = suite.mkpydir("tests") / "docs"
    folder.mkdir()
    (folder / "test_it.py").write_text("import pytest\ndef test_it(): pytest.skip('needs node')")
    result = suite.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["docs/streaming.md:* (text): *"])


def test_a_partial_run_owes_no_blocks(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_part="def test_it(): pass")
    assert suite.runpytest_inprocess("test_part.py").ret == pytest.ExitCode.OK
