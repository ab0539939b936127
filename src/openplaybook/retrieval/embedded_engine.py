"""The engine that is part of the server: the catalog holds documents durably, an index per store finds them.

Indexes are derived from the catalog, by this process and for it alone. They are followed while a store is used, so
that several processes may share one catalog.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from openplaybook.encoders.base import Embedder
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
from openplaybook.retrieval.index.store_index import BrokenIndex, StoreIndex
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

if TYPE_CHECKING:
    from openplaybook.retrieval.vectors.nearest_passages import NearestPassages

SEARCHES = Lane("searches", threads=2, waiting=512, seconds=30)
"""Searching, some milliseconds each."""

_VECTORS = "openplaybook.retrieval.vectors.nearest_passages"
"""Imported where there is an embedder."""
_MOST_OPEN = 64
"""Indexes that are open at once; that which was not used for longest is closed for another."""
_POLL_S = 0.4
"""Between two looks for changes of other processes, of a store that is used."""
_PATIENCE_S = 10.0
"""That a search waits for an index which is being made."""
_LONG_PATIENCE_S = 600.0
"""That the making of vectors waits for it."""


class EmbeddedEngine:
    """Implements `SearchEngine`."""

    def __init__(
        self, catalog: Catalog, folder: Path, *, embedder: Embedder | None = None, patience_s: float = _PATIENCE_S
    ) -> None:
        """`folder` is for indexes only: it may be deleted when no server runs. `patience_s` is how long a search waits
        for an index that is being made. With an `embedder`, stores in its languages are searched by meaning, too."""
        self._catalog = catalog
        self._place = folder
        self._patience_s = patience_s
        self._followers: OrderedDict[str, StoreFollower] = OrderedDict()
        self._claimed: ClaimedFolder | None = None
        self._embedder = embedder
        self._nearest: NearestPassages | None = None
        """Made with the first store, where there is an embedder."""
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
        follower = await self._follower(store)
        follower.offer(mark, documents)
        await follower.catch_up(mark.sequence - ahead, patience_s=self._patience_s)
        self._tell_vectors(store)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents out of the catalog, and so out of the index."""
        deleted = await self._catalog.delete(store, ids)
        if deleted:
            await (await self._follower(store)).catch_up(0, patience_s=0)
            self._tell_vectors(store)
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
            return await self._searched(store, await self._follower(store), request)
        except WorkError as error:
            raise EngineUnavailable(f"too much is searched or indexed at once: {error}") from error

    async def settle(self, store: str) -> None:
        """Return when the index finds what the catalog holds now."""
        mark = await self._catalog.mark(store)
        if mark is not None:
            await (await self._follower(store)).settle(mark.sequence, patience_s=self._patience_s)

    async def statistics(self, store: str) -> StoreStatistics:
        """How much the catalog holds of a store."""
        return await self._catalog.statistics(store)

    async def drop(self, store: str) -> None:
        """Delete the store from the catalog, and its index."""
        await self._catalog.drop(store)
        follower = await self._follower(store)
        async with self._changing:
            if self._nearest is not None:
                await self._nearest.drop(store)
            await follower.stop(is_dropped=True)
            self._followers.pop(store, None)

    async def close(self) -> None:
        """Commit what was begun; the catalog is closed too. All is let go of, whatever one part raises."""
        async with AsyncExitStack() as stack, self._changing:
            self._is_closed = True
            stack.push_async_callback(self._catalog.close)
            if self._claimed is not None:
                stack.callback(self._claimed.let_go)
                self._claimed = None
            for follower in self._followers.values():
                stack.push_async_callback(follower.stop)
            self._followers.clear()
            if self._embedder is not None:
                stack.push_async_callback(self._embedder.aclose)
            if self._nearest is not None:
                stack.push_async_callback(self._nearest.close)

    async def _searched(self, store: str, follower: StoreFollower, request: SearchRequest) -> SearchResults:
        for _ in range(2):
            index = await follower.index(patience_s=self._patience_s)
            if index is None:
                return SearchResults((), 0)
            near, notes = ((), ()) if self._nearest is None else await self._nearest.of(store, index, request)
            try:
                found = await SEARCHES.run(partial(index.search, request, near))
                return replace(found, notes=(*found.notes, *notes)) if notes else found
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
                if self._nearest is not None:
                    await self._nearest.rest(store)
                return

    async def _claim(self) -> ClaimedFolder:
        claimed = await WRITING.run(lambda: ClaimedFolder(self._place))
        try:
            await self._prepare(claimed)
        except BaseException:
            # The next that comes begins with this anew, and finds the same folder free.
            claimed.let_go()
            raise
        self._claimed = claimed
        return claimed

    async def _prepare(self, claimed: ClaimedFolder) -> None:
        stores = list(await self._catalog.stores())
        # Some may have been dropped while this process did not run.
        await WRITING.run(partial(claimed.sweep, stores))
        if self._embedder is not None:
            # Not before: without embeddings nothing of it is loaded. In a thread: it brings native code.
            await asyncio.to_thread(import_module, _VECTORS)
            from openplaybook.retrieval.vectors.nearest_passages import NearestPassages

            self._nearest = NearestPassages(self._embedder, self._catalog, claimed.vectors_of, self._index)

    async def _index(self, store: str) -> StoreIndex | None:
        """The index of a store, when it may be searched."""
        return await (await self._follower(store)).index(patience_s=_LONG_PATIENCE_S)

    def _tell_vectors(self, store: str) -> None:
        if self._nearest is not None:
            self._nearest.tell(store)
