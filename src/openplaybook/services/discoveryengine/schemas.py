"""The schema of a store: found out from its documents, so that it can be looked at and not written."""

from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.page_tokens import page_size
from openplaybook.retrieval.base import SearchEngine, document_pages
from openplaybook.retrieval.records.schema import SchemaDetector
from openplaybook.services.discoveryengine.store_names import name_within
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.errors import not_found
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

DEFAULT_SCHEMA = "default_schema"
"""Id of the only schema of a store."""

_SAMPLE = 2_000
"""Documents that are looked at, those with the first ids."""


class StoreSchemas:
    """Get and list."""

    def __init__(self, parts: ServiceParts, engine: SearchEngine, stores: StoredStores) -> None:
        self._parts = parts
        self._engine = engine
        self._stores = stores

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The fields that documents have."""
        name = name_within(request.name, "schemas/{schema}")
        if name.id != DEFAULT_SCHEMA:
            raise not_found("Schema", request.name)
        return await self._schema(name.store)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The one schema."""
        page_size(request.page_size)
        store = name_within(request.parent, "", "parent").store
        return self._parts.discovery("ListSchemasResponse", schemas=[await self._schema(store)])

    async def _schema(self, store: str) -> ApiMessage:
        await self._stores.existing(store)
        detector = SchemaDetector()
        looked_at = 0
        async for documents in document_pages(self._engine, store):
            size = sum(len(passage.text) for document in documents for passage in document.passages)
            await done_aside(partial(detector.add_all, [document.data for document in documents]), size)
            looked_at += len(documents)
            if looked_at >= _SAMPLE:
                break
        found: JsonObject = {
            "name": f"{store}/schemas/{DEFAULT_SCHEMA}",
            "structSchema": detector.schema().to_json_schema(),
        }
        return self._parts.api.codec.from_json(found, self._parts.discovery("Schema"))
