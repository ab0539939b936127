from collections.abc import Iterator

import pytest

from tests.kit.background import Background


@pytest.fixture(scope="session")
def background() -> Iterator[Background]:
    loop = Background()
    loop.start()
    yield loop
    loop.stop()
