"""Transactions in threads: a few connections to one database, a deadline for each, and no write that is done twice.

A transaction runs in a thread of its own from begin to commit. When its time is up it is stopped in the database, and
it will not commit any more; where the commit was already sent, what became of it is in doubt.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Generic, NoReturn, TypeVar, cast

from sqlalchemy import ClauseElement, Connection, Engine, Executable, QueuePool, create_engine
from sqlalchemy.engine import CursorResult
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from openplaybook.connectors.base import Rehearsed, SystemCall, SystemExchange
from openplaybook.connectors.errors import ConnectorError, SystemUnavailable, WriteInDoubt
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import DatabaseTable
from openplaybook.jsonvalues import dumps_line, rough_size
from openplaybook.workers.errors import WorkersBusy, WorkTimedOut
from openplaybook.workers.lanes import Lane

MOST_CONNECTIONS = 4
"""To one database with one credential."""
_RECYCLE_S = 1_800
_GRACE_S = 5.0
"""For stopping, and for closing."""
_MOST_BYTES = 16_000_000
"""Of the rows of one statement."""
_MOST_SHOWN = 200
_BATCH = 50
_SIZED, _NESTED = frozenset({str, bytes}), frozenset({dict, list})
"""Values that may be large; PostgreSQL's driver gives JSON and arrays as objects and lists."""

DATABASES = Lane("databases", threads=48, waiting=512, seconds=600)
"""Statements; each opened connection has at most `MOST_CONNECTIONS` here."""
_STOPPING = Lane("stopping databases", threads=4, waiting=256, seconds=30)

T = TypeVar("T")
Rows = Sequence[Sequence[object]]


class Transaction:
    """What the work of a call does in the database; its thread alone may use it."""

    def __init__(
        self, connection: Connection, database: Database, table: DatabaseTable | None, exchanges: list[SystemExchange]
    ) -> None:
        self.connection = connection
        self._database = database
        self._table = table
        self._exchanges = exchanges
        self.is_cut = False
        """Whether rows were left out since they were too large together."""

    @property
    def gives_rows_back(self) -> bool:
        """Whether an INSERT can give the new row."""
        return self.connection.dialect.insert_returning

    def inserted(self, statement: Executable) -> object:
        """Insert one row: the number that the database gave it, None where it gave none."""
        return self._told(lambda: self.connection.execute(statement), lambda result: result.lastrowid)

    def rows(self, statement: Executable, most: int) -> Rows:
        """The rows of a statement, at most so many."""
        return self._told(lambda: self.connection.execute(statement), lambda result: self._fetched(result, most))

    def change(self, statement: Executable) -> int:
        """How many rows a statement changed."""
        return self._told(lambda: self.connection.execute(statement), lambda result: result.rowcount)

    def raw(self, text: str, values: Sequence[object], most: int) -> tuple[Sequence[str], Rows, int]:
        """Names of columns, rows and the count of changed rows of a statement in the driver's own form."""

        def read(result: "CursorResult[tuple[object, ...]]") -> tuple[Sequence[str], Rows, int]:
            if not result.returns_rows:
                return (), (), result.rowcount
            names = [each[0] for each in result.cursor.description] if result.cursor else list(result.keys())
            return names, self._fetched(result, most), result.rowcount

        return self._told(lambda: self.connection.exec_driver_sql(text, tuple(values)), read)

    def _told(
        self,
        execute: "Callable[[], CursorResult[tuple[object, ...]]]",
        read: "Callable[[CursorResult[tuple[object, ...]]], T]",
    ) -> T:
        begun = time.perf_counter()
        try:
            result = execute()
            found = read(result)
        except DBAPIError as error:
            failure = self._database.failure(error.orig or error, self._table)
            self._tell(error.statement or "", error.params, begun, "", str(failure))
            raise
        context = result.context
        self._tell(context.statement or "", context.parameters, begun, _counted(found, result.rowcount), "")
        return found

    def _tell(self, statement: str, values: object, begun: float, response: str, error: str) -> None:
        elapsed = (time.perf_counter() - begun) * 1000
        request = statement_text(statement, values)
        place = self._database.place
        self._exchanges.append(
            SystemExchange("SQL", place, request, response=response, elapsed_ms=elapsed, error=error)
        )

    def _fetched(self, result: "CursorResult[tuple[object, ...]]", most: int) -> Rows:
        rows: list[Sequence[object]] = []
        size = 0
        while len(rows) < most:
            batch = result.fetchmany(min(_BATCH, most - len(rows)))
            for row in batch:
                for value in row:
                    if type(value) in _SIZED:
                        size += len(cast("str", value))
                    elif type(value) in _NESTED:
                        size += rough_size(value, _MOST_BYTES)
                if size > _MOST_BYTES and rows:
                    self.is_cut = True
                    result.close()
                    return rows
                rows.append(row)
            if len(batch) < _BATCH:
                break
        result.close()
        return rows


class _Stage(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    COMMITTING = "committing"
    ENDED = "ended"


class DatabaseSessions:
    """Runs the transactions of one opened connection."""

    def __init__(self, database: Database, dial: Callable[[], Sequence[str]]) -> None:
        """`dial` gives the addresses for a new connection, and may block; it raises `ConnectorError`."""
        self._database = database
        self._places = asyncio.Semaphore(MOST_CONNECTIONS)
        self._stopping: set[asyncio.Future[None]] = set()
        self.is_closed = False
        self.engine: Engine = create_engine(
            f"{database.dialect}://",
            creator=lambda: database.connect(dial()),
            poolclass=QueuePool,
            pool_size=MOST_CONNECTIONS,
            max_overflow=0,
            pool_recycle=_RECYCLE_S,
            pool_pre_ping=True,
            pool_use_lifo=True,
            hide_parameters=True,
        )

    @property
    def is_busy(self) -> bool:
        """Whether the next one has to wait."""
        return self._places.locked()

    async def read(
        self,
        work: Callable[[Transaction], T],
        call: SystemCall,
        table: DatabaseTable | None = None,
        tables: frozenset[str] | None = None,
    ) -> T:
        """What some work gives in a transaction that only reads. Raises `ConnectorError`."""
        return await self._run(_Job(self, work, call, table, tables, is_write=False), call)

    async def write(
        self,
        work: Callable[[Transaction], T],
        call: SystemCall,
        table: DatabaseTable | None = None,
        tables: frozenset[str] | None = None,
    ) -> T:
        """What some work gives, committed; nothing is committed when it raises. Raises `WriteInDoubt` when no answer
        came to the commit, else `ConnectorError`."""
        return await self._run(_Job(self, work, call, table, tables, is_write=True), call)

    def rehearse(self, statement: Executable, call: SystemCall) -> NoReturn:
        """Put on record what would be sent, and raise `Rehearsed`."""
        compiled = cast("ClauseElement", statement).compile(dialect=self.engine.dialect)
        self.rehearse_text(str(compiled), compiled.params, call)

    def rehearse_text(self, text: str, values: object, call: SystemCall) -> NoReturn:
        """The same for a statement in the driver's own form."""
        call.exchanged.append(SystemExchange("SQL", self._database.place, statement_text(text, [values])))
        raise Rehearsed

    async def aclose(self) -> None:
        """Close all connections; those in use close when they are given back."""
        self.is_closed = True
        await asyncio.gather(*self._stopping, return_exceptions=True)
        with suppress(WorkTimedOut, WorkersBusy):
            await DATABASES.run(self._close, seconds=_GRACE_S)

    def _close(self) -> None:
        self.engine.dispose()
        self._database.close()

    async def _run(self, job: "_Job[T]", call: SystemCall) -> T:
        try:
            async with asyncio.timeout(call.timeout_s):
                await self._places.acquire()
        except TimeoutError:
            message = f"all {MOST_CONNECTIONS} connections to the database were in use for {call.timeout_s:g} s"
            raise SystemUnavailable(message) from None
        loop = asyncio.get_running_loop()
        job.released = lambda: _released(loop, self._places)
        try:
            return await DATABASES.run(job.run, seconds=max(job.seconds_left(), 0.001))
        except WorkersBusy as busy:
            raise SystemUnavailable(str(busy)) from busy
        except WorkTimedOut:
            raise job.too_late(call.timeout_s) from None
        finally:
            call.exchanged.extend(job.exchanges)
            if job.give_up():
                stopping = asyncio.ensure_future(_STOPPING.run(job.stop))
                self._stopping.add(stopping)
                stopping.add_done_callback(self._stopping.discard)


class _Job(Generic[T]):
    """One transaction."""

    def __init__(
        self,
        sessions: DatabaseSessions,
        work: Callable[[Transaction], T],
        call: SystemCall,
        table: DatabaseTable | None,
        tables: frozenset[str] | None,
        *,
        is_write: bool,
    ) -> None:
        self._sessions = sessions
        self._database = sessions._database  # pyright: ignore[reportPrivateUsage] - of the same file
        self._work = work
        self._table = table
        self._tables = tables
        self._is_write = is_write
        self._ends_at = time.monotonic() + call.timeout_s
        self._lock = threading.Lock()
        self._stage = _Stage.WAITING
        self._is_given_up = False
        self._raw: DBAPIConnection | None = None
        self.exchanges: list[SystemExchange] = []
        self.released: Callable[[], object] = lambda: None

    def seconds_left(self) -> float:
        """Of the call's time."""
        return self._ends_at - time.monotonic()

    def run(self) -> T:
        """The whole of it, in a thread."""
        with self._lock:
            if self._is_given_up:
                raise SystemUnavailable("the time was up before the database was asked")
            self._stage = _Stage.RUNNING
        try:
            return self._connected()
        except ConnectorError:
            raise
        except PoolExhausted:
            raise SystemUnavailable("all connections to the database are in use") from None
        except (SQLAlchemyError, *self._database.driver_errors()) as error:
            raise self._failure(error) from None
        finally:
            with self._lock:
                self._stage = _Stage.ENDED
                self._raw = None
            self.released()

    def give_up(self) -> bool:
        """Nobody waits any more: whether it still runs and must be stopped."""
        with self._lock:
            was_waiting = self._stage is _Stage.WAITING and not self._is_given_up
            self._is_given_up = True
        if was_waiting:
            self.released()
        return self._stage in (_Stage.RUNNING, _Stage.COMMITTING)

    def stop(self) -> None:
        """Make the database end it, from another thread."""
        with self._lock:
            if self._raw is not None and self._stage is not _Stage.ENDED:
                self._database.cancel(self._raw)

    def too_late(self, seconds: float) -> ConnectorError:
        """What it means that the time is up now."""
        with self._lock:
            is_in_doubt = self._is_write and self._stage in (_Stage.COMMITTING, _Stage.ENDED)
            self._is_given_up = True
        if is_in_doubt:
            return WriteInDoubt(f"the database did not confirm the write within {seconds:g} s")
        return SystemUnavailable(f"the database did not answer within {seconds:g} s; nothing was changed")

    def _connected(self) -> T:
        with self._sessions.engine.connect() as connection:
            with self._lock:
                self._raw = cast("DBAPIConnection", connection.connection.driver_connection)
            try:
                return self._transacted(connection)
            finally:
                with self._lock:
                    self._raw = None
                # Stopping may come late and hit the next one's statement; a pool that is closed keeps nothing.
                if (self._is_given_up or self._sessions.is_closed) and not connection.invalidated:
                    connection.invalidate()

    def _transacted(self, connection: Connection) -> T:
        self._database.begin(
            connection, is_write=self._is_write, timeout_s=max(self.seconds_left(), 0.001), tables=self._tables
        )
        result = self._work(Transaction(connection, self._database, self._table, self.exchanges))
        if self._is_write:
            self._commit(connection)
        # What only read is rolled back when the connection goes back to the pool.
        return result

    def _commit(self, connection: Connection) -> None:
        with self._lock:
            if self._is_given_up:
                connection.rollback()
                raise SystemUnavailable("the time was up before the write was committed; nothing was changed")
            self._stage = _Stage.COMMITTING
        connection.commit()

    def _failure(self, error: Exception) -> ConnectorError:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        failure = self._database.failure(cause, self._table)
        is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if self._stage is _Stage.COMMITTING and (is_lost or not self._database.is_undone(cause)):
            return WriteInDoubt("the connection to the database broke while the write was being confirmed")
        if is_lost:
            return SystemUnavailable("the connection to the database broke; nothing was changed")
        return failure


def _released(loop: asyncio.AbstractEventLoop, places: asyncio.Semaphore) -> None:
    # A loop that is closed has nobody who waits for a place.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(places.release)


def statement_text(statement: str, values: object) -> str:
    """A statement and its parameters for traces, long values cut."""
    # A driver is given a list of sets of parameters; here there is one.
    sets = cast("list[object]", values) if isinstance(values, list) else [values]
    given = sets[0] if len(sets) == 1 else sets
    if isinstance(given, Mapping):
        shown: object = {str(key): _shown(each) for key, each in cast("Mapping[object, object]", given).items()}
    else:
        shown = [_shown(each) for each in cast("Sequence[object]", given or ())]
    return f"{statement}\nparameters: {dumps_line(shown)}" if shown else statement


def _shown(value: object) -> object:
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _counted(found: object, changed: int) -> str:
    if isinstance(found, list):
        return f"{len(cast('list[object]', found))} rows"
    if isinstance(found, tuple):
        names, rows, changed = cast("tuple[Sequence[str], Rows, int]", found)
        return f"{len(rows)} rows" if names else f"{changed} rows changed"
    return f"{changed} rows changed"
