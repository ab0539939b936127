from collections.abc import AsyncIterator

import pytest

from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from tests.kit.sandboxed import need_sandbox


@pytest.fixture(scope="session", autouse=True)
def sandbox() -> None:
    """All of it takes a sandbox."""
    need_sandbox()


@pytest.fixture
async def executor() -> AsyncIterator[LocalExecutor]:
    """The real one, with no library imported ahead of time."""
    executor = LocalExecutor(LocalSettings(preload=()))
    yield executor
    await executor.aclose()
