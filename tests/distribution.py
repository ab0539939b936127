"""The pytest plugin that says which tests stay together when several workers run them, and what they begin with."""

from collections.abc import Mapping, Sequence

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

TOGETHER: Sequence[str] = (
    "tests/integration/sandbox",
    "tests/integration/tools/code_interpreter",
    "tests/integration/storage",
    "tests/e2e/code_interpreter",
    "tests/e2e/console",
)
"""Folders whose tests one worker runs: they share a sandbox or a PostgreSQL. Elsewhere the tests of a file stay
together, for they share its fixtures."""

FIRST: Sequence[str] = (
    "tests/packaging",
    "tests/integration/sandbox",
    "tests/e2e",
    "tests/docs",
    "tests/integration",
    "tests/unit",
)
"""What the workers begin with, the longest first, so that at the end no worker has long work while others have none."""


class Distribution:
    """Hands out the groups in the order of `FIRST`; it takes part only if pytest runs with `-n`."""

    def __init__(self, together: Sequence[str] = TOGETHER, first: Sequence[str] = FIRST) -> None:
        self._together = together
        self._first = first

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Put the items of a worker into order; every worker has the same."""
        if hasattr(config, "workerinput"):
            items.sort(key=lambda item: self._rank(item.nodeid))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Producer) -> LoadScopeScheduling:
        """Schedule by groups."""
        config.option.loadscopereorder = False
        return _Groups(config, log, self._together)

    def _rank(self, nodeid: str) -> int:
        return next((n for n, folder in enumerate(self._first) if nodeid.startswith(f"{folder}/")), len(self._first))


class _Groups(LoadScopeScheduling):
    def __init__(self, config: pytest.Config, log: Producer, together: Sequence[str]) -> None:
        super().__init__(config, log)
        self._together = together
        self._places: dict[WorkerController, Mapping[str, int]] = {}

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        self._places[node] = {nodeid: place for place, nodeid in enumerate(collection)}

    def _assign_work_unit(self, node: WorkerController) -> None:
        # The scheduler's own looks for the place of each test from the beginning.
        scope, tests = self.workqueue.popitem(last=False)
        self.assigned_work[node][scope] = tests
        node.send_runtest_some([self._places[node][nodeid] for nodeid, is_done in tests.items() if not is_done])

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        # It is asked after each test, and counts all that a worker ever had.
        for scope in [scope for scope, tests in workload.items() if all(tests.values())]:
            del workload[scope]
        return super()._pending_of(workload)

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((folder for folder in self._together if file.startswith(f"{folder}/")), file)
