"""The pytest plugin that holds the suite to `tests/requirements.py` and, in CI, to running everything it can."""

import re
from collections.abc import Generator, Iterable, Mapping, Sequence

import pytest

from tests.requirements import Requirement, Status

_PROPERTY = "requirements"

SKIPS_ALLOWED_IN_CI = {
    r"OPENPLAYBOOK_CORPUS": "the corpus is material, which set-up cannot install",
    r"\broot\b": "file permissions do not bind root",
}
"""Pattern of a skip's reason → why no installation would help. Every other skip is a missing part."""


class Ledger:
    """Notes which requirement ids passing tests carry, and closes the account of a full run.

    What a test proves travels with its report, so tests may run in other processes than the one that counts.
    """

    def __init__(self, requirements: Mapping[str, Requirement], *, is_ci: bool) -> None:
        self._requirements = requirements
        self._is_ci = is_ci
        self._proved: set[str] = set()
        self._unproved: list[str] = []

    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        """Read the marks of what was collected; an id that is not in the manifest stops the run."""
        for item in items:
            ids = self._ids(item.iter_markers("proves"), item.nodeid)
            item.user_properties += [(_PROPERTY, id_) for id_ in ids]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn a skip that an installation would cure into a failure where CI runs."""
        report = yield
        if self._is_ci and report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            if not any(re.search(pattern, reason) for pattern in SKIPS_ALLOWED_IN_CI):
                report.outcome = "failed"
                report.longrepr = f"{report.nodeid} was skipped where everything must be installed: {reason}"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A passing test proves the ids it carries."""
        if report.when == "call" and report.passed:
            self._proved.update(str(id_) for name, id_ in report.user_properties if name == _PROPERTY)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """After a full run each `proved` id needs its proof; otherwise a green run turns red."""
        if hasattr(session.config, "workerinput") or not is_full_run(session.config):
            return
        promised = (item.id for item in self._requirements.values() if item.status is Status.PROVED)
        self._unproved = [id_ for id_ in promised if id_ not in self._proved]
        if self._unproved and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the ids without a proof."""
        if self._unproved:
            terminalreporter.section("Requirements that nothing proves", red=True)
            for id_ in self._unproved:
                terminalreporter.line(f"{id_} is `proved` in tests/requirements.py, but no test with its mark passed")

    def _ids(self, marks: Iterable[pytest.Mark], where: str) -> Iterable[str]:
        for mark in marks:
            for id_ in mark.args:
                if id_ not in self._requirements:
                    raise pytest.UsageError(f"{where}: proves({id_!r}) names no requirement of tests/requirements.py")
                yield id_


def is_full_run(config: pytest.Config) -> bool:
    """Whether nothing was selected: no path, no -k, no mark but the project's own, not only collected."""
    options = config.option
    narrowed = options.keyword or options.collectonly or options.deselect or options.markexpr not in {"", "not proof"}
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not narrowed
