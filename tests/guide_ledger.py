"""The pytest plugin that names the blocks of pages that no passing test has run or held against anything."""

from collections.abc import Callable, Generator, Sequence

import pytest

from tests.kit.guides import Block, taken
from tests.ledger import is_full_run

_PROPERTY = "blocks of pages"
_GUIDES = ("tests/docs/", "tests/packaging/")


class GuideLedger:
    """Notes which blocks tests take, and closes the account of a full run.

    What a test takes travels with its report, so tests may run in other processes than the one that counts.
    """

    def __init__(self, all_blocks: Callable[[], Sequence[Block]]) -> None:
        self._all_blocks = all_blocks
        self._held: set[str] = set()
        self._is_excused = False
        self._left: list[Block] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send along what was taken while the test was set up, called or torn down."""
        report = yield
        report.user_properties += [(_PROPERTY, f"{page}:{line}") for page, line in taken()]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that passes holds what it took; one of the guides' that is skipped excuses the rest."""
        if report.passed:
            self._held.update(str(place) for name, place in report.user_properties if name == _PROPERTY)
        self._is_excused |= report.skipped and report.nodeid.startswith(_GUIDES)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """After a full run in which nothing was skipped each block is held or marked; else a green run turns red."""
        if hasattr(session.config, "workerinput") or not is_full_run(session.config):
            return
        self._left = [
            block
            for block in self._all_blocks()
            if not block.illustrates and f"{block.page}:{block.line}" not in self._held
        ]
        if self._left and not self._is_excused and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the blocks that are left."""
        if self._left:
            terminalreporter.section("Blocks of pages that no test has taken", red=True)
            for block in self._left:
                terminalreporter.line(f"docs/{block}: run it in tests/docs, or mark it: <!-- illustration: why -->")
