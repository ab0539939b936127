from dataclasses import dataclass, replace
from typing import cast

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import (
    SearchEngine,
    StoreDirectory,
    StoreFacts,
    StoreSearch,
    StoreStatistics,
    StoreType,
)
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.services.discoveryengine.data_stores import DataStores
from openplaybook.services.discoveryengine.registration import LateStoreServices
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.registry import Registry
from tests.integration.services.discoveryengine.stores import BRANCH, PARENT, STORE, Stores
from tests.kit.memory_engine import MemoryEngine

_PACKAGE = "google.cloud.discoveryengine.v1."
_SHORT = "projects/p/locations/global"


async def test_a_store_is_what_it_was_created_as(stores: Stores) -> None:
    layout = {"chunkSize": 200, "includeAncestorHeadings": True}
    made = await stores.create(
        "CONTENT_REQUIRED",
        languageInfo={"languageCode": "de"},
        documentProcessingConfig={"chunkingConfig": {"layoutBasedChunkingConfig": layout}},
    )
    assert (made["name"], made["defaultSchemaId"]) == (STORE, "default_schema")
    directory = StoreReadings(stores.caller.parts.store)
    facts = StoreFacts(STORE, "Pets", StoreType.UNSTRUCTURED, language="de")
    assert await directory.facts(STORE) == facts
    assert await directory.facts(f"{_SHORT}/dataStores/pets") == facts
    assert await directory.facts(f"{_SHORT}/dataStores/others") is None
    assert await directory.facts("no name") is None
    assert (await directory.reading(STORE)).most_tokens == 200


class Away(MemoryEngine):
    """An engine that does not answer."""

    async def statistics(self, store: str) -> StoreStatistics:
        raise EngineUnavailable("the engine is away")


async def test_a_store_that_the_engine_cannot_begin_is_not_there(stores: Stores) -> None:
    parts = stores.caller.parts
    request = parts.discovery("CreateDataStoreRequest", parent=PARENT, data_store_id="pets")
    request.data_store.display_name = "Pets"
    away = DataStores(parts, Away(), StoreReadings(parts.store))
    with pytest.raises(EngineUnavailable):
        await away.create(request, RpcContext(f"{_PACKAGE}DataStoreService.CreateDataStore", "v1", "grpc"))
    assert (await stores.create())["name"] == STORE


async def test_a_store_tells_how_much_it_holds(stores: Stores) -> None:
    await stores.create()
    await stores.fill({"id": "a", "structData": {"x": 1}})
    store = await stores("DataStoreService.GetDataStore", {"name": f"{_SHORT}/dataStores/pets"})
    estimated = store["billingEstimation"]
    assert estimated["documents"] == 1
    assert int(estimated["structuredDataSize"]) == (await stores.engine.statistics(STORE)).bytes


async def test_stores_of_all_projects_and_locations_are_listed(stores: Stores) -> None:
    await stores.create(id="one")
    elsewhere = {"parent": "projects/q/locations/eu", "dataStoreId": "two", "dataStore": {"displayName": "Two"}}
    await stores.done("DataStoreService.CreateDataStore", elsewhere)
    everywhere = {"parent": "projects/-/locations/-/collections/-"}
    listed = await stores("DataStoreService.ListDataStores", everywhere)
    assert [store["name"].rpartition("/")[2] for store in listed["dataStores"]] == ["one", "two"]
    here = await stores("DataStoreService.ListDataStores", {"parent": _SHORT})
    assert [store["name"] for store in here["dataStores"]] == [f"{PARENT}/dataStores/one"]
    page = await stores("DataStoreService.ListDataStores", {**everywhere, "pageSize": 1})
    rest = await stores("DataStoreService.ListDataStores", {**everywhere, "pageToken": page["nextPageToken"]})
    assert [store["displayName"] for store in rest["dataStores"]] == ["Two"]


@pytest.mark.parametrize(
    ("request_", "code", "named"),
    [
        ({"dataStoreId": ""}, Code.INVALID_ARGUMENT, "data_store_id"),
        ({"dataStoreId": "a b"}, Code.INVALID_ARGUMENT, "data_store_id"),
        ({"dataStoreId": "x" * 64}, Code.INVALID_ARGUMENT, "data_store_id"),
        ({"dataStore": {}}, Code.INVALID_ARGUMENT, "display_name"),
        ({"dataStore": {"displayName": "x" * 129}}, Code.INVALID_ARGUMENT, "display_name"),
        (
            {"dataStore": {"displayName": "x", "contentConfig": "GOOGLE_WORKSPACE"}},
            Code.UNIMPLEMENTED,
            "Google Workspace",
        ),
        ({"dataStore": {"displayName": "x", "aclEnabled": True}}, Code.UNIMPLEMENTED, "data_store.acl_enabled"),
        (
            {
                "dataStore": {
                    "displayName": "x",
                    "documentProcessingConfig": {"parsingConfigOverrides": {"pdf": {"ocrParsingConfig": {}}}},
                }
            },
            Code.UNIMPLEMENTED,
            "data_store.document_processing_config.parsing_config_overrides.*.ocr_parsing_config is not served",
        ),
        ({"parent": "projects/p"}, Code.INVALID_ARGUMENT, "collections/{collection}"),
        ({"dataStoreId": "pets"}, Code.ALREADY_EXISTS, STORE),
    ],
)
async def test_a_store_that_cannot_be_is_refused(stores: Stores, request_: JsonObject, code: Code, named: str) -> None:
    await stores.create()
    request: JsonObject = {"parent": PARENT, "dataStoreId": "new", "dataStore": {"displayName": "New"}, **request_}
    with pytest.raises(RpcError) as refused:
        await stores("DataStoreService.CreateDataStore", request)
    assert refused.value.code == code
    assert named in refused.value.message


async def test_what_a_store_is_filled_with_does_not_change(stores: Stores) -> None:
    await stores.create()
    changed = {"name": STORE, "displayName": "Pets", "contentConfig": "PUBLIC_WEBSITE"}
    code, _ = await stores.caller.refusal(f"{_PACKAGE}DataStoreService.UpdateDataStore", {"dataStore": changed})
    assert code == Code.FAILED_PRECONDITION
    kept = await stores(
        "DataStoreService.UpdateDataStore",
        {"dataStore": {"name": STORE, "displayName": "Cats"}, "updateMask": "displayName"},
    )
    assert (kept["displayName"], kept["contentConfig"]) == ("Cats", "NO_CONTENT")


async def test_a_store_is_deleted_with_all_that_it_holds(stores: Stores) -> None:
    await stores.create()
    await stores.fill({"id": "a", "structData": {"x": 1}})
    done = await stores.done("DataStoreService.DeleteDataStore", {"name": STORE})
    assert done["response"] == {"@type": "type.googleapis.com/google.protobuf.Empty"}
    for rpc, request in (
        ("DataStoreService.GetDataStore", {"name": STORE}),
        ("DataStoreService.DeleteDataStore", {"name": STORE}),
        ("DocumentService.ListDocuments", {"parent": BRANCH}),
        ("SchemaService.ListSchemas", {"parent": STORE}),
    ):
        code, message = await stores.caller.refusal(_PACKAGE + rpc, request)
        assert (code, STORE in message) == (Code.NOT_FOUND, True)
    assert (await stores.engine.statistics(STORE)).documents == 0


async def test_documents_are_listed_page_by_page(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*({"id": f"d{number}", "structData": {"x": number}} for number in range(7)))
    first = await stores("DocumentService.ListDocuments", {"parent": BRANCH, "pageSize": 4})
    rest = await stores("DocumentService.ListDocuments", {"parent": BRANCH, "pageToken": first["nextPageToken"]})
    ids = [document["id"] for document in [*first["documents"], *rest["documents"]]]
    assert ids == [f"d{number}" for number in range(7)]
    assert "nextPageToken" not in rest
    code, message = await stores.caller.refusal(
        f"{_PACKAGE}DocumentService.ListDocuments", {"parent": BRANCH, "pageToken": "made-up"}
    )
    assert (code, "page_token" in message) == (Code.INVALID_ARGUMENT, True)


async def test_a_document_is_changed_in_part_by_a_mask(stores: Stores) -> None:
    await stores.create()
    name = f"{BRANCH}/documents/a"
    await stores.fill({"id": "a", "structData": {"x": 1}, "parentDocumentId": "p"})
    document = {"name": name, "structData": {"x": 2}}
    changed = await stores("DocumentService.UpdateDocument", {"document": document, "updateMask": "structData"})
    assert (changed["structData"], changed["parentDocumentId"]) == ({"x": 2}, "p")
    whole = await stores("DocumentService.UpdateDocument", {"document": document})
    assert "parentDocumentId" not in whole
    missing = {"name": f"{BRANCH}/documents/b", "structData": {"x": 3}}
    code, _ = await stores.caller.refusal(f"{_PACKAGE}DocumentService.UpdateDocument", {"document": missing})
    assert code == Code.NOT_FOUND
    await stores("DocumentService.UpdateDocument", {"document": missing, "allowMissing": True})
    assert await stores.ids() == ["a", "b"]


async def test_the_schema_is_found_out_from_the_documents(stores: Stores) -> None:
    await stores.create()
    await stores.fill({"id": "a", "structData": {"title": "T", "tags": ["a"], "size": {"cm": 3}}})
    [schema] = (await stores("SchemaService.ListSchemas", {"parent": STORE}))["schemas"]
    assert schema["name"] == f"{STORE}/schemas/default_schema"
    properties = schema["structSchema"]["properties"]
    assert properties["title"]["keyPropertyMapping"] == "title"
    assert properties["tags"]["type"] == "array"
    assert properties["size"]["properties"]["cm"]["type"] == "integer"


@dataclass
class _ShortOfMemory:
    """A search that there is no memory for at first."""

    engine_: SearchEngine
    directory: StoreDirectory
    tries: int = 0

    @property
    def engine(self) -> SearchEngine:
        self.tries += 1
        if self.tries == 1:
            raise MemoryError
        return self.engine_


async def test_services_that_could_not_be_made_are_made_with_the_next_call(stores: Stores) -> None:
    parts, registry = stores.caller.parts, Registry(stores.caller.registry.api)
    search = cast(StoreSearch, _ShortOfMemory(stores.engine, StoredStores(parts.store)))
    LateStoreServices(parts, search, stores.services.access).register(registry)
    again = replace(stores, caller=replace(stores.caller, registry=registry))
    with pytest.raises(RpcError, match="Internal error"):
        await again("DataStoreService.ListDataStores", {"parent": PARENT})
    assert await again("DataStoreService.ListDataStores", {"parent": PARENT}) == {}
