from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.services.connectors.connected import Connected, connected


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Connected]:
    """A fresh server without connections."""
    async with connected(tmp_path) as server:
        yield server
