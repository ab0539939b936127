"""Data stores: created and deleted by operations, as at Google, and given back with what they hold."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from openplaybook.resources.errors import InvalidId
from openplaybook.resources.names import DATA_STORES, LOCATIONS
from openplaybook.retrieval.base import SearchEngine, StoreType
from openplaybook.retrieval.passages.passage_cutter import LEAST_TOKENS, MOST_TOKENS
from openplaybook.services.collection import Page
from openplaybook.services.discoveryengine.schemas import DEFAULT_SCHEMA
from openplaybook.services.discoveryengine.store_contents import drop_contents, drop_remains, drop_what_is_left
from openplaybook.services.discoveryengine.store_names import whole_collection, whole_store
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.discoveryengine.stored_stores import COLLECTION_KIND, FAQ, facts_of
from openplaybook.services.discoveryengine.unserved_fields import WRITE_STORE, refuse_unserved
from openplaybook.services.documented_bounds import check_location
from openplaybook.services.errors import invalid, precondition, unimplemented
from openplaybook.services.locations import ANY, locations_in_use, remember_location
from openplaybook.services.operation_notes import UnfinishedWork
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import DATA_STORE
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import every_record, retried
from openplaybook.storage.base import Change, Put, Store
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

DELETION = "delete_data_store"
"""Kind of the note of an operation that deletes a store."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII | re.IGNORECASE)
_LONGEST_DISPLAY_NAME = 128
_WORKSPACE = "GOOGLE_WORKSPACE"


class DataStores(ResourceService):
    """Create, get, list, update and delete."""

    filter_aliases: ClassVar[Mapping[str, str]] = {"solution_type": "solution_types"}

    def __init__(self, parts: ServiceParts, engine: SearchEngine, stores: StoreReadings) -> None:
        super().__init__(DATA_STORE, parts, None)
        self._engine = engine
        self._stores = stores

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store it; the operation is done at once."""
        refuse_unserved(request, WRITE_STORE)
        request.parent = whole_collection(request.parent)
        created = await super().create(request, context)
        metadata = self.parts.discovery("CreateDataStoreMetadata")
        work = partial(finished, created)
        return await self.parts.operations.start(context, request.parent, work, metadata=metadata)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The store, with how much it holds."""
        request.name = whole_store(request.name)
        return await self._counted(await super().get(request, context))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a collection's stores, or with `-` of several collections'."""
        request.parent = whole_collection(request.parent)
        page = self.page_of(request)
        parents = await self._collections(page)
        response = await self.list_response(await self.records.page_across(page, parents), context)
        for listed in response.data_stores:
            await self._counted(listed)
        return response

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As for every kind."""
        refuse_unserved(request, WRITE_STORE)
        request.data_store.name = whole_store(request.data_store.name, "data_store.name")
        return await self._counted(await super().update(request, context))

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Delete the store and all that it holds, by an operation that goes on when the server starts again."""
        name = whole_store(request.name)
        begun_us = (await self.records.read(name)).message.create_time.ToMicroseconds()
        return await self.parts.operations.start(
            context,
            DATA_STORES.parse(name).parent,
            partial(self.deletion, name, begun_us),
            metadata=self.parts.discovery("DeleteDataStoreMetadata"),
            note={"kind": DELETION, "store": name, "begunUs": begun_us},
        )

    async def resume(self, unfinished: UnfinishedWork) -> bool:
        """Go on with the deletion of a store that no server deletes any more."""
        work = partial(self.deletion, str(unfinished.note["store"]), int(unfinished.note["begunUs"]))
        return await self.parts.operations.resume(unfinished.operation, work, "v1")

    async def deletion(self, name: str, begun_us: int) -> FinishedWork:
        """The work of deleting the store that began then; it may have been done in part already.

        One of the same name that was created since stays.
        """
        if await self._is_there(name, begun_us):
            await drop_contents(self._engine, name)
        async with self._stores.beginning:
            if await self._is_there(name, begun_us):
                request = self.parts.discovery("DeleteDataStoreRequest", name=name)
                await retried(partial(self.remove, request))
        # An import may have put a batch in between.
        await drop_what_is_left(self._engine, self._stores, name)
        return FinishedWork(self.parts.empty())

    async def _is_there(self, name: str, begun_us: int) -> bool:
        """Whether there is still the store that began then."""
        if not await self.records.exists(name):
            return False
        return (await self.records.read(name)).message.create_time.ToMicroseconds() == begun_us

    def id_of(self, request: ApiMessage) -> str:
        """The id that is asked for. Raises INVALID_ARGUMENT where there is none, and `InvalidId`."""
        if not request.data_store_id:
            raise invalid(("data_store_id", "is required"))
        if not _ID.fullmatch(request.data_store_id):
            raise InvalidId("data_store_id", request.data_store_id)
        return request.data_store_id

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Check what is documented; what a store is filled with cannot change."""
        document = self.parts.api.codec.to_json(resource)
        facts = facts_of(document)
        if len(resource.display_name) > _LONGEST_DISPLAY_NAME:
            raise invalid(("data_store.display_name", f"is longer than {_LONGEST_DISPLAY_NAME} characters"))
        if document.get("contentConfig") == _WORKSPACE:
            raise unimplemented("Data stores of Google Workspace are not served; create one and import documents")
        layout = resource.document_processing_config.chunking_config.layout_based_chunking_config
        if layout.chunk_size and not LEAST_TOKENS <= layout.chunk_size <= MOST_TOKENS:
            path = "document_processing_config.chunking_config.layout_based_chunking_config.chunk_size"
            raise invalid((f"data_store.{path}", f"must be {LEAST_TOKENS} to {MOST_TOKENS} tokens"))
        subtype = document.get("structuredDataStoreSubtype", "")
        if subtype not in ("", FAQ) or (subtype and facts.type is not StoreType.STRUCTURED):
            raise invalid(
                ("data_store.structured_data_store_subtype", "must be FAQ, and of a structured store, or empty")
            )
        if stored is not None and stored.content_config != resource.content_config:
            raise precondition("CONTENT_CONFIG", "What a data store is filled with cannot change; create another one")
        resource.default_schema_id = DEFAULT_SCHEMA

    async def insert(self, resource: ApiMessage, *others: Change, **more: object) -> ApiMessage:
        """As for every kind; location and collection can be listed from then on."""
        collection = DATA_STORES.parse(resource.name).parent
        location = LOCATIONS.parse(collection.partition("/collections/")[0])
        check_location(location)
        listed = await remember_location(self.parts.store, location)
        async with self._stores.beginning:
            if not await self.records.exists(resource.name):
                await drop_remains(self._engine, resource.name)
            return await super().insert(resource, *others, *listed, *await _remembered(self.parts.store, collection))

    async def _collections(self, page: Page) -> Sequence[str]:
        location, _, collection = page.parent.partition("/collections/")
        named = LOCATIONS.parse(location)
        if ANY not in (named.project, named.id, collection):
            return [page.parent]
        locations = await locations_in_use(self.parts.store, named.project)
        found: list[str] = []
        for one in (one for one in locations if named.id in (ANY, one.id)):
            names = [record.name for record in await every_record(self.parts.store, str(one), COLLECTION_KIND)]
            found += [name for name in names if collection in (ANY, name.rpartition("/")[2])]
        return found

    async def _counted(self, store: ApiMessage) -> ApiMessage:
        """The same with what it holds."""
        held = await self._engine.statistics(store.name)
        store.billing_estimation.documents = held.documents
        sizes = {"NO_CONTENT": "structured", "CONTENT_REQUIRED": "unstructured", "PUBLIC_WEBSITE": "website"}
        config = store.DESCRIPTOR.fields_by_name["content_config"].enum_type.values_by_number[store.content_config].name
        setattr(store.billing_estimation, f"{sizes.get(config, 'structured')}_data_size", held.bytes)
        return store


async def _remembered(store: Store, collection: str) -> list[Change]:
    """The change that makes a collection listable; none where it is already."""
    if await store.get(collection) is not None:
        return []
    location = collection.partition("/collections/")[0]
    return [Put(collection, COLLECTION_KIND, location, collection, b"{}")]
