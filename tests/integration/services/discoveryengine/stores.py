"""Data stores behind their RPCs, as the tests ask them."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import SearchEngine
from openplaybook.services.discoveryengine.registration import LateStoreServices
from tests.integration.services.peers import Caller

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

    async def found(self, query: str, **more: JsonValue) -> list[str]:
        """Ids of what a search finds."""
        response = await self(
            "SearchService.Search",
            {"servingConfig": f"{STORE}/servingConfigs/default_search", "query": query, **more},
        )
        return [result["id"] for result in response.get("results", [])]
