"""A catalog in memory, for tests of what is derived from a catalog."""

import asyncio
from collections.abc import Sequence
from uuid import uuid4

from openplaybook.retrieval.base import DocumentPage, StoreDocument, StoreStatistics
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange
from openplaybook.retrieval.errors import ChangesForgotten


class _Store:
    def __init__(self) -> None:
        self.incarnation = uuid4().hex
        self.sequence = 0
        self.floor = 0
        self.changes: dict[str, DocumentChange] = {}

    def change(self, id: str, document: StoreDocument | None) -> None:
        self.sequence += 1
        self.changes.pop(id, None)
        self.changes[id] = DocumentChange(self.sequence, id, document)

    @property
    def documents(self) -> dict[str, StoreDocument]:
        return {id: change.document for id, change in self.changes.items() if change.document is not None}


class MemoryCatalog:
    """Implements `Catalog`; `hold` stops it from telling of changes."""

    def __init__(self) -> None:
        self._stores: dict[str, _Store] = {}
        self._is_open = asyncio.Event()
        self._is_open.set()

    def hold(self) -> None:
        """Let nobody read changes until `release`."""
        self._is_open.clear()

    def release(self) -> None:
        self._is_open.set()

    def forget_deletions(self, store: str) -> None:
        """Let nobody go on who has not read the last change yet."""
        self._stores[store].floor = self._stores[store].sequence

    def go_back(self, store: str, ids: Sequence[str]) -> None:
        """Forget these documents and their changes, as a restore from an older copy does."""
        kept = self._stores[store]
        for id in ids:
            del kept.changes[id]
        kept.sequence = max((change.sequence for change in kept.changes.values()), default=0)

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> ChangeMark:
        kept = self._stores.setdefault(store, _Store())
        for document in documents:
            kept.change(document.id, document)
        return ChangeMark(kept.incarnation, kept.sequence)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        kept = self._stores.get(store) or _Store()
        present = [id for id in ids if id in kept.documents]
        for id in present:
            kept.change(id, None)
        return len(present)

    async def get(self, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
        documents = self._documents(store)
        return [documents[id] for id in ids if id in documents]

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        documents = self._documents(store)
        ids = sorted(id for id in documents if id > after)
        page = tuple(documents[id] for id in ids[:limit])
        return DocumentPage(page, page[-1].id if len(ids) > limit else "")

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        documents = self._documents(store)
        return {id: documents[id].digest for id in ids if id in documents}

    async def mark(self, store: str) -> ChangeMark | None:
        kept = self._stores.get(store)
        return kept and ChangeMark(kept.incarnation, kept.sequence, kept.floor)

    async def changes(self, store: str, after: int, *, limit: int = 1000) -> Sequence[DocumentChange]:
        await self._is_open.wait()
        kept = self._stores.get(store) or _Store()
        if 0 < after < kept.floor:
            raise ChangesForgotten(store, after, kept.floor)
        # Oldest first: a document that changes goes to the end.
        return [change for change in kept.changes.values() if change.sequence > after][:limit]

    async def stores(self) -> Sequence[str]:
        return list(self._stores)

    async def statistics(self, store: str) -> StoreStatistics:
        documents = self._documents(store)
        return StoreStatistics(len(documents), sum(len(each.passages) for each in documents.values()), 0)

    async def drop(self, store: str) -> None:
        self._stores.pop(store, None)

    async def close(self) -> None:
        return

    def _documents(self, store: str) -> dict[str, StoreDocument]:
        kept = self._stores.get(store)
        return kept.documents if kept else {}
