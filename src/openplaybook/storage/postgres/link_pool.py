"""Connections that are lent, what happens when one breaks, and transactions of several statements over one."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import LiteralString, TypeAlias, TypeVar

from psycopg import AsyncConnection, AsyncRawCursor, Error, OperationalError
from psycopg.rows import TupleRow

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.link import Link
from openplaybook.storage.postgres.migrations import prepare
from openplaybook.storage.postgres.sqlstates import NotConnected, may_pass, sent_nothing, translate
from openplaybook.storage.postgres.statements import Sql

T = TypeVar("T")

Work: TypeAlias = Callable[[Link, bool], Awaitable[T]]
"""Statements on a connection of their own; the flag says that an earlier attempt may have been carried out."""

PATIENCE_S = 30.0
"""How long a lost database is waited for: a restart or a failover is survived, and clients are told before a minute
is over, which is when they give up."""

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5
_WAIT_S = 5.0
"""For a free connection, before it is tried again."""
_REST_S = 1.0
"""After a connection was refused while there are others, no more are asked for."""
_LIFETIME_S = 3600.0
_IDLE_S = 600.0
"""After this long without work a connection is closed, but for one."""
_TIDY_S = 60.0


async def connect(address: DatabaseAddress) -> AsyncConnection:
    """One connection, beside any pool. Raises `psycopg.Error`."""
    return await AsyncConnection.connect(
        address.conninfo, autocommit=True, prepare_threshold=0, cursor_factory=AsyncRawCursor
    )


async def rows(connection: AsyncConnection, query: LiteralString, *values: object) -> Sequence[TupleRow]:
    """What a statement gives, with `$1`, … for the values; itself a transaction unless within one."""
    return await (await connection.execute(query, values, binary=True)).fetchall()


# What a server sets for speed would take back writes that were reported, after a crash. Compiling a statement, or
# sharing it out to workers, takes many times as long as the longest of ours.
_SETTINGS: LiteralString = """
    SELECT set_config('default_transaction_isolation', 'read committed', false), set_config('jit', 'off', false),
           set_config('max_parallel_workers_per_gather', '0', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END
"""


class LinkPool:
    """Connections to a database whose schema is checked, each lent to one user at a time."""

    def __init__(self, address: DatabaseAddress, most: int, patience_s: float = PATIENCE_S) -> None:
        """At most so many connections; nothing is opened yet."""
        self._address = address
        self._patience_s = patience_s
        self._most = most
        self._links: set[Link] = set()
        self._idle: list[Link] = []
        """The one used last at the end, so that those which are not needed rest."""
        self._wanted: deque[asyncio.Future[Link]] = deque()
        self._growing: set[asyncio.Task[None]] = set()
        self._rests_until = 0.0
        self._is_open = False
        self._tidying: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Connect, check and migrate the schema. Raises `StoreUnusable`."""
        try:
            connection = await connect(self._address)
            try:
                await prepare(connection, self._address.place)
            except (Error, StoreUnusable, asyncio.CancelledError):
                await connection.close()
                raise
            self._is_open = True
            self.give(await self._linked(connection))
        except Error as error:
            raise translate(error, self._address.place) from None
        self._tidy()

    async def close(self) -> None:
        """Close all connections."""
        self._is_open = False
        if self._tidying is not None:
            self._tidying.cancel()
        for growing in self._growing:
            growing.cancel()
        if self._growing:
            await asyncio.wait(self._growing)
        for link in [*self._links]:
            link.close()

    def waiting(self) -> int:
        """How many wait for a connection."""
        return len(self._wanted)

    async def run(self, work: Work[T]) -> T:
        """The result of `work`, tried again while the database is away or restarts. Raises `StoreUnusable`."""

        async def attempt(again: bool) -> T:
            link = await self.take()
            try:
                return await work(link, again)
            finally:
                self.give(link)

        return await self.persist(attempt)

    async def persist(self, attempt: Callable[[bool], Awaitable[T]]) -> T:
        """The result of `attempt`, tried again as `run` does; it is given the flag of `Work`."""
        give_up = time.monotonic() + self._patience_s
        again, pause_s = False, _FIRST_PAUSE_S
        while True:
            if not self._is_open:
                raise StoreUnusable(f"{self._address.place}: the store is not open")
            try:
                return await attempt(again)
            except Error as error:
                if not may_pass(error) or time.monotonic() + pause_s > give_up:
                    raise translate(error, self._address.place) from error
                again = again or not sent_nothing(error)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def idle(self) -> Link | None:
        """A connection that is free now, lent until `give`; None where there is none."""
        return self._idle.pop() if self._idle else None

    async def take(self) -> Link:
        """A connection, lent until `give`. Raises `NotConnected`."""
        link = self.idle()
        if link is not None:
            return link
        wanted: asyncio.Future[Link] = asyncio.get_running_loop().create_future()
        self._wanted.append(wanted)
        self._grow()
        wait_s = min(_WAIT_S, self._patience_s)
        try:
            async with asyncio.timeout(wait_s):
                return await wanted
        except (TimeoutError, asyncio.CancelledError) as error:
            if wanted.done() and not wanted.cancelled() and wanted.exception() is None:
                self.give(wanted.result())
            if isinstance(error, TimeoutError):
                raise NotConnected(f"no connection was free within {wait_s:g} s") from None
            raise

    def give(self, link: Link) -> None:
        """Give a connection back; one whose exchange goes on, since its user gave up, once that has ended."""
        if not link.is_open:
            return
        if link.is_busy:
            link.when_free(lambda: self.give(link))
        elif not self._is_open or link.is_old:
            link.close()
        else:
            while self._wanted:
                wanted = self._wanted.popleft()
                if not wanted.done():
                    wanted.set_result(link)
                    return
            link.idle_since = time.monotonic()
            self._idle.append(link)

    def _grow(self) -> None:
        """One more connection, where there may be one."""
        if len(self._links) + len(self._growing) >= self._most:
            return
        if self._links and time.monotonic() < self._rests_until:
            return
        growing = asyncio.create_task(self._grown())
        self._growing.add(growing)
        growing.add_done_callback(self._growing.discard)

    async def _grown(self) -> None:
        try:
            link = await self._linked(await connect(self._address))
        except Error as error:
            self._rests_until = time.monotonic() + _REST_S
            # Where there are others, one of them comes back.
            while self._wanted and not self._links:
                wanted = self._wanted.popleft()
                if not wanted.done():
                    wanted.set_exception(NotConnected(str(error)))
        else:
            self.give(link)

    async def _linked(self, connection: AsyncConnection) -> Link:
        link = Link(connection, self._gone, _LIFETIME_S * random.uniform(0.9, 1.0))
        self._links.add(link)
        try:
            await link.rows(_SETTINGS)
        except (Error, asyncio.CancelledError):
            link.close()
            raise
        return link

    def _gone(self, link: Link) -> None:
        self._links.discard(link)
        if link in self._idle:
            self._idle.remove(link)
        if self._wanted and self._is_open:
            self._grow()

    def _tidy(self) -> None:
        """Close what has had no work for long."""
        before = time.monotonic() - _IDLE_S
        for link in [link for link in self._idle[:-1] if link.idle_since < before]:
            link.close()
        self._tidying = asyncio.get_running_loop().call_later(_TIDY_S, self._tidy)


_ID: LiteralString = "SELECT pg_current_xact_id()::text"
_STATUS: LiteralString = "SELECT pg_xact_status($1::text::xid8)"


async def transact(connections: LinkPool, work: Callable[[Sql], Awaitable[T]]) -> T:
    """The result of `work`, done once: where the connection is lost at the commit, the server is asked what became
    of it. Raises `StoreUnusable`, and what `work` raises, after which nothing of it remains."""
    tried: tuple[str, T] | None = None

    async def attempt(link: Link, _: bool) -> T:
        nonlocal tried
        if tried is not None and await _committed(link, tried[0]):
            return tried[1]
        tried = None
        await link.rows("BEGIN")
        try:
            number = (await link.rows(_ID))[0][0]
            result = await work(link)
        except Exception:
            if link.is_open:
                await link.rows("ROLLBACK")
            raise
        except BaseException:
            # Cancelled in the midst of a statement.
            link.close()
            raise
        tried = number, result
        await link.rows("COMMIT")
        return result

    return await connections.run(attempt)


async def _committed(sql: Sql, number: str) -> bool:
    """What became of a transaction whose end was not heard. Raises `OperationalError` while it has not ended."""
    status = (await sql.rows(_STATUS, number))[0][0]
    if status == "in progress":
        raise OperationalError("the server is still busy with a transaction whose connection was lost")
    return status == "committed"
