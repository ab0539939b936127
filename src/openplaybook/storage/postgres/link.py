"""One connection to the database, which is given statements and takes what comes back, without a wait in between.

`psycopg` connects; from then on libpq is used through `psycopg.pq`, in its pipeline mode. The loop watches the socket
for as long as the connection lasts, so a statement costs one message each way and no change of what is watched.
"""

import asyncio
import select
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import LiteralString

from psycopg import AsyncConnection, Error, OperationalError
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow

from openplaybook.storage.postgres.statements import Statement, Value


class Undone(OperationalError):
    """Another statement of the same transaction failed, and nothing of it remains."""


class Link:
    """A connection that carries out one exchange after another; each is some transactions, sent at once."""

    def __init__(self, connection: AsyncConnection, ended: Callable[["Link"], None], lifetime_s: float) -> None:
        """Own an open connection; `ended` is told once when it is lost or closed. After `lifetime_s` it is old."""
        self._connection = connection  # its closing ends what it gave out
        self._pg = connection.pgconn
        self._transformer = Transformer(connection)
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._names: dict[str, bytes] = {}
        """Of prepared statements, by query."""
        self._prepared = 0
        self._socket = self._pg.socket
        self._commands: deque[Statement | str] = deque()
        """What an answer is awaited for, in order: statements, and queries that are prepared."""
        self._transactions: deque[Sequence[Statement]] = deque()
        self._failed: Error | None = None
        """What went wrong in the first of the transactions under way."""
        self._done: Callable[[], None] | None = None
        self.is_open = True
        self.idle_since = time.monotonic()
        """When its user gave it back, on that clock."""
        self._old_at = self.idle_since + lifetime_s
        self._freed: Callable[[], None] | None = None
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._pg.nonblocking = 1
        self._pg.enter_pipeline_mode()
        self._loop.add_reader(self._socket, self._readable)

    @property
    def is_busy(self) -> bool:
        """Whether an exchange is under way."""
        return self._done is not None

    @property
    def is_old(self) -> bool:
        """Whether another is to take its place."""
        return time.monotonic() > self._old_at

    def when_free(self, freed: Callable[[], None]) -> None:
        """`freed` is called when the exchange under way has ended."""
        self._freed = freed

    async def rows(self, query: LiteralString, *values: Value) -> Sequence[TupleRow]:
        """What a statement gives. Raises `psycopg.Error`. Where the await is cancelled, the exchange goes on."""
        statement, done = Statement(query, values), self._loop.create_future()
        self.exchange([[statement]], lambda: None if done.done() else done.set_result(None))
        await done
        if statement.error is not None:
            raise statement.error
        return statement.rows

    def exchange(self, transactions: Sequence[Sequence[Statement]], done: Callable[[], None]) -> None:
        """Carry out transactions; `done` is called once all have ended, and each statement then has its rows or its
        error. `done` may begin the next exchange."""
        assert self._done is None, "one exchange at a time"
        self._done = done
        self._transactions.extend(transactions)
        try:
            if not self.is_open:
                raise OperationalError("the connection is closed")
            for statements in transactions:
                for statement in statements:
                    self._send(statement)
                self._pg.pipeline_sync()
            self._flush()
        except Error as error:
            # libpq may have closed the socket, and the next that is opened may get its number.
            self._unwatch()
            # Told later, as everything else is.
            self._loop.call_soon(self._lose, error)

    def close(self) -> None:
        """Let go; what is under way fails."""
        self._lose(OperationalError("the connection was closed"))

    def _send(self, statement: Statement) -> None:
        name = self._names.get(statement.query)
        if name is None:
            self._prepared += 1
            name = b"o%d" % self._prepared
            self._pg.send_prepare(name, statement.query.encode())
            self._commands.append(statement.query)
            self._names[statement.query] = name
        self._pg.send_query_prepared(name, statement.values, statement.formats, Format.BINARY)
        self._commands.append(statement)

    def _flush(self) -> None:
        if self._pg.flush() == 1:
            self._loop.add_writer(self._socket, self._writable)

    def _writable(self) -> None:
        self._loop.remove_writer(self._socket)
        try:
            self._flush()
        except Error as error:
            self._lose(error)

    def _readable(self) -> None:
        if not self.is_open:
            return
        try:
            self._pg.consume_input()
            while self._transactions and not self._pg.is_busy():
                self._take(self._pg.get_result())
            if self._pg.status == ConnStatus.BAD:
                raise OperationalError(self._pg.get_error_message())
        except Error as error:
            self._lose(error)
            return
        if self._poll.poll(0):
            # uvloop tells of a reset connection only once, which may come with the last that it said.
            self._loop.call_soon(self._readable)
        if self._done is not None and not self._transactions:
            self._finish()

    def _take(self, result: PGresult | None) -> None:
        """One answer; None follows each command's."""
        if result is None:
            self._commands.popleft()
        elif result.status == ExecStatus.PIPELINE_SYNC:
            # Only now is it durable.
            self._end_transaction()
        elif result.status == ExecStatus.TUPLES_OK:
            self._transformer.set_pgresult(result, format=Format.BINARY)
            command = self._commands[0]
            assert isinstance(command, Statement), "only statements give rows"
            command.rows = self._transformer.load_rows(0, result.ntuples, tuple)
        elif result.status != ExecStatus.COMMAND_OK:
            self._fail(result)

    def _fail(self, result: PGresult) -> None:
        command = self._commands[0] if self._commands else None
        if isinstance(command, str):
            self._names.pop(command)
        if result.status == ExecStatus.PIPELINE_ABORTED:
            return
        if self._pg.status == ConnStatus.BAD and not result.error_field(DiagnosticField.SQLSTATE):
            raise OperationalError(self._pg.get_error_message())
        self._failed = error_from_result(result)
        if isinstance(command, Statement):
            command.error = self._failed

    def _end_transaction(self) -> None:
        failed, self._failed = self._failed, None
        statements = self._transactions.popleft()
        if failed is None:
            return
        is_told = any(statement.error is failed for statement in statements)
        for statement in statements:
            if statement.error is None:
                # An error that is no statement's is the commit's.
                statement.error = Undone("another statement failed") if is_told else failed

    def _finish(self) -> None:
        done, self._done = self._done, None
        freed, self._freed = self._freed, None
        if done is not None:
            done()
        if freed is not None:
            freed()

    def _unwatch(self) -> None:
        if self.is_open:
            self.is_open = False
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._pg.finish()
            self._ended(self)

    def _lose(self, error: Error) -> None:
        self._unwatch()
        for statements in self._transactions:
            for statement in statements:
                statement.error = statement.error or self._failed or error
        self._transactions.clear()
        self._commands.clear()
        self._finish()
