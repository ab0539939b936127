"""Writes of many turns in one transaction.

A commit costs a wait for the disk, and each message between the servers costs processor time, whatever they hold. So
writes that arrive while others are under way go together, over one connection: each is a statement that stands for
itself, and where one fails, which undoes all, each is made again alone.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import LiteralString, TypeVar

from psycopg import Error
from psycopg.rows import TupleRow

from openplaybook.storage.postgres.link import Link
from openplaybook.storage.postgres.link_pool import LinkPool
from openplaybook.storage.postgres.statements import Sql, Statement, Value
from openplaybook.storage.saturation import Saturation
from openplaybook.telemetry.metrics import CommitWatch

T = TypeVar("T")

_MOST_AT_ONCE = 2
"""Groups under way, beyond which writes wait for one to come back."""

_LATE_S = 0.05
"""After this long one more may go: a group may wait for a lock that another server holds."""

_LARGEST = 64
"""Writes of a group."""

_LARGEST_BYTES = 256 * 1024


class _Joined:
    """A write that is to share a transaction."""

    __slots__ = ("done", "statement")

    def __init__(self, statement: Statement, done: "asyncio.Future[None]") -> None:
        self.statement = statement
        self.done = done

    def settle(self) -> None:
        """Tell the caller, if it still waits."""
        if self.done.done():
            return
        if self.statement.error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(self.statement.error)


class GroupCommit:
    """Carries out statements, each of which is a transaction for who gives it."""

    def __init__(self, connections: LinkPool, watch: CommitWatch, saturation: Saturation | None = None) -> None:
        """Use these connections; `watch` is told of every transaction."""
        self._connections = connections
        self._watch = watch
        self._saturation = saturation or Saturation()
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Joined] = deque()
        self._under_way = 0
        self._is_due = False
        self._late: asyncio.TimerHandle | None = None
        self._rest: asyncio.Future[None] | None = None
        """For who waits until nothing is under way."""
        self._tasks: set[asyncio.Task[None]] = set()

    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    async def run(self, work: Callable[[Sql, bool], Awaitable[T]]) -> T:
        """As `LinkPool.run`, but each statement of `work` shares a transaction with those of others."""
        return await self._connections.persist(lambda again: work(self, again))

    async def rows(self, query: LiteralString, *values: Value) -> Sequence[TupleRow]:
        """What a statement gives. Raises `psycopg.Error`. Cancelling the await does not take it back."""
        statement = Statement(query, values)
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append(_Joined(statement, done))
        self._wake()
        await done
        return statement.rows

    async def finish(self) -> None:
        """Return when nothing waits and nothing is under way."""
        while self._waiting or self._under_way:
            self._rest = self._rest or self._loop.create_future()
            await self._rest

    def _wake(self) -> None:
        if self._is_due:
            return
        if self._under_way >= _MOST_AT_ONCE:
            if self._late is None:
                self._late = self._loop.call_later(_LATE_S, self._relieve)
            return
        self._is_due = True
        hold_s = self._saturation.hold_s()
        if hold_s:
            self._loop.call_later(hold_s, self._next)
        else:
            self._loop.call_soon(self._next)

    def _relieve(self) -> None:
        self._late = None
        if self._waiting:
            self._next()
            self._wake()

    def _next(self) -> None:
        self._is_due = False
        if not self._waiting:
            return
        group = self._take()
        self._under_way += 1
        link = self._connections.idle()
        if link is not None:
            self._send(group, link)
        else:
            task = asyncio.create_task(self._send_later(group))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._waiting:
            self._wake()

    def _take(self) -> Sequence[_Joined]:
        group, size = [self._waiting.popleft()], 0
        while self._waiting and len(group) < _LARGEST:
            size += self._waiting[0].statement.size
            if size > _LARGEST_BYTES:
                break
            group.append(self._waiting.popleft())
        return group

    async def _send_later(self, group: Sequence[_Joined]) -> None:
        try:
            link = await self._connections.take()
        except Error as error:
            for joined in group:
                joined.statement.error = error
            self._settle(group)
        else:
            self._send(group, link)

    def _send(self, group: Sequence[_Joined], link: Link) -> None:
        begun = time.perf_counter()
        link.exchange([[joined.statement for joined in group]], lambda: self._ended(group, link, begun))

    def _ended(self, group: Sequence[_Joined], link: Link, begun: float) -> None:
        self._watch.committed(time.perf_counter() - begun, len(group))
        self._saturation.committed(len(group))
        if len(group) > 1 and link.is_open and any(joined.statement.error for joined in group):
            for joined in group:
                joined.statement.error = None
            link.exchange([[joined.statement] for joined in group], lambda: self._told(group, link))
        else:
            self._told(group, link)

    def _told(self, group: Sequence[_Joined], link: Link) -> None:
        self._connections.give(link)
        self._settle(group)

    def _settle(self, group: Sequence[_Joined]) -> None:
        self._under_way -= 1
        for joined in group:
            joined.settle()
        if self._waiting:
            self._wake()
        elif self._rest is not None and not self._under_way:
            self._rest.set_result(None)
            self._rest = None
