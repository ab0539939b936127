"""Connections, and what happens when one breaks."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import LiteralString, TypeAlias, TypeVar

from psycopg import AsyncConnection, AsyncRawCursor, Error
from psycopg.rows import TupleRow
from psycopg.types.numeric import Int8BinaryDumper
from psycopg_pool import AsyncConnectionPool

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.address import Address
from openplaybook.storage.postgres.failures import may_pass, sent_nothing, translate
from openplaybook.storage.postgres.schema import prepare

T = TypeVar("T")

Work: TypeAlias = Callable[[AsyncConnection, bool], Awaitable[T]]
"""Statements on a connection; the flag says that an earlier attempt may have been carried out after all."""

PATIENCE_S = 30.0
"""How long a lost database is waited for: a restart or a failover is survived, and clients are told before a minute
is over, which is when they give up."""

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5
_WAIT_S = 5.0
"""For a free connection, before the pool is asked anew (which makes it try to connect again)."""
_RECONNECT_S = 1.0
"""How long the pool tries on its own; the rest is done by who needs a connection."""
_LIFETIME_S = 3600.0

_KWARGS: dict[str, object] = {"autocommit": True, "prepare_threshold": 0, "cursor_factory": AsyncRawCursor}
"""Each statement is its own transaction, is prepared when it is first met, and counts its values as the server does."""


async def connect(address: Address) -> AsyncConnection:
    """One connection, beside any pool. Raises `psycopg.Error`."""
    return await AsyncConnection.connect(
        address.conninfo, autocommit=True, prepare_threshold=0, cursor_factory=AsyncRawCursor
    )


async def rows(connection: AsyncConnection, query: LiteralString, *values: object) -> Sequence[TupleRow]:
    """What a statement gives, with `$1`, … for the values; itself a transaction unless within one."""
    return await (await connection.execute(query, values, binary=True)).fetchall()


class Connections:
    """A pool of connections to a database whose schema is checked."""

    def __init__(self, address: Address, most: int, patience_s: float = PATIENCE_S) -> None:
        """At most so many connections; nothing is opened yet."""
        self._address = address
        self._patience_s = patience_s
        self._pool = AsyncConnectionPool(
            address.conninfo,
            kwargs=_KWARGS,
            min_size=1,
            max_size=most,
            open=False,
            configure=_configure,
            reconnect_timeout=_RECONNECT_S,
            max_lifetime=_LIFETIME_S,
            name="openplaybook",
        )

    async def open(self) -> None:
        """Connect, check and migrate the schema. Raises `StoreUnusable`."""
        try:
            async with await connect(self._address) as connection:
                await prepare(connection, self._address.place)
        except Error as error:
            raise translate(error, self._address.place) from None
        await self._pool.open()

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()

    def waiting(self) -> int:
        """How many wait for a connection."""
        return self._pool.get_stats().get("requests_waiting", 0)

    async def run(self, work: Work[T]) -> T:
        """The result of `work`, tried again while the database is away or restarts. Raises `StoreUnusable`."""
        give_up = time.monotonic() + self._patience_s
        again, pause_s = False, _FIRST_PAUSE_S
        while True:
            try:
                return await self._attempt(work, again)
            except Error as error:
                if not may_pass(error) or time.monotonic() + pause_s > give_up:
                    raise translate(error, self._address.place) from error
                again = again or not sent_nothing(error)
            await asyncio.sleep(pause_s)
            await self._pool.check()
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _attempt(self, work: Work[T], again: bool) -> T:
        if self._pool.closed:
            raise StoreUnusable(f"{self._address.place}: the store is not open")
        # Not the pool's context manager: it commits, and every statement here is its own transaction.
        connection = await self._pool.getconn(min(_WAIT_S, self._patience_s))
        try:
            return await work(connection, again)
        finally:
            await self._pool.putconn(connection)


# What a server sets for speed would take back writes that were reported, after a crash. Compiling a statement, or
# sharing it out to workers, takes many times as long as the longest of ours.
_SETTINGS: LiteralString = """
    SELECT set_config('default_transaction_isolation', 'read committed', false), set_config('jit', 'off', false),
           set_config('max_parallel_workers_per_gather', '0', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END
"""


async def _configure(connection: AsyncConnection) -> None:
    # One type for all numbers, so that a statement is prepared once and not for each size of its values.
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    await connection.execute(_SETTINGS)
