from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from openplaybook.storage.sqlite import SqliteStore
from tests.kit.made_tables import with_tables


@pytest.fixture
async def executor() -> AsyncIterator[LocalExecutor]:
    """The real one, with no library imported ahead of time."""
    executor = LocalExecutor(LocalSettings(preload=()))
    yield executor
    await executor.aclose()


@pytest.fixture
async def keeping() -> AsyncIterator[LocalExecutor]:
    """One that keeps what the executions of a conversation leave."""
    executor = LocalExecutor(LocalSettings(preload=(), keeps_sessions=True))
    yield executor
    await executor.aclose()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """An empty one."""
    store = SqliteStore(with_tables(tmp_path / "store.db"))
    await store.open()
    yield store
    await store.close()
