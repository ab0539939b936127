"""What a stored `DataStore` says about its store: the `StoreDirectory` over resources. Each server imports it."""

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.resources.names import DATA_STORES
from openplaybook.retrieval.base import StoreFacts, StoreType, store_name
from openplaybook.services.errors import not_found
from openplaybook.services.locations import ANY, locations_in_use
from openplaybook.services.stored_records import every_record, retried
from openplaybook.storage.base import Put, Record, Store

COLLECTION_KIND = "collection"
"""The record that makes a collection listable."""
FAQ = "FAQ"
"""`structuredDataStoreSubtype` of questions with their answers."""

_TYPES = {"CONTENT_REQUIRED": StoreType.UNSTRUCTURED, "PUBLIC_WEBSITE": StoreType.PUBLIC_WEB}
"""By `contentConfig`; all others are structured."""


class StoredStores:
    """Looks stores up among the resources."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def facts(self, name: str) -> StoreFacts | None:
        """What a store is, by its whole or short name; None where there is none."""
        found = await self.document(name)
        return None if found is None else facts_of(found)

    async def existing(self, name: str) -> StoreFacts:
        """The same of a store that is asked for. Raises NOT_FOUND where there is none."""
        facts = await self.facts(name)
        if facts is None:
            raise not_found("Data store", name)
        return facts

    async def mark_faq(self, name: str) -> None:
        """Note of a structured store that questions with answers were put into it."""

        async def attempt() -> None:
            record = await self._store.get(name)
            if record is None:
                return
            document = as_object(loads(record.body))
            if "structuredDataStoreSubtype" not in document and facts_of(document).type is StoreType.STRUCTURED:
                body = dumps({**document, "structuredDataStoreSubtype": FAQ})
                put = Put(name, record.kind, record.parent, record.root, body, expect=record.version)
                await self._store.apply([put])

        await retried(attempt)

    async def document(self, name: str) -> JsonObject | None:
        """The `DataStore` of a whole or short name, as JSON; None where there is none."""
        whole = store_name(name)
        record = None if whole is None else await self._store.get(whole)
        if record is None or record.kind != DATA_STORES.kind:
            return None
        return as_object(loads(record.body))


async def every_store(store: Store) -> list[Record]:
    """The records of all data stores, of all projects."""
    found: list[Record] = []
    for location in await locations_in_use(store, ANY):
        for collection in await every_record(store, str(location), COLLECTION_KIND):
            found += await every_record(store, collection.name, DATA_STORES.kind)
    return found


def facts_of(document: JsonObject) -> StoreFacts:
    """What a `DataStore`, as JSON, says of its store."""
    return StoreFacts(
        name=str(document["name"]),
        display_name=str(document.get("displayName", "")),
        type=_TYPES.get(str(document.get("contentConfig")), StoreType.STRUCTURED),
        language=str(as_object(document.get("languageInfo")).get("languageCode", "")),
        is_faq=document.get("structuredDataStoreSubtype") == FAQ,
    )
