"""Connections that read; in write-ahead mode they neither wait for the writer nor hold it up."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from openplaybook.storage.sqlite.file_connections import connect_reader
from openplaybook.storage.sqlite.transactions import Work

T = TypeVar("T")

_THREADS = 2
"""A long listing does not hold up a second one; more threads would only take turns at the interpreter."""


class Readers:
    """One connection for the event loop's thread, and a small pool of threads for reads that may be long."""

    def __init__(self, path: Path, translated: Callable[[sqlite3.Error], Exception]) -> None:
        """Open the connections. Raises `StoreUnusable`; `translated` says what else is raised for a failure."""
        self._translated = translated
        with ExitStack() as opened:
            here, *others = (opened.enter_context(closing(connect_reader(path))) for _ in range(1 + _THREADS))
            opened.pop_all()
        self._here = here
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        for connection in others:
            self._idle.put(connection)
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="openplaybook-reader")

    def now(self, work: Work[T]) -> T:
        """The result of a read of one row, made on the event loop. Raises `StoreUnusable`."""
        # Measured: 5 to 15 microseconds here, 65 to 90 with the hop to a thread and back.
        return self._read(self._here, work)

    async def aside(self, work: Work[T]) -> T:
        """The result of a read of many rows, made in a thread. Raises `StoreUnusable`."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._borrow, work)

    def close(self) -> None:
        """Wait for reads under way and close all connections."""
        self._pool.shutdown()
        self._here.close()
        while not self._idle.empty():
            self._idle.get().close()

    def _borrow(self, work: Work[T]) -> T:
        connection = self._idle.get()
        try:
            return self._read(connection, work)
        finally:
            self._idle.put(connection)

    def _read(self, connection: sqlite3.Connection, work: Work[T]) -> T:
        try:
            return work(connection)
        except sqlite3.Error as error:
            raise self._translated(error) from error
