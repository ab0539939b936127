"""Data stores behind their RPCs, as the tests ask them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import SearchEngine, StoreSearch
from openplaybook.retrieval.catalog.base import CatalogQuota
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.services.bucket_objects import Buckets
from openplaybook.services.discoveryengine.registration import LateStoreServices, WebAccess
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operation_notes import WaitingLimits
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_mixins
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER

PARENT = "projects/p/locations/global/collections/default_collection"
STORE = f"{PARENT}/dataStores/pets"
BRANCH = f"{STORE}/branches/default_branch"
_PACKAGE = "google.cloud.discoveryengine.v1."


@dataclass
class Stores:
    """One server."""

    caller: Caller
    services: LateStoreServices
    engine: SearchEngine

    async def __call__(self, rpc: str, request: JsonObject) -> JsonObject:
        """The answer of a Discovery Engine RPC."""
        return await self.caller(_PACKAGE + rpc, request)

    async def done(self, rpc: str, request: JsonObject) -> JsonObject:
        """The operation that an RPC begins, once it is done."""
        operation = await self(rpc, request)
        await self.caller.parts.operations.wait(operation["name"], 30)
        return await self.caller("google.longrunning.Operations.GetOperation", {"name": operation["name"]})

    async def create(self, content: str = "NO_CONTENT", id: str = "pets", **more: JsonValue) -> JsonObject:
        """A new store."""
        store: JsonObject = {"displayName": "Pets", "contentConfig": content, **more}
        done = await self.done(
            "DataStoreService.CreateDataStore", {"parent": PARENT, "dataStoreId": id, "dataStore": store}
        )
        return done["response"]

    async def fill(self, *documents: JsonObject, **more: JsonValue) -> JsonObject:
        """The operation that imports documents inline, once it is done."""
        request: JsonObject = {"parent": BRANCH, "inlineSource": {"documents": [*documents]}, **more}
        return await self.done("DocumentService.ImportDocuments", request)

    async def ids(self) -> list[str]:
        """Ids of the store's documents."""
        listed = await self("DocumentService.ListDocuments", {"parent": BRANCH})
        return [document["id"] for document in listed.get("documents", [])]

    async def found_soon(self, query: str, **more: JsonValue) -> list[str]:
        """Ids of what a search finds of what was put a moment ago."""
        found: list[str] = []
        for _ in range(250):
            found = await self.found(query, **more)
            if found:
                break
            await asyncio.sleep(0.02)
        return found

    async def found(self, query: str, **more: JsonValue) -> list[str]:
        """Ids of what a search finds."""
        response = await self(
            "SearchService.Search",
            {"servingConfig": f"{STORE}/servingConfigs/default_search", "query": query, **more},
        )
        return [result["id"] for result in response.get("results", [])]


@asynccontextmanager
async def serving(
    folder: Path,
    bucket: Path,
    kind: type[FolderBucket] = FolderBucket,
    clock: Clock | None = None,
    refresh_s: int | None = None,
    quota: CatalogQuota | None = None,
    waiting: WaitingLimits | None = None,
) -> AsyncGenerator[Stores]:
    """Data stores whose data are in a folder, on the loop that runs; `bucket` stands for the bucket `manuals`."""
    api, clock = load_api(), clock or Clock()
    path = folder / "store.db"
    store = SqliteStore(path if path.exists() else with_tables(path), clock=clock)
    await store.open()
    catalog = SqliteCatalog(folder / "stores.db", quota=quota)
    await catalog.open()
    engine = EmbeddedEngine(catalog, folder / "indexes")
    operations = OperationRunner(store, api, clock)
    buckets = Buckets({"manuals": kind("manuals", bucket)})
    checker, secrets = SpecificationChecker(), InlineSecrets(SEALER)
    parts = ServiceParts(api, store, checker, operations, secrets, clock, buckets=buckets)
    registry = Registry(api)
    register_mixins(registry, parts)
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    access = WebAccess(transport, 0.0, refresh_s, look_s=0.01)
    services = LateStoreServices(parts, StoreSearch(engine, StoredStores(store)), access, waiting)
    services.register(registry)
    async with services.resuming(is_shared=False):
        yield Stores(Caller(registry, parts, clock, version="v1"), services, engine)
    await operations.close(0)
    await engine.close()
    await store.close()
    await transport.aclose()
