"""The one thread that writes, and its group commit.

A commit costs a wait for the disk, whatever it holds. So writes that arrive while one commit is under way
share the next, each inside a savepoint of its own: one that is refused takes nothing from the others. A large write
has a commit of its own, and what is small goes before the next: many large ones hold up each other, nobody else.
"""

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.failures import translate
from openplaybook.telemetry.metrics import CommitWatch

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Work: TypeAlias = Callable[[sqlite3.Connection], T]
"""Statements inside a transaction that somebody else begins and ends."""

LARGE = 64 * 1024
"""Bytes from which on a write is large."""

_LARGEST_GROUP = 512
"""Writes in one transaction; bounds how long the first of them waits for the others."""


class Writer:
    """Runs pieces of work on one connection; each is durable when its await returns.

    Small ones run in the order they come, and so do large ones.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        watch: CommitWatch,
        translated: Callable[[sqlite3.Error], Exception] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Own `connection` from now on; `path` names the database in messages. Needs a running event loop.

        `watch` is told of every commit; `translated` says what is raised for a failure;
        `clock` tells seconds.
        """
        self._clock = clock
        self._translated = translated or partial(translate, path=path)
        self._connection = connection
        self._watch = watch
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Write[object] | None] = SimpleQueue()
        # Both belong to the thread: what it took off the queue and has not committed.
        self._small: deque[_Write[object]] = deque()
        self._large: deque[_Write[object]] = deque()
        self._resume, self._is_shared = 0.0, False
        """When the next large write may begin, where small ones came behind the last one."""
        watch.watch_queue(lambda: self._queue.qsize() + len(self._small) + len(self._large))
        self._closing = False
        self._closed = self._loop.create_future()
        # A daemon, so that a program which forgets to close its store still ends; what was awaited is durable.
        threading.Thread(target=self._main, name="openplaybook-writer", daemon=True).start()

    async def run(self, work: Work[T], size: int = 0) -> T:
        """The result of `work`, once it is on the disk; what `work` raises, once that is rolled back.

        `size`: bytes that it writes, about. Cancelling the await does not take the work back. Raises
        `StoreUnusable` when the disk is full or fails, and after `close`.
        """
        if self._closing:
            raise StoreUnusable(f"{self._path}: the store is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        self._queue.put(_Write(work, done, size >= LARGE))
        return await done

    async def close(self) -> None:
        """Commit what is waiting, end the thread and close the connection."""
        if not self._closing:
            self._closing = True
            self._queue.put(None)
        await asyncio.shield(self._closed)

    def _main(self) -> None:
        is_open = True
        while is_open or self._small or self._large:
            is_open = is_open and self._take()
            if self._small:
                self._run([self._small.popleft() for _ in range(min(len(self._small), _LARGEST_GROUP))])
                self._is_shared = True
            if self._large and (not is_open or self._pause() <= 0):
                begun = self._clock()
                self._run([self._large.popleft()])
                ended = self._clock()
                self._resume, self._is_shared = ended + (ended - begun), False
        self._connection.close()
        self._loop.call_soon_threadsafe(self._closed.set_result, None)

    def _take(self) -> bool:
        """Take all that waits; wait where there is nothing to be done yet. Whether more may come."""
        while True:
            pause = self._pause() if self._large else None
            is_ready = bool(self._small) or (pause is not None and pause <= 0)
            if is_ready and self._queue.empty():
                return True
            try:
                write = self._queue.get(timeout=None if is_ready else pause)
            except Empty:
                continue
            if write is None:
                return False
            (self._large if write.is_large else self._small).append(write)

    def _pause(self) -> float:
        """Seconds until the next large write: a turn has several small ones, and only the first of them should wait
        for a large one. So these are given as long as the last large one took."""
        return self._resume - self._clock() if self._is_shared else 0.0

    def _run(self, group: "list[_Write[object]]") -> None:
        begun = time.perf_counter()
        self._commit(group)
        self._watch.committed(time.perf_counter() - begun, len(group))
        self._loop.call_soon_threadsafe(_settle, group)

    def _commit(self, group: "list[_Write[object]]") -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            if len(group) == 1:
                self._attempt_alone(group[0])
                return
            for write in group:
                self._attempt(write)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            for write in group:
                write.error = self._translated(error)

    def _attempt_alone(self, write: "_Write[object]") -> None:
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

    def _attempt(self, write: "_Write[object]") -> None:
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


class _Write(Generic[T_co]):
    """A piece of work, and its caller's future, which belongs to the event loop's thread."""

    __slots__ = ("_done", "_result", "_work", "error", "is_large")

    def __init__(
        self, work: "Callable[[sqlite3.Connection], T_co]", done: "asyncio.Future[T_co]", is_large: bool
    ) -> None:
        self._work = work
        self._done = done
        self.is_large = is_large
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


def _settle(group: "list[_Write[object]]") -> None:
    for write in group:
        write.settle()
