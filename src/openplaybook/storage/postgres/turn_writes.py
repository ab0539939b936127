"""The turns that run here: their writes go one after another, and none is made twice or lost with a connection."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from psycopg import Error

from openplaybook.storage.base import Lease, TurnState
from openplaybook.storage.errors import LeaseLost
from openplaybook.storage.postgres import journal
from openplaybook.storage.postgres.group_commit import GroupCommit
from openplaybook.storage.postgres.journal import TurnEnding, TurnProgress
from openplaybook.storage.postgres.sqlstates import sent_nothing
from openplaybook.storage.postgres.statements import Sql

T = TypeVar("T")

_MOST = 10_000
"""Turns remembered; of any other the database is asked first."""


class KeptWrites:
    """Writes that go on when their callers give up, which would leave open whether they were made."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._under_way: set[asyncio.Task[object]] = set()

    async def keep(self, write: Coroutine[None, None, T]) -> T:
        """What comes of a write. Cancelling the await does not take it back."""
        return await asyncio.shield(self.begin(write))

    def begin(self, write: Coroutine[None, None, T]) -> asyncio.Task[T]:
        """Let a write go on by itself."""
        task = asyncio.create_task(write)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def finish(self) -> None:
        """Return when none is under way."""
        if self._under_way:
            await asyncio.wait(self._under_way)


@dataclass(slots=True)
class _Turn:
    """A turn that runs here."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    steps: int | None = None
    """Rows it has; None: not known."""


@dataclass(frozen=True, slots=True)
class _Write:
    """Rows that are added to a turn, and how it stands then."""

    lease: Lease
    added: int
    state: TurnState
    make: Callable[[Sql, int], Awaitable[bool]]
    """Makes the write where the turn has that many rows; whether it had, and the lease stands."""


class TurnWrites:
    """Appends and endings. A write names how many rows the turn has, and holds only where that is so."""

    def __init__(self, groups: GroupCommit, kept_writes: KeptWrites) -> None:
        """Nothing runs yet."""
        self._groups = groups
        self._kept = kept_writes
        self._turns: OrderedDict[Lease, _Turn] = OrderedDict()

    def begun(self, lease: Lease, steps: int) -> None:
        """A turn was granted that has so many rows."""
        self._turns[lease] = _Turn(steps=steps)
        if len(self._turns) > _MOST:
            self._turns.popitem(last=False)

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]], clock_us: int | None) -> None:
        """Add rows. Raises `LeaseLost`, `StoreUnusable`."""
        await self._write(
            _Write(
                lease,
                len(steps),
                TurnState.RUNNING,
                lambda sql, known: journal.append(sql, lease, known, steps, clock_us),
            )
        )

    async def finish(
        self, lease: Lease, steps: Sequence[tuple[str, bytes]], ending: TurnEnding, clock_us: int | None
    ) -> None:
        """Add the last rows and end the turn. Raises `LeaseLost`, `StoreUnusable`."""
        await self._write(
            _Write(
                lease,
                len(steps),
                ending.state,
                lambda sql, known: journal.finish(sql, lease, known, steps, ending, clock_us),
            )
        )
        self._turns.pop(lease, None)

    async def _write(self, write: _Write) -> None:
        turn = self._turns.get(write.lease) or _Turn()
        if turn.lock.locked() or turn.steps is None:
            await self._kept.keep(self._persist(write, turn))
            return
        # Nearly always: nothing else is under way, and all goes well. A task of its own would cost more than the rest.
        known, turn.steps = turn.steps, None
        await turn.lock.acquire()  # at once
        try:
            is_made = await write.make(self._groups, known)
        except asyncio.CancelledError:
            self._kept.begin(self._go_on(write, turn, known, again=True))
            raise
        except Error as error:
            await self._kept.keep(self._go_on(write, turn, known, again=not sent_nothing(error)))
        except BaseException:
            turn.lock.release()
            raise
        else:
            if is_made:
                turn.steps = known + write.added
                turn.lock.release()
            else:
                await self._kept.keep(self._go_on(write, turn, known, again=False))

    async def _persist(self, write: _Write, turn: _Turn) -> None:
        await turn.lock.acquire()
        # Not known again until the write is known to have been made.
        known, turn.steps = turn.steps, None
        await self._go_on(write, turn, known, again=False)

    async def _go_on(self, write: _Write, turn: _Turn, known: int | None, *, again: bool) -> None:
        """Make a write of a turn whose lock is ours, and release it. `known`: rows that the turn had, where that is
        known; `again`: whether an earlier attempt may be carried out, or still be on its way."""

        async def attempt(sql: Sql, is_tried: bool) -> int:
            nonlocal known
            if known is not None and await write.make(sql, known):
                return known + write.added
            progress = await journal.standing(sql, write.lease)
            if known is not None and (again or is_tried) and progress == TurnProgress(known + write.added, write.state):
                # An earlier attempt was carried out, only nobody was told.
                return known + write.added
            if progress is None or progress.state is not TurnState.RUNNING:
                self._turns.pop(write.lease, None)
                lease = write.lease
                raise LeaseLost(f"turn {lease.turn_id} of {lease.session} is not {lease.owner}'s any more")
            known = progress.steps
            return await attempt(sql, is_tried)

        try:
            turn.steps = await self._groups.run(attempt)
        finally:
            turn.lock.release()
