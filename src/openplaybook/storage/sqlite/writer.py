"""The one connection that writes, and its group commit.

A commit costs a wait for the disk, whatever it holds. So writes that arrive while one commit is under way share the
next. Their statements run on the event loop, where they take some microseconds each and wait for nobody; a thread that
took turns with the loop at the interpreter would cost more than they do. What may wait goes to a thread: the commit
itself, a file that another process holds, and a large write. That one has a commit of its own, and what is small goes
before the next: many large ones hold up each other, nobody else.
"""

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.saturation import Saturation
from openplaybook.storage.sqlite.result_codes import translate
from openplaybook.storage.sqlite.transactions import Transactions, Work, Write
from openplaybook.telemetry.metrics import CommitWatch

T = TypeVar("T")

LARGE = 64 * 1024
"""Bytes from which on a write is large."""

_LARGEST_GROUP = 64
"""Writes in one transaction; bounds for how long the loop does nothing else."""


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
        saturation: Saturation | None = None,
    ) -> None:
        """Own `connection` from now on; `path` names the database in messages. Needs a running event loop.

        `watch` is told of every commit; `translated` says what is raised for a failure;
        `clock` tells seconds; `saturation` says for how long a commit waits for more.
        """
        self._clock = clock
        self._saturation = saturation or Saturation()
        self._transactions = Transactions(connection, translated or partial(translate, path=path))
        self._watch = watch
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._small: deque[Write[object]] = deque()
        self._large: deque[Write[object]] = deque()
        self._resume, self._is_shared = 0.0, False
        """When the next large write may begin, where small ones came behind the last one."""
        watch.watch_queue(lambda: len(self._small) + len(self._large))
        self._timer: asyncio.TimerHandle | None = None
        """Of the next large write."""
        self._is_due = False
        """Whether what waits is looked at soon."""
        self._is_under_way = False
        """Whether the connection is the thread's."""
        self._closing = False
        self._closed = self._loop.create_future()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A daemon, so that a program which forgets to close its store still ends; what was awaited is durable.
        threading.Thread(target=self._main, name="openplaybook-writer", daemon=True).start()

    async def run(self, work: Work[T], size: int = 0) -> T:
        """The result of `work`, once it is on the disk; what `work` raises, once that is rolled back.

        `size`: bytes that it writes, about; more where it takes long for another reason. Cancelling the await does not
        take the work back. Raises `StoreUnusable` when the disk is full or fails, and after `close`.
        """
        if self._closing:
            raise StoreUnusable(f"{self._path}: the store is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        (self._large if size >= LARGE else self._small).append(Write(work, done))
        self._wake()
        return await done

    async def close(self) -> None:
        """Commit what is waiting, end the thread and close the connection."""
        if not self._closing:
            self._closing = True
            self._wake()
        await asyncio.shield(self._closed)

    def _wake(self) -> None:
        """Look at what waits when the loop comes to it, or a little later."""
        if self._is_due or self._is_under_way:
            return
        self._is_due = True
        hold_s = 0.0 if self._closing else self._saturation.hold_s()
        if hold_s:
            self._loop.call_later(hold_s, self._next)
        else:
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        self._is_due = False
        if self._small:
            self._begin([self._small.popleft() for _ in range(min(len(self._small), _LARGEST_GROUP))])
        elif self._large:
            self._begin_large()
        elif self._closing:
            self._is_under_way = True
            self._jobs.put(None)

    def _begin(self, group: Sequence[Write[object]]) -> None:
        begun = time.perf_counter()
        self._is_under_way = self._is_shared = True
        is_begun = self._transactions.begin(group)
        end = self._transactions.commit if is_begun else self._transactions.run
        self._jobs.put(partial(self._end, group, end, begun))

    def _begin_large(self) -> None:
        pause_s = 0.0 if self._closing else self._pause_s()
        if pause_s <= 0:
            self._is_under_way = True
            self._jobs.put(partial(self._end_large, self._large.popleft()))
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(pause_s, self._wake)

    def _pause_s(self) -> float:
        """Seconds until the next large write: a turn has several small ones, and only the first of them should wait
        for a large one. So these are given as long as the last large one took."""
        return self._resume - self._clock() if self._is_shared else 0.0

    def _settled(self, group: Sequence[Write[object]], took_s: float) -> None:
        self._watch.committed(took_s, len(group))
        self._saturation.committed(len(group))
        self._is_under_way = False
        for write in group:
            write.settle()
        if self._small or self._large or self._closing:
            self._wake()

    # What follows runs in the thread, while the connection is its own.

    def _main(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self._transactions.close()
        self._loop.call_soon_threadsafe(self._closed.set_result, None)

    def _end(
        self, group: Sequence[Write[object]], end: Callable[[Sequence[Write[object]]], None], begun: float
    ) -> None:
        end(group)
        self._loop.call_soon_threadsafe(self._settled, group, time.perf_counter() - begun)

    def _end_large(self, write: Write[object]) -> None:
        begun, begun_clock = time.perf_counter(), self._clock()
        self._transactions.run([write])
        ended_clock = self._clock()
        # The loop reads these only once it has been told.
        self._resume, self._is_shared = ended_clock + (ended_clock - begun_clock), False
        self._loop.call_soon_threadsafe(self._settled, [write], time.perf_counter() - begun)
