"""The loaded API, shared by all tests of the room."""

import pytest

from openplaybook.wire.api import Api, load_api


@pytest.fixture(scope="session")
def api() -> Api:
    return load_api()
