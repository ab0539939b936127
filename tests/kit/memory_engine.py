"""A `SearchEngine` in memory: it finds documents that have all words of a request."""

from collections.abc import Sequence

from openplaybook.retrieval.base import (
    DocumentPage,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)


class MemoryEngine:
    """Keeps documents by store and id."""

    def __init__(self) -> None:
        self.stores: dict[str, dict[str, StoreDocument]] = {}
        self.puts: list[list[str]] = []
        """Ids of each batch that was put."""

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """As the port says; so do all others."""
        self.puts.append([document.id for document in documents])
        self.stores.setdefault(store, {}).update({document.id: document for document in documents})

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        held = self.stores.get(store, {})
        return sum(held.pop(id, None) is not None for id in ids)

    async def get(self, store: str, id: str) -> StoreDocument | None:
        return self.stores.get(store, {}).get(id)

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        held = self.stores.get(store, {})
        ids = [id for id in sorted(held) if id > after]
        next_after = ids[limit - 1] if len(ids) > limit else ""
        return DocumentPage(tuple(held[id] for id in ids[:limit]), next_after)

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        held = self.stores.get(store, {})
        return {id: held[id].digest for id in ids if id in held}

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        words = request.text.lower().split()
        hits = [
            SearchHit(document.id, number, 1.0, document.title, document.uri, passage.text, data=document.data)
            for document in self.stores.get(store, {}).values()
            for number, passage in enumerate(document.passages)
            if all(word in passage.text.lower() for word in words)
        ]
        return SearchResults(tuple(hits[request.offset : request.offset + request.limit]), len(hits))

    async def settle(self, store: str) -> None:
        return None

    async def statistics(self, store: str) -> StoreStatistics:
        held = self.stores.get(store, {})
        return StoreStatistics(len(held), sum(len(document.passages) for document in held.values()), 0)

    async def drop(self, store: str) -> None:
        self.stores.pop(store, None)

    async def close(self) -> None:
        return
