from collections.abc import AsyncIterator

import pytest

from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig


@pytest.fixture
async def fork_server() -> AsyncIterator[ForkServer]:
    """One without libraries."""
    server = await ForkServer.start(ForkServerConfig(preload=()))
    yield server
    await server.aclose()
