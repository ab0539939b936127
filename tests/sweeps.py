"""The pytest plugin that leaves a fixed sample of each long sweep in `make test`; `make proof` runs all of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from zlib import crc32

import pytest

EVERY: Mapping[str, int] = {
    "tests/docs/test_quickstarts.py::test_a_quick_start_works_a_second_time": 4,
    "tests/docs/test_quickstarts.py::test_the_cxas_scrapi_quick_start": 2,
    "tests/e2e/": 12,
    "tests/e2e/code_interpreter/": 12,
    "tests/e2e/console/": 20,
    "tests/e2e/console/test_sources.py": 1,
    "tests/e2e/console/test_views.py": 10,
    "tests/e2e/test_corpus_agents.py": 10,
    "tests/e2e/test_hostile_documents.py": 8,
    "tests/e2e/test_hostile_texts.py": 2,
    "tests/e2e/test_kills_at_every_point.py": 2,
    "tests/e2e/test_older_data.py": 2,
    "tests/e2e/test_preloaded_commands.py": 1,
    "tests/e2e/test_preloaded_commands.py::test_both_commands_print_and_return_the_same": 5,
    "tests/e2e/test_replicas.py": 1,
    "tests/integration/cli/": 4,
    "tests/integration/connectors/": 8,
    "tests/integration/connectors/rest/test_conformance.py": 1,
    "tests/integration/connectors/rest/test_faults.py": 8,
    "tests/integration/connectors/rest/test_seeded_faults.py": 40,
    "tests/integration/egress/test_hostile.py": 4,
    "tests/integration/retrieval/": 4,
    "tests/integration/sandbox/": 6,
    "tests/integration/server/": 4,
    "tests/integration/services/": 4,
    "tests/integration/services/ces/": 4,
    "tests/integration/storage/test_postgres_lost_connections.py": 6,
    "tests/integration/tools/": 4,
    "tests/integration/tools/openapi/test_hostile_texts.py": 4,
    "tests/integration/tools/openapi_corpus/": 6,
    "tests/integration/tools/test_heavy_values.py": 4,
    "tests/integration/turns/": 4,
    "tests/integration/turns/test_kills_at_every_point.py": 6,
    "tests/integration/turns/test_kills_in_apps.py": 4,
    "tests/integration/turns/test_kills_within_calls.py": 4,
    "tests/integration/turns/test_told_conversations.py": 6,
    "tests/integration/wire/": 4,
    "tests/unit/": 4,
    "tests/unit/connectors/sql/test_query_inspection.py": 8,
    "tests/unit/kit/test_pictures.py": 4,
    "tests/unit/models/offline/language/test_small_talk.py": 4,
    "tests/unit/models/offline/test_midst.py": 4,
    "tests/unit/models/offline/test_requests.py": 4,
    "tests/unit/retrieval/language/test_analysis.py::test_terms_are_the_same": 4,
    "tests/unit/tools/openapi/oddities/test_mutations.py": 4,
    "tests/unit/tools/openapi/requests/test_tangled_bodies.py": 5,
    "tests/unit/tools/openapi/requests/test_tangled_bodies.py::test_what_is_composed_of_itself": 7,
    "tests/unit/turns/journal/test_rows.py": 6,
    "tests/unit/wire/test_discovered_api.py::test_json_of_a_schema": 12,
}
"""Beginning of a test's id → which part of its cases `make test` runs, a tenth for 10. The longest beginning counts."""

_NAMED = "::"


class Sweeps:
    """Marks every case of a sweep with `sweep`, and those outside the sample with `proof`.

    Of each parametrised function one case in so many stays, on a diagonal through its parameters, so that the values of
    each parameter stay too; where the diagonal begins follows from the function's name. At least one case of a function
    stays, and each that proves a requirement on its own. A run that names tests by their ids leaves nothing out.
    """

    def __init__(self, every: Mapping[str, int]) -> None:
        self._every = every

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: Sequence[pytest.Item]) -> None:
        """Mark the items, before pytest selects by marks."""
        if any(_NAMED in argument for argument in config.args):
            return
        functions: dict[str, list[pytest.Function]] = defaultdict(list)
        for item in items:
            if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
                functions[item.nodeid.partition("[")[0]].append(item)
        for name, cases in functions.items():
            if (every := self._every_of(name)) > 1:
                _mark(name, cases, every)

    def _every_of(self, name: str) -> int:
        beginnings = [beginning for beginning in self._every if name.startswith(beginning)]
        return self._every[max(beginnings, key=len)] if beginnings else 1


def _mark(name: str, cases: Sequence[pytest.Function], every: int) -> None:
    start = crc32(name.encode())
    stays = [(sum(place) + start) % every == 0 for place in _places(cases)]
    if not any(stays):
        stays[start % len(cases)] = True
    for case, is_in_sample in zip(cases, stays, strict=True):
        case.add_marker("sweep")
        if not is_in_sample and not any(mark.name == "proves" for mark in case.callspec.marks):
            case.add_marker("proof")


def _places(cases: Sequence[pytest.Function]) -> Sequence[Sequence[int]]:
    """Where each case is in the space of the parameters that vary independently: numbers of their values."""
    axes: list[Sequence[int]] = []
    for parameter in cases[0].callspec.params:
        numbers: dict[int, int] = {}
        axis = [numbers.setdefault(id(case.callspec.params[parameter]), len(numbers)) for case in cases]
        if not any(_determines(other, axis) for other in axes):
            axes = [*(other for other in axes if not _determines(axis, other)), axis]
    return list(zip(*axes, strict=True))


def _determines(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether equal numbers of one parameter come with equal numbers of the other, as in rows of several values."""
    return len(set(zip(one, other, strict=True))) == len(set(one))
