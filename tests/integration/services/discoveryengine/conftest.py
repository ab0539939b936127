from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.services.discoveryengine.stores import Stores, serving


@pytest.fixture
def bucket(tmp_path: Path) -> Path:
    """The folder that stands for the bucket `manuals`."""
    folder = tmp_path / "manuals"
    folder.mkdir()
    return folder


@pytest.fixture
async def stores(tmp_path: Path, bucket: Path) -> AsyncIterator[Stores]:
    """A fresh server's data stores."""
    async with serving(tmp_path, bucket) as stores:
        yield stores
