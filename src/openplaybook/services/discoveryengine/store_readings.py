"""How the files of a stored `DataStore` are read and cut, besides all that is known of it."""

import asyncio

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.extraction.base import ExtractionOptions
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.passages.passage_cutter import MOST_TOKENS
from openplaybook.services.discoveryengine.stored_stores import StoredStores, facts_of
from openplaybook.services.errors import not_found
from openplaybook.storage.base import Store


class StoreReadings(StoredStores):
    """Looks stores up among the resources, for those who fill them."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.beginning = asyncio.Lock()
        """Held while a store begins, and while what is left of one is dropped: that is never of one that is new."""

    async def reading(self, name: str) -> StoreReading:
        """How what is put into a store is read. Raises NOT_FOUND."""
        found = await self.document(name)
        if found is None:
            raise not_found("Data store", name)
        return reading_of(found)


def reading_of(document: JsonObject) -> StoreReading:
    """How the files of a `DataStore`, as JSON, are read and cut."""
    processing = as_object(document.get("documentProcessingConfig"))
    chunking = as_object(processing.get("chunkingConfig"))
    layout = as_object(chunking.get("layoutBasedChunkingConfig"))
    parsing = as_object(processing.get("defaultParsingConfig"))
    overrides = as_object(processing.get("parsingConfigOverrides"))
    html = as_object(as_object(overrides.get("html") or parsing).get("layoutParsingConfig"))
    return StoreReading(
        facts=facts_of(document),
        most_tokens=int(layout.get("chunkSize") or MOST_TOKENS),
        # A store that asks for chunks gets headings if it asks for them as well; others are searched better with them.
        include_headings=bool(layout.get("includeAncestorHeadings")) if layout else True,
        # Who says how documents are to be processed, and nothing of chunks, wants none. Who says nothing at all gets
        # the better search.
        is_whole="documentProcessingConfig" in document and "layoutBasedChunkingConfig" not in chunking,
        options=ExtractionOptions(
            exclude_html_elements=tuple(map(str, as_list(html.get("excludeHtmlElements")))),
            exclude_html_classes=tuple(map(str, as_list(html.get("excludeHtmlClasses")))),
            exclude_html_ids=tuple(map(str, as_list(html.get("excludeHtmlIds")))),
        ),
    )
