from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.services.ces import register as ces
from openplaybook.services.dialogflow import register as dialogflow
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.mixins import register as mixins
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.sealing import SEALER


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    """Calls the RPCs of a fresh server."""
    api, clock = load_api(), Clock()
    store = SqliteStore(tmp_path / "store.db", clock=clock)
    await store.open()
    operations = OperationRunner(store, api, clock)
    parts = ServiceParts(api, store, SpecificationChecker(), operations, InlineSecrets(SEALER), clock)
    registry = Registry(api)
    mixins.register(registry, parts)
    dialogflow.register(registry, parts)
    ces.register(registry, parts)
    yield Caller(registry, parts, clock)
    await operations.close(5)
    await store.close()
