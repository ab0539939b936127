"""Writes, and the transactions that they share."""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeAlias, TypeVar

from openplaybook.storage.sqlite.file_connections import BUSY_TIMEOUT_S

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Work: TypeAlias = Callable[[sqlite3.Connection], T]
"""Statements inside a transaction that somebody else begins and ends, and may take back and begin anew."""


class Write(Generic[T_co]):
    """A piece of work, and its caller's future, which belongs to the event loop's thread."""

    __slots__ = ("_done", "_result", "_work", "error")

    def __init__(self, work: "Callable[[sqlite3.Connection], T_co]", done: "asyncio.Future[T_co]") -> None:
        self._work = work
        self._done = done
        self._result: list[T_co] = []
        self.error: Exception | None = None

    def attempt(self, connection: sqlite3.Connection) -> None:
        """Do the work and keep its result until the commit."""
        self._result = [self._work(connection)]

    def settle(self) -> None:
        """Tell the caller, if it still waits."""
        if self._done.done():
            return
        if self.error is not None:
            self._done.set_exception(self.error)
        else:
            self._done.set_result(self._result[0])


class Transactions:
    """Groups of writes on one connection, each in one transaction; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, translated: Callable[[sqlite3.Error], Exception]) -> None:
        """Own `connection` from now on; `translated` says what a caller is told of a failure."""
        self._connection = connection
        self._translated = translated
        # A thread may wait for another process that holds the file, the event loop may not.
        connection.execute("PRAGMA busy_timeout = 0")

    def begin(self, group: Sequence[Write[object]]) -> bool:
        """Run the statements of all, waiting for nobody; `commit` is to follow. False, and nothing is left of it,
        where that cannot be: another process holds the file, or a write failed after it had changed something."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            if all(self._attempt_or_refuse(write) for write in group):
                return True
        except sqlite3.Error:
            # `run` meets it again, and tells whose it is.
            self._roll_back()
            return False
        self._roll_back()
        return False

    def commit(self, group: Sequence[Write[object]]) -> None:
        """Make what `begin` did durable, or refuse all of it."""
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._refuse(group, error)

    def run(self, group: Sequence[Write[object]]) -> None:
        """All of it in a transaction, each write inside a savepoint of its own: one that is refused takes nothing from
        the others. Waits for other processes."""
        with self._patience():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                if len(group) == 1:
                    self._attempt_alone(group[0])
                    return
                for write in group:
                    self._attempt_apart(write)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._refuse(group, error)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def _patience(self) -> Generator[None]:
        self._connection.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA busy_timeout = 0")

    def _attempt_or_refuse(self, write: Write[object]) -> bool:
        """Whether nothing has to be taken back: a lost lease, say, is seen before anything is written."""
        changes = self._connection.total_changes
        try:
            write.attempt(self._connection)
        except Exception as error:
            if isinstance(error, sqlite3.Error):
                raise
            if self._connection.total_changes != changes:
                return False
            write.error = error
        return True

    def _attempt_alone(self, write: Write[object]) -> None:
        """Without a savepoint, as there is nothing else in the transaction to keep."""
        try:
            write.attempt(self._connection)
        except Exception as error:
            if isinstance(error, sqlite3.Error):
                raise
            self._connection.execute("ROLLBACK")
            write.error = error
        else:
            self._connection.execute("COMMIT")

    def _attempt_apart(self, write: Write[object]) -> None:
        self._connection.execute("SAVEPOINT one")
        try:
            write.attempt(self._connection)
        except Exception as error:
            if not self._connection.in_transaction:
                # A full disk or an I/O error makes SQLite give up the whole transaction, the others' writes too.
                raise
            self._connection.execute("ROLLBACK TO one")
            write.error = self._translated(error) if isinstance(error, sqlite3.Error) else error
        self._connection.execute("RELEASE one")

    def _refuse(self, group: Sequence[Write[object]], error: sqlite3.Error) -> None:
        self._roll_back()
        for write in group:
            write.error = self._translated(error)

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
