"""Whether the database is there, sound, and takes writes, asked over a connection that serves nothing else; and whether
a server could run on it."""

import asyncio
from typing import LiteralString

from psycopg import AsyncConnection, Error

from openplaybook.storage.errors import StoreFault, StoreUnusable
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.link_pool import connect, rows
from openplaybook.storage.postgres.migrations import MIGRATIONS, version
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


_FACTS: LiteralString = """
    SELECT current_setting('server_version'), current_setting('fsync') = 'on',
           has_database_privilege(current_database(), 'CREATE')
"""


async def examine(address: DatabaseAddress) -> str:
    """What is there, in words; nothing is changed. Raises `StoreUnusable` for what a server cannot run on."""
    try:
        async with await connect(address) as connection:
            return await _examine(connection, address.place)
    except Error as error:
        raise translate(error, address.place) from None


async def _examine(connection: AsyncConnection, place: str) -> str:
    number = await version(connection, place, len(MIGRATIONS))
    ((server, is_durable, may_create),) = await rows(connection, _FACTS)
    if not is_durable:
        raise StoreUnusable(f"{place}: fsync is off there, so a power cut may lose or damage everything; set it to on")
    if number is None and not may_create:
        raise StoreUnusable(
            f"{place}: the user may not create the schema openplaybook; GRANT CREATE ON DATABASE … TO …, "
            "or CREATE SCHEMA openplaybook AUTHORIZATION …"
        )
    schema = "no tables yet" if number is None else f"schema {number}"
    return f"{place}, PostgreSQL {server.split()[0]}, {schema}"
