"""The `Catalog` port on PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from psycopg import Error

from openplaybook.retrieval.base import DocumentPage, StoreDocument, StoreStatistics
from openplaybook.retrieval.catalog.base import MOST_TOMBSTONES, CatalogQuota, ChangeMark, DocumentChange
from openplaybook.retrieval.catalog.document_rows import convert, possible_ids, read_row, write_rows
from openplaybook.retrieval.catalog.postgres import reads, writes
from openplaybook.retrieval.catalog.postgres.reads import FoundRow
from openplaybook.retrieval.catalog.postgres.tables import cluster_of, prepare
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.link_pool import PATIENCE_S, LinkPool, connect, transact
from openplaybook.storage.postgres.sqlstates import translate
from openplaybook.storage.postgres.statements import Sql

T = TypeVar("T")

_MOST_PUTS = 16
"""Puts whose rows are made or that are under way; more wait."""


class PostgresCatalog:
    """A `Catalog` for many servers, in the database of `PostgresStore`, whose schema it makes where it is missing.

    The space of a dropped store is for other rows of the database; PostgreSQL's own `VACUUM FULL` gives it to the disk.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        *,
        quota: CatalogQuota | None = None,
        most_tombstones: int = MOST_TOMBSTONES,
        connections: int = 5,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Use at most so many connections, and wait `patience_s` for a lost database; `quota` holds for each
        project."""
        self._address = address
        self._quota = quota or CatalogQuota()
        self._most_tombstones = most_tombstones
        self._connections = LinkPool(address, connections, patience_s)
        self._places = asyncio.Semaphore(_MOST_PUTS)
        self._sweeping: asyncio.Task[None] | None = None
        self._cluster = ""

    async def open(self) -> None:
        """Connect, check and migrate the tables. Raises `StoreUnusable`."""
        await self._connections.open()
        try:
            async with await connect(self._address) as connection:
                await prepare(connection, self._address.place)
                self._cluster = await cluster_of(connection)
        except Error as error:
            await self._connections.close()
            raise translate(error, self._address.place) from error
        except StoreUnusable:
            await self._connections.close()
            raise
        # What a server left that ended in the midst of it.
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Let go; what is under way fails. Closing what is not open is no fault."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            # Whatever became of it, the next that opens the catalog goes on with it.
            await asyncio.gather(self._sweeping, return_exceptions=True)
        await self._connections.close()

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> ChangeMark:
        """Add or replace documents, all of them or none; the mark behind them."""
        if not documents:
            return await self.mark(store) or ChangeMark("", 0)
        async with self._places:
            rows = await convert(lambda: write_rows(documents))
            return await self._write(lambda sql: writes.put(sql, store, rows, self._quota, self._cluster))

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away; gives how many there were."""
        return await self._write(lambda sql: writes.delete(sql, store, possible_ids(ids), self._most_tombstones))

    async def get(self, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
        """Those documents that there are, in no order."""
        return await _documents(await self._read(lambda sql: reads.get(sql, store, possible_ids(ids))))

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id, those that follow `after`; fewer where they are large."""
        rows, next_after = await self._read(lambda sql: reads.page(sql, store, after, limit))
        return DocumentPage(tuple(await _documents(rows)), next_after)

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of those documents that the store has, by id."""
        return await self._read(lambda sql: reads.digests(sql, store, possible_ids(ids)))

    async def mark(self, store: str) -> ChangeMark | None:
        """The last change of a store; None where it holds nothing and never did."""
        return await self._read(lambda sql: reads.mark(sql, store, self._cluster))

    async def changes(self, store: str, after: int, *, limit: int = 1000) -> Sequence[DocumentChange]:
        """Changes after that sequence number, oldest first. Raises `ChangesForgotten`."""
        rows = await self._read(lambda sql: reads.changes(sql, store, after, limit))
        documents = await _documents(
            [(id, language, digest, body) for _, id, language, digest, body in rows if body is not None]
        )
        by_id = {document.id: document for document in documents}
        return [DocumentChange(sequence, id.decode(), by_id.get(id.decode())) for sequence, id, *_ in rows]

    async def stores(self) -> Sequence[str]:
        """Names of all stores that were put to and not dropped."""
        return await self._read(reads.stores)

    async def statistics(self, store: str) -> StoreStatistics:
        """How much a store holds."""
        return await self._read(lambda sql: reads.statistics(sql, store))

    async def drop(self, store: str) -> None:
        """Delete a store at once, and return when its rows are deleted too; others write meanwhile."""
        if await self._write(lambda sql: writes.drop(sql, store)):
            await self._sweep()

    async def _sweep(self) -> None:
        """Where this is cancelled or the server ends, the next that opens the catalog goes on."""
        while await self._write(writes.sweep):
            pass

    async def _write(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        try:
            return await transact(self._connections, work)
        except StoreUnusable as error:
            raise EngineUnavailable(error.for_callers) from error

    async def _read(self, work: Callable[[Sql], Awaitable[T]]) -> T:
        try:
            return await self._connections.run(lambda link, _: work(link))
        except StoreUnusable as error:
            raise EngineUnavailable(error.for_callers) from error


async def _documents(rows: Sequence[FoundRow]) -> Sequence[StoreDocument]:
    return await convert(
        lambda: [read_row(id.decode(), language.decode(), digest.decode(), body) for id, language, digest, body in rows]
    )
