from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.retrieval.base import StoreSearch
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.services.bucket_objects import Buckets
from openplaybook.services.discoveryengine.registration import LateStoreServices
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_mixins
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.registry import Registry
from tests.integration.services.discoveryengine.stores import Stores
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER


@pytest.fixture
def bucket(tmp_path: Path) -> Path:
    """The folder that stands for the bucket `manuals`."""
    folder = tmp_path / "manuals"
    folder.mkdir()
    return folder


@pytest.fixture
async def stores(tmp_path: Path, bucket: Path) -> AsyncIterator[Stores]:
    """A fresh server's data stores."""
    api, clock = load_api(), Clock()
    store = SqliteStore(with_tables(tmp_path / "store.db"), clock=clock)
    await store.open()
    catalog = SqliteCatalog(tmp_path / "stores.db")
    await catalog.open()
    engine = EmbeddedEngine(catalog, tmp_path / "indexes")
    operations = OperationRunner(store, api, clock)
    parts = ServiceParts(
        api,
        store,
        SpecificationChecker(),
        operations,
        InlineSecrets(SEALER),
        clock,
        buckets=Buckets({"manuals": FolderBucket("manuals", bucket)}),
    )
    registry = Registry(api)
    register_mixins(registry, parts)
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    services = LateStoreServices(parts, StoreSearch(engine, StoredStores(store)), transport)
    services.register(registry)
    yield Stores(Caller(registry, parts, clock, version="v1"), services, engine)
    await operations.close(5)
    await engine.close()
    await store.close()
    await transport.aclose()
