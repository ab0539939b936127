"""A demo that pages share."""

from collections.abc import Iterator

import pytest

from tests.e2e.kit.server import Server, running


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For pages that do not see each other's traces: one that adds agents or counts anything has a demo of its own."""
    with running(tmp_path_factory.mktemp("demo"), command="demo") as server:
        yield server
