"""`begin_turn`: look, decide, and write on condition that nothing has changed since.

No lock is held between the statements, so a server that dies half-way leaves nothing behind. Every grant advances
the session's fence, and is written only where the fence still is what was seen; else the request looks again.
"""

from psycopg import AsyncConnection

from openplaybook.storage.base import Answered, BeginTurn, Begun, Busy, Lease, Orphaned, Recovered, Started
from openplaybook.storage.decision import Repeat, SessionRow, Start, TakeOver, decide
from openplaybook.storage.postgres import grants, journal
from openplaybook.storage.postgres.connections import Connections
from openplaybook.storage.postgres.grants import Grant


class Beginning:
    """One request for a turn, which may take several attempts."""

    def __init__(self, begin: BeginTurn, clock_us: int | None) -> None:
        """`clock_us` is the time where it is not the database's."""
        self._begin = begin
        self._clock_us = clock_us
        self._tried: Grant | None = None

    async def run(self, connections: Connections) -> Begun:
        """The turn, or why there is none now. Raises `StoreUnusable`."""
        granted = await connections.run(self._granted)
        if not isinstance(granted, Grant):
            return granted
        if granted.taken is None:
            return Started(granted.lease, granted.before)
        # The turn is ours by now, so nobody adds to its rows while they are read.
        steps = await connections.run(lambda connection, _: journal.of_turn(connection, granted.lease))
        kind = Recovered if granted.taken.own else Orphaned
        return kind(granted.lease, granted.before, steps)

    async def _granted(self, connection: AsyncConnection, _: bool) -> Grant | Answered | Busy:
        settled = None
        while settled is None:
            settled = await self._once(connection)
        return settled

    async def _once(self, connection: AsyncConnection) -> Grant | Answered | Busy | None:
        """None: somebody else was faster, and all is to be seen anew."""
        seen = await grants.look(connection, self._begin, self._clock_us)
        if seen is None:
            return await self._start(connection, None)
        if self._tried is not None and seen.holds(self._tried.lease):
            # It was written before the connection went, only nobody was told.
            return self._tried
        decision = decide(self._begin, seen.session, seen.turns, seen.now_us)
        if isinstance(decision, Start):
            return await self._start(connection, decision.session)
        if isinstance(decision, TakeOver):
            return await self._take_over(connection, seen.session, decision)
        if isinstance(decision, Repeat):
            response = await grants.response(connection, seen.session, decision.number)
            return None if response is None else Answered(response)
        return decision

    async def _start(self, connection: AsyncConnection, session: SessionRow | None) -> Grant | None:
        begin = self._begin
        turns, fence = (session.turns, session.fence) if session is not None else (0, 0)
        lease = Lease(begin.session, begin.turn_id, turns + 1, begin.owner, fence + 1)
        before = session.before(lease, begin.expires_us) if session is not None else None
        grant = self._tried = Grant(lease, before, begin.expires_us)
        return grant if await grants.start(connection, begin, session, grant, self._clock_us) else None

    async def _take_over(self, connection: AsyncConnection, session: SessionRow, taken: TakeOver) -> Grant | None:
        begin = self._begin
        lease = Lease(begin.session, taken.turn.turn_id, taken.turn.number, begin.owner, session.fence + 1)
        expires_us = begin.expires_us if taken.own else session.expires_us
        grant = self._tried = Grant(lease, session.before(lease, expires_us), expires_us, taken)
        return grant if await grants.take_over(connection, begin, session, grant, taken, self._clock_us) else None
