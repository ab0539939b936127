"""The turns that run here: their writes go one after another, and none is made twice or lost with a connection."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from openplaybook.storage.base import Lease, TurnState
from openplaybook.storage.errors import LeaseLost
from openplaybook.storage.postgres import journal
from openplaybook.storage.postgres.groups import Groups
from openplaybook.storage.postgres.journal import Ending, Standing
from openplaybook.storage.postgres.link import Sql

_MOST = 10_000
"""Turns remembered; of any other the database is asked first."""


@dataclass(slots=True)
class _Turn:
    """A turn that runs here."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    steps: int | None = None
    """Rows it has; None: not known."""


class Writing:
    """Appends and endings. A write names how many rows the turn has, and holds only where that is so."""

    def __init__(self, groups: Groups) -> None:
        """Nothing runs yet."""
        self._groups = groups
        self._turns: OrderedDict[Lease, _Turn] = OrderedDict()

    def begun(self, lease: Lease, steps: int) -> None:
        """A turn was granted that has so many rows."""
        self._turns[lease] = _Turn(steps=steps)
        if len(self._turns) > _MOST:
            self._turns.popitem(last=False)

    async def append(self, lease: Lease, steps: Sequence[tuple[str, bytes]], clock_us: int | None) -> None:
        """Add rows. Raises `LeaseLost`, `StoreUnusable`."""

        async def add(sql: Sql, known: int) -> bool:
            return await journal.append(sql, lease, known, steps, clock_us)

        await self._write(lease, len(steps), TurnState.RUNNING, add)

    async def finish(
        self, lease: Lease, steps: Sequence[tuple[str, bytes]], ending: Ending, clock_us: int | None
    ) -> None:
        """Add the last rows and end the turn. Raises `LeaseLost`, `StoreUnusable`."""

        async def end(sql: Sql, known: int) -> bool:
            return await journal.finish(sql, lease, known, steps, ending, clock_us)

        await self._write(lease, len(steps), ending.state, end)
        self._turns.pop(lease, None)

    async def _write(
        self, lease: Lease, added: int, state: TurnState, write: Callable[[Sql, int], Awaitable[bool]]
    ) -> None:
        turn = self._turns.get(lease) or _Turn()
        async with turn.lock:
            # Not known again until the write is known to have been made.
            known, turn.steps = turn.steps, None

            async def attempt(sql: Sql, again: bool) -> int:
                nonlocal known
                if known is not None and await write(sql, known):
                    return known + added
                found = await journal.standing(sql, lease)
                if known is not None and again and found == Standing(known + added, state):
                    # An earlier attempt was carried out, only nobody was told.
                    return known + added
                if found is None or found.state is not TurnState.RUNNING:
                    self._turns.pop(lease, None)
                    raise LeaseLost(f"turn {lease.turn_id} of {lease.session} is not {lease.owner}'s any more")
                known = found.steps
                return await attempt(sql, again)

            turn.steps = await self._groups.run(attempt)
