"""The pytest plugin that prints, for each folder, the seconds that its tests used and how many it may use."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import pytest

BUDGETS_S: Mapping[str, float] = {
    "tests/unit": 160,
    "tests/integration/buckets": 3,
    "tests/integration/cli": 100,
    "tests/integration/connectors": 66,
    "tests/integration/credentials": 6,
    "tests/integration/demo": 3,
    "tests/integration/documents": 6,
    "tests/integration/egress": 11,
    "tests/integration/encoders": 4,
    "tests/integration/models": 11,
    "tests/integration/packages": 3,
    "tests/integration/recordings": 8,
    "tests/integration/resources": 2,
    "tests/integration/retrieval": 56,
    "tests/integration/sandbox": 125,
    "tests/integration/server": 62,
    "tests/integration/services": 58,
    "tests/integration/storage": 22,
    "tests/integration/sync": 2,
    "tests/integration/tools": 36,
    "tests/integration/turns": 28,
    "tests/integration/wire": 36,
    "tests/integration/workers": 7,
    "tests/e2e": 245,
    "tests/e2e/console": 80,
    "tests/proof": 16,
    "tests/docs": 118,
    "tests/packaging": 65,
}
"""Folder → seconds of its tests in `make test`, in all three workers together, on two cores."""

WORKERS_S = 3 * 9 * 60.0
"""What all budgets together stay below, so that the run ends after nine minutes."""

_REST = "elsewhere"


class Budgets:
    """Adds up what reports say, from whichever worker, and compares it; a budget that is exceeded fails nothing."""

    def __init__(self, budgets_s: Mapping[str, float]) -> None:
        self._budgets_s = budgets_s
        self._spent_s: dict[str, float] = defaultdict(float)
        self._tests: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Charge the folder of a test with its set-up, its call and its teardown."""
        folder = self._folder_of(report.nodeid)
        self._spent_s[folder] += report.duration
        self._tests[folder] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table, and name the folders beyond their budgets."""
        terminalreporter.section("seconds by folder, of all workers together")
        for folder, spent_s in sorted(self._spent_s.items()):
            of = f" of {self._budgets_s[folder]:5.0f}" if folder in self._budgets_s else " " * 9
            terminalreporter.line(f"{spent_s:7.1f}{of} s  {self._tests[folder]:6} tests  {folder}")
        in_all_s, allowed_s = sum(self._spent_s.values()), sum(self._budgets_s.values())
        terminalreporter.line(f"{in_all_s:7.1f} of {allowed_s:5.0f} s  {self._tests.total():6} tests  in all")
        for folder in sorted(self._spent_s):
            if folder in self._budgets_s and self._spent_s[folder] > self._budgets_s[folder]:
                terminalreporter.line(
                    f"OVER BUDGET: {folder} used {self._spent_s[folder]:.1f} s of {self._budgets_s[folder]:.0f} s: "
                    "make its tests cheaper, or leave a sample in `make test` (tests/sweeps.py)",
                    red=True,
                    bold=True,
                )

    def _folder_of(self, nodeid: str) -> str:
        folders = [folder for folder in self._budgets_s if nodeid.startswith((f"{folder}/", f"{folder}::"))]
        return max(folders, key=len, default=_REST)
