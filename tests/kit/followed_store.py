"""A store in an embedded engine, and waiting until what was put is found."""

import asyncio
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Passage, SearchEngine, SearchRequest, SearchResults, StoreDocument

STORE = "projects/p/locations/l/collections/default_collection/dataStores/one"

_PAUSE_S = 0.01
_LONGEST_S = 30.0


def document(
    id: str, text: str = "", *, title: str = "", data: JsonObject | None = None, language: str = "en"
) -> StoreDocument:
    """One of a single passage."""
    return StoreDocument(id, title, f"https://example.com/{id}", (Passage(text),), data or {}, language=language)


async def found(engine: SearchEngine, request: SearchRequest, ids: Sequence[str], store: str = STORE) -> SearchResults:
    """What is found once the hits are of these documents, in this order."""
    results = SearchResults((), 0)
    try:
        async with asyncio.timeout(_LONGEST_S):
            while True:
                results = await engine.search(store, request)
                if [hit.document for hit in results.hits] == list(ids):
                    return results
                await asyncio.sleep(_PAUSE_S)
    except TimeoutError:
        raise AssertionError(f"found {[hit.document for hit in results.hits]}, not {list(ids)}") from None


async def all_found(engine: SearchEngine, count: int, store: str = STORE) -> None:
    """Wait until so many documents are found."""
    total = -1
    try:
        async with asyncio.timeout(_LONGEST_S):
            while total != count:
                total = (await engine.search(store, SearchRequest("", limit=1))).total
                await asyncio.sleep(_PAUSE_S)
    except TimeoutError:
        raise AssertionError(f"found {total} documents, not {count}") from None
