"""The one thread that writes to the catalog's file, and its group commit.

The writer of the server's own database runs small writes on the event loop, since turns wait for them. Here a write
may hold a thousand documents: all of it is done in the thread, and what arrives meanwhile shares the next commit.
After an import, the thread gives back the memory that it took.
"""

import asyncio
import ctypes
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.transactions import Transactions, Work, Write

T = TypeVar("T")

_LARGEST_GROUP = 32
"""Writes in one transaction."""

_MOST_UNDER_WAY = 64
"""Writes that may wait; who comes later waits outside, without having made its rows."""

_IDLE_S = 5.0
"""Without a write, after which the memory that writing takes is given back."""


class CommitThread:
    """Runs pieces of work on one connection, in the order they come; each is durable when its await returns."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        translated: Callable[[sqlite3.Error], Exception],
        *,
        idle_s: float = _IDLE_S,
    ) -> None:
        """Own `connection` from now on; needs a running event loop. `path` names the file in messages, `translated`
        says what is raised for a failure, and `idle_s` after how long without a write memory is given back."""
        self._connection = connection
        self._transactions = Transactions(connection, translated)
        self._path = path
        self._idle_s = idle_s
        self._loop = asyncio.get_running_loop()
        self._is_closing = False
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._waiting: SimpleQueue[Write[object] | None] = SimpleQueue()
        self.places = asyncio.Semaphore(_MOST_UNDER_WAY)
        """One for each write, from when its rows are made until it is done."""
        # A daemon, so that a program which forgets to close its catalog still ends; what was awaited is durable.
        threading.Thread(target=self._main, name="openplaybook-catalog-writer", daemon=True).start()

    async def run(self, work: Work[T]) -> T:
        """The result of `work`, once it is on the disk; what `work` raises, once that is rolled back.

        Cancelling the await does not take the work back. Raises `StoreUnusable` when the disk is full or fails, and
        after `close`.
        """
        if self._is_closing:
            raise StoreUnusable(f"{self._path}: the catalog is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        self._waiting.put(Write(work, done))
        return await done

    async def close(self) -> None:
        """Commit what waits, end the thread and close the connection."""
        if not self._is_closing:
            self._is_closing = True
            self._waiting.put(None)
        await asyncio.shield(self._closed)

    def _main(self) -> None:
        is_last = False
        while not is_last:
            group, is_last = self._group()
            if group:
                self._transactions.run(group)
                self._tell(_settle, group)
        self._transactions.close()
        self._tell(self._closed.set_result, None)

    def _group(self) -> tuple[Sequence[Write[object]], bool]:
        """What is to be written next, and whether nothing comes after it."""
        group: list[Write[object]] = []
        write = self._next()
        while write is not None:
            group.append(write)
            if len(group) == _LARGEST_GROUP:
                return group, False
            try:
                write = self._waiting.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _next(self) -> Write[object] | None:
        """The next write, or the end, however long it takes."""
        try:
            return self._waiting.get(timeout=self._idle_s)
        except Empty:
            # Of pages that are kept for the next write, and of what the import and its index took and let go of.
            self._connection.execute("PRAGMA shrink_memory")
            _give_back_memory()
            return self._waiting.get()

    def _tell(self, told: Callable[[T], None], what: T) -> None:
        try:
            self._loop.call_soon_threadsafe(told, what)
        except RuntimeError:
            # The loop is closed: nobody waits any more.
            return


def _settle(group: Sequence[Write[object]]) -> None:
    for write in group:
        write.settle()


def _give_back_memory() -> None:
    """Return to the system what the process has freed. The C library of most Linux systems keeps much of it else."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
