"""The embedded engine through its own port, with the catalog of SQLite."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from course import work
from texts import CATEGORY, PRICE_BELOW, Text

from openplaybook.retrieval.base import Passage, SearchRequest, StoreDocument
from openplaybook.retrieval.catalog.sqlite.catalog import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.server.process_memory import share_heaps, spared_collection, trimmed_memory

_STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"
_FILTER = parsed_filter(f'category: ANY("{CATEGORY}") AND price < {PRICE_BELOW}')


class Embedded:
    """Implements `System`."""

    def __init__(self) -> None:
        self._added = 0
        self._kept = AsyncExitStack()

    async def open(self, folder: Path) -> None:
        """As the port says, with the memory of the process kept as a server keeps it."""
        share_heaps()
        await self._kept.enter_async_context(spared_collection())
        await self._kept.enter_async_context(trimmed_memory())
        catalog = SqliteCatalog(folder / "catalog.db")
        await catalog.open()
        self._engine = EmbeddedEngine(catalog, folder / "indexes")

    async def add(self, texts: Sequence[Text]) -> None:
        """As the port says."""
        await self._engine.put(_STORE, [_document(text) for text in texts])
        self._added += len(texts)

    async def finish(self) -> None:
        """As the port says."""
        while (await self._engine.search(_STORE, SearchRequest("", limit=1))).total < self._added:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    async def search(self, words: str, *, is_narrowed: bool) -> Sequence[str]:
        """As the port says."""
        request = SearchRequest(words, filter=_FILTER if is_narrowed else None)
        return [hit.document for hit in (await self._engine.search(_STORE, request)).hits]

    async def close(self) -> None:
        """As the port says."""
        await self._engine.close()
        await self._kept.aclose()


def _document(text: Text) -> StoreDocument:
    data = {"category": text.category, "price": text.price}
    return StoreDocument(text.id, text.title, "", (Passage(text.text),), data, language="en")


if __name__ == "__main__":
    work(Embedded())
