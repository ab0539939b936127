from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_apps, register_dialogflow, register_mixins
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    """Calls the RPCs of a fresh server."""
    api, clock = load_api(), Clock()
    store = SqliteStore(with_tables(tmp_path / "store.db"), clock=clock)
    await store.open()
    operations = OperationRunner(store, api, clock)
    parts = ServiceParts(api, store, SpecificationChecker(), operations, InlineSecrets(SEALER), clock)
    registry = Registry(api)
    register_mixins(registry, parts)
    register_dialogflow(registry, parts)
    register_apps(registry, parts)
    yield Caller(registry, parts, clock)
    await operations.close(5)
    await store.close()
