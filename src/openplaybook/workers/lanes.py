"""Lanes: a few threads for one purpose each, so that work of one kind never keeps another kind waiting.

The loop's own threads (`asyncio.to_thread`) are few, their queue has no end, and the end of a process waits for them.
A lane has its own threads, so many places to wait in, and a deadline. Its threads are daemons: nothing waits for them.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Generic, TypeVar

from openplaybook.workers.errors import WorkersBusy, WorkTimedOut

T = TypeVar("T")

AT_ONCE = 256 * 1024
"""Bytes of stored documents that are read on the event loop, in some milliseconds; more are read in a lane."""

_RETRY_AFTER_S = 1.0


class Lane:
    """Threads of one purpose, started when they are first needed. Event loops and threads may share a lane."""

    def __init__(self, name: str, *, threads: int, waiting: int, seconds: float) -> None:
        """`waiting` jobs may wait for the `threads`; each has `seconds`, waiting included, unless it says otherwise."""
        self.name = name
        self.seconds = seconds
        self._most_threads = threads
        self._most_waiting = waiting
        self._jobs: deque[_Job[Any]] = deque()
        self._threads = 0
        self._idle = 0
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """Jobs that no thread has taken yet."""
        return len(self._jobs)

    async def run(self, work: Callable[[], T], *, seconds: float | None = None) -> T:
        """What `work` gives, or raises, in one of the threads, with the context variables of the caller.

        Raises `WorkersBusy` at once when too many jobs wait, and `WorkTimedOut` after `seconds`, waiting included. Work
        that has begun by then goes on, and what it gives is dropped; the same holds for a caller that is cancelled.
        """
        allowed = self.seconds if seconds is None else seconds
        job = _Job(work)
        future = job.future
        self._put(job)
        try:
            await asyncio.wait((future,), timeout=allowed)
            if not future.done():
                message = f"the work on {self.name} takes more than {allowed:g} s, waiting included"
                raise WorkTimedOut(message, allowed, was_begun=job.is_begun)
            return future.result()
        finally:
            self._drop(job, future)
            # What failed has this function, which would have what failed: a circle, with all the work in it.
            del job, future

    def _put(self, job: "_Job[Any]") -> None:
        with self._changed:
            if self._idle <= len(self._jobs):
                if self._threads < self._most_threads:
                    self._start()
                elif len(self._jobs) >= self._most_waiting + self._idle:
                    message = f"too much work on {self.name} is waiting; try again in {_RETRY_AFTER_S:g} s"
                    raise WorkersBusy(message, _RETRY_AFTER_S)
            self._jobs.append(job)
            self._changed.notify()

    def _start(self) -> None:
        self._threads += 1
        # It counts as idle from now on: it takes the next job.
        self._idle += 1
        name = f"openplaybook-{self.name.replace(' ', '-')}-{self._threads}"
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def _drop(self, job: "_Job[Any]", future: "asyncio.Future[Any]") -> None:
        """Forget a job that nobody waits for; one that waits gives its place to others."""
        if future.cancel():
            with self._changed:
                if job in self._jobs:
                    self._jobs.remove(job)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._jobs:
                    self._changed.wait()
                job = self._jobs.popleft()
                self._idle -= 1
            job.do()
            with self._changed:
                self._idle += 1
            # Whoever hears of it finds the thread free.
            job.tell()
            # Before the next wait: a job holds what it was given, and what it gave.
            del job


class _Job(Generic[T]):
    """Work that somebody waits for."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._context: Context = copy_context()
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[T] = self._loop.create_future()
        self.is_begun = False
        self._end: Callable[[], None] | None = None

    def do(self) -> None:
        """Do it, in a lane's thread."""
        if self.future.cancelled():
            return
        self.is_begun = True
        try:
            result = self._context.run(self._work)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where the work is waited for
            self._end = partial(self._fail, error)
        else:
            self._end = partial(self._succeed, result)

    def tell(self) -> None:
        """Tell whoever waits what came of it."""
        # Not kept: what large work gave would stay as long as the collector lets it.
        end, self._end = self._end, None
        if end is None:
            return
        try:
            self._loop.call_soon_threadsafe(end)
        except RuntimeError:
            # The loop is closed: nobody waits any more.
            return

    def _succeed(self, result: T) -> None:
        if not self.future.done():
            self.future.set_result(result)
        self._let_go()

    def _fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)
        self._let_go()

    def _let_go(self) -> None:
        # What failed has the functions that it went through, and one of them has the job.
        del self.future, self._work


DOCUMENTS = Lane("documents", threads=2, waiting=32, seconds=30)
"""Reading descriptions and checking tools that are being saved or validated, and schemas from samples."""

TURNS = Lane("turns", threads=2, waiting=256, seconds=60)
"""Compiling agents for turns and tools for executions, which never wait behind what is being saved."""

LARGE_AGENTS = Lane("large agents", threads=1, waiting=64, seconds=60)
"""The same for what is large, which never keeps others waiting."""

LONG_TEXTS = Lane("long texts", threads=1, waiting=1024, seconds=60)
"""Understanding long words of users."""

REHEARSALS = Lane("rehearsed examples", threads=1, waiting=8, seconds=60)
"""Putting examples to the offline model, one example a job."""

PACKAGES = Lane("packages", threads=2, waiting=16, seconds=30)
"""Reading and writing packages."""

FILES = Lane("files", threads=2, waiting=64, seconds=30)
"""Files of conversations, base64, large bodies."""

ANSWERS = Lane("answers", threads=1, waiting=128, seconds=30)
"""Reading and cutting large answers of services."""

JUDGEMENT = Lane("judgement", threads=2, waiting=64, seconds=10)
"""Judging large values against schemas."""
