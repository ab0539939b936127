"""The `Catalog` port on one SQLite file."""

import asyncio
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from openplaybook.retrieval.base import DocumentPage, StoreDocument, StoreStatistics
from openplaybook.retrieval.catalog.base import MOST_TOMBSTONES, CatalogQuota, ChangeMark, DocumentChange
from openplaybook.retrieval.catalog.document_rows import convert, possible_ids, write_rows
from openplaybook.retrieval.catalog.sqlite import drops, reads, writes
from openplaybook.retrieval.catalog.sqlite.commit_thread import CommitThread
from openplaybook.retrieval.catalog.sqlite.tables import CATALOG_SCHEMA
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.opened_file import open_file
from openplaybook.storage.sqlite.readers import Readers
from openplaybook.storage.sqlite.soundness import SqliteSoundness
from openplaybook.storage.sqlite.transactions import Work

T = TypeVar("T")

_CACHE_KIB = 64 * 1024
"""Of the writing connection: ids come in any order, and their index is to stay in memory while it grows."""

_LOG_PAGES = 4000
"""Of the write-ahead log, from which on it is carried over to the file."""


class SqliteCatalog:
    """A `Catalog` for one machine; several processes may open the file, and one writes at a time.

    Nothing runs on the event loop: documents are written out in a lane, rows written by a thread with group commit and
    read by two.
    """

    def __init__(
        self, path: Path, *, quota: CatalogQuota | None = None, most_tombstones: int = MOST_TOMBSTONES
    ) -> None:
        """Name the file; `quota` holds for each project. Nothing is opened yet."""
        self._path = path
        self._quota = quota or CatalogQuota()
        self._most_tombstones = most_tombstones
        self._soundness = SqliteSoundness(path)
        self._parts: tuple[CommitThread, Readers] | None = None
        self._sweeping: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Make the file or check it, and start the threads. Raises `StoreUnusable`."""
        connection, readers = await asyncio.to_thread(_open, self._path, self._soundness)
        self._parts = CommitThread(connection, self._path, self._soundness.translated), readers
        # What a process left that was killed in the midst of it.
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Finish what was begun, and let go; closing what is not open is no fault."""
        if self._parts is None:
            return
        (commits, readers), self._parts = self._parts, None
        if self._sweeping is not None:
            self._sweeping.cancel()
            # Whatever became of it, the next that opens the file goes on with it.
            await asyncio.gather(self._sweeping, return_exceptions=True)
        await asyncio.to_thread(readers.close)
        await commits.close()

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> ChangeMark:
        """Add or replace documents, all of them or none; the mark behind them."""
        if not documents:
            return await self.mark(store) or ChangeMark("", 0)
        commits, _ = self._opened()
        async with commits.places:
            rows = await convert(lambda: write_rows(documents))
            return await self._write(lambda connection: writes.put(connection, store, rows, self._quota))

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away; gives how many there were."""
        commits, _ = self._opened()
        possible = possible_ids(ids)
        async with commits.places:
            return await self._write(
                lambda connection: writes.delete(connection, store, possible, self._most_tombstones)
            )

    async def get(self, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
        """Those documents that there are, in no order."""
        return await self._read(lambda connection: reads.get(connection, store, possible_ids(ids)))

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id, those that follow `after`; fewer where they are large."""
        return await self._read(lambda connection: reads.page(connection, store, after, limit))

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of those documents that the store has, by id."""
        return await self._read(lambda connection: reads.digests(connection, store, possible_ids(ids)))

    async def mark(self, store: str) -> ChangeMark | None:
        """The last change of a store; None where it holds nothing and never did."""
        return await self._read(lambda connection: reads.mark(connection, store))

    async def changes(self, store: str, after: int, *, limit: int = 1000) -> Sequence[DocumentChange]:
        """Changes after that sequence number, oldest first. Raises `ChangesForgotten`."""
        return await self._read(lambda connection: reads.changes(connection, store, after, limit))

    async def stores(self) -> Sequence[str]:
        """Names of all stores that were put to and not dropped."""
        return await self._read(reads.stores)

    async def statistics(self, store: str) -> StoreStatistics:
        """How much a store holds."""
        return await self._read(lambda connection: reads.statistics(connection, store))

    async def drop(self, store: str) -> None:
        """Delete a store at once, and return when its disk is given back; others write meanwhile."""
        if await self._write(lambda connection: drops.drop(connection, store)):
            await self._sweep()

    async def _sweep(self) -> None:
        """Where this is cancelled or the process ends, the next that opens the file goes on."""
        is_swept = False
        while await self._write(drops.sweep):
            is_swept = True
        if not is_swept and not await self._write(drops.is_hollow):
            return
        while await self._write(drops.shrink):
            pass
        with _for_callers():
            await asyncio.to_thread(drops.fold, self._path)

    async def _write(self, work: Work[T]) -> T:
        commits, _ = self._opened()
        with _for_callers():
            return await commits.run(work)

    async def _read(self, work: Work[T]) -> T:
        _, readers = self._opened()
        with _for_callers():
            return await readers.aside(work)

    def _opened(self) -> tuple[CommitThread, Readers]:
        if self._parts is None:
            raise EngineUnavailable("the documents of data stores are not open")
        return self._parts


def _open(path: Path, soundness: SqliteSoundness) -> tuple[sqlite3.Connection, Readers]:
    connection, readers = open_file(path, soundness, CATALOG_SCHEMA)
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    return connection, readers


@contextmanager
def _for_callers() -> Generator[None]:
    """What is wrong with the file is said without a word of where it is."""
    try:
        yield
    except StoreUnusable as error:
        raise EngineUnavailable(error.for_callers) from error
