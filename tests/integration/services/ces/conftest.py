from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore
from tests.integration.services.ces.app_server import AppServer, SetUp, serving, shop
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import Caller
from tests.kit.agents import Part
from tests.kit.made_tables import with_tables


@pytest.fixture(params=["v1beta", "v1"])
def studio(call: Caller, request: pytest.FixtureRequest) -> Studio:
    """Calls a fresh server, as a client of each version."""
    call.version = request.param
    return Studio(call)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store, for conversations with apps."""
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def set_up(store: Store) -> SetUp:
    """Puts an app into the store and serves it."""

    async def build(*part: Part, **app: JsonValue) -> AppServer:
        return await serving(store, shop(**app), *part)

    return build
