"""The engine that is part of the server: the catalog holds documents durably, an index per store finds them.

Indexes are derived from the catalog, by this process and for it alone. They are followed while a store is used, so
that several processes may share one catalog.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from openplaybook.retrieval.base import (
    DocumentPage,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.retrieval.catalog.base import Catalog
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.index.index_files import ClaimedFolder
from openplaybook.retrieval.index.store_follower import FAR_BEHIND, WRITING, StoreFollower
from openplaybook.retrieval.index.store_index import BrokenIndex
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

SEARCHES = Lane("searches", threads=2, waiting=512, seconds=30)
"""Searching, some milliseconds each."""

_MOST_OPEN = 64
"""Indexes that are open at once; that which was not used for longest is closed for another."""
_POLL_S = 0.4
"""Between two looks for changes of other processes, of a store that is used."""
_PATIENCE_S = 10.0
"""That a search waits for an index which is being made."""


class EmbeddedEngine:
    """Implements `SearchEngine`."""

    def __init__(self, catalog: Catalog, folder: Path, *, patience_s: float = _PATIENCE_S) -> None:
        """`folder` is for indexes only: it may be deleted when no server runs. `patience_s` is how long a search waits
        for an index that is being made."""
        self._catalog = catalog
        self._place = folder
        self._patience_s = patience_s
        self._followers: OrderedDict[str, StoreFollower] = OrderedDict()
        self._claimed: ClaimedFolder | None = None
        self._changing = asyncio.Lock()
        """Held while stores begin or cease to be followed."""
        self._is_closed = False

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """Keep documents in the catalog, from where the index takes them."""
        if not documents:
            return
        mark = await self._catalog.put(store, documents)
        passages = sum(len(document.passages) or 1 for document in documents)
        # What is acknowledged is found within a second: nobody gets further ahead of the index than that takes.
        ahead = FAR_BEHIND * len(documents) // passages
        await (await self._follower(store)).catch_up(mark.sequence - ahead, patience_s=self._patience_s)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents out of the catalog, and so out of the index."""
        deleted = await self._catalog.delete(store, ids)
        if deleted:
            await (await self._follower(store)).catch_up(0, patience_s=0)
        return deleted

    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document, as the catalog has it."""
        found = await self._catalog.get(store, [id])
        return found[0] if found else None

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id, as the catalog has them."""
        return await self._catalog.page(store, after=after, limit=limit)

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of documents, as the catalog has them."""
        return await self._catalog.digests(store, ids)

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """What the index finds; an index that turns out to be broken is made anew, and then searched."""
        try:
            return await self._searched(await self._follower(store), request)
        except WorkError as error:
            raise EngineUnavailable(f"too much is searched or indexed at once: {error}") from error

    async def statistics(self, store: str) -> StoreStatistics:
        """How much the catalog holds of a store."""
        return await self._catalog.statistics(store)

    async def drop(self, store: str) -> None:
        """Delete the store from the catalog, and its index."""
        await self._catalog.drop(store)
        follower = await self._follower(store)
        async with self._changing:
            await follower.stop(is_dropped=True)
            self._followers.pop(store, None)

    async def close(self) -> None:
        """Commit what was begun; the catalog is closed too."""
        async with self._changing:
            self._is_closed = True
            for follower in self._followers.values():
                await follower.stop()
            self._followers.clear()
            if self._claimed is not None:
                self._claimed.let_go()
                self._claimed = None
        await self._catalog.close()

    async def _searched(self, follower: StoreFollower, request: SearchRequest) -> SearchResults:
        for _ in range(2):
            index = await follower.index(patience_s=self._patience_s)
            if index is None:
                return SearchResults((), 0)
            try:
                return await SEARCHES.run(partial(index.search, request))
            except BrokenIndex:
                await follower.discard(index)
        raise EngineUnavailable("the index is broken and is being made anew; try again soon")

    async def _follower(self, store: str) -> StoreFollower:
        async with self._changing:
            if self._is_closed:
                raise EngineUnavailable("the search engine is closed")
            follower = self._followers.get(store)
            if follower is None:
                claimed = self._claimed or await self._claim()
                follower = StoreFollower(store, claimed.of_store(store), self._catalog, poll_s=_POLL_S)
                self._followers[store] = follower
            self._followers.move_to_end(store)
            if len(self._followers) > _MOST_OPEN:
                await self._close_one()
            return follower

    async def _close_one(self) -> None:
        """Close the index that was not used for longest, of those that nobody waits for."""
        for store, follower in self._followers.items():
            if not follower.is_awaited:
                await follower.stop()
                del self._followers[store]
                return

    async def _claim(self) -> ClaimedFolder:
        claimed = self._claimed = await WRITING.run(lambda: ClaimedFolder(self._place))
        stores = list(await self._catalog.stores())
        # Some may have been dropped while this process did not run.
        await WRITING.run(partial(claimed.sweep, stores))
        return claimed
