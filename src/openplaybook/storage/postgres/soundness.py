"""Whether the database is there, sound, and takes writes, asked over a connection that serves nothing else."""

import asyncio
from typing import LiteralString

from psycopg import AsyncConnection, Error

from openplaybook.storage.errors import StoreFault, StoreUnusable
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.link_pool import connect, rows
from openplaybook.storage.postgres.sqlstates import translate

# The tables are read, so that they are there and ours.
_STANDING: LiteralString = """
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
           (SELECT number FROM openplaybook.schema_version)
"""
# A record in the write-ahead log that means nothing to anybody, committed like any write.
_WRITE: LiteralString = "SELECT pg_logical_emit_message(true, 'openplaybook', 'alive')::text"


class PostgresSoundness:
    """Asks about one database. Turns have their connections to themselves, so that many turns are no fault."""

    def __init__(self, address: DatabaseAddress) -> None:
        """Nothing is opened yet."""
        self._address = address
        self._connection: AsyncConnection | None = None
        self._asking = asyncio.Lock()

    async def check(self, *, write: bool) -> None:
        """Raises `StoreUnusable`: it is not reachable, takes no writes, or is damaged."""
        async with self._asking:
            try:
                await self._ask(write=write)
            except Error as error:
                await self._drop()
                raise translate(error, self._address.place) from error
            except (StoreUnusable, asyncio.CancelledError):
                # A primary that became a standby stays one as long as its connections do.
                await self._drop()
                raise

    async def close(self) -> None:
        """Let go."""
        await self._drop()

    async def _ask(self, *, write: bool) -> None:
        if self._connection is None or self._connection.closed:
            self._connection = await connect(self._address)
        ((is_read_only, _),) = await rows(self._connection, _STANDING)
        if is_read_only:
            raise StoreUnusable(f"{self._address.place}: it accepts no writes", StoreFault.READ_ONLY)
        if write:
            await rows(self._connection, _WRITE)

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
