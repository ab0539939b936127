"""`begin_turn`: look, decide, and write on condition that nothing has changed since.

No lock is held between the statements, so a server that dies half-way leaves nothing behind. Every grant advances
the session's fence, and is written only where the fence still is what was seen; else the request looks again.
"""

from dataclasses import replace

from openplaybook.storage.base import Answered, BeginTurn, Begun, Busy, Lease, Orphaned, Recovered, Started
from openplaybook.storage.postgres import grant_statements, journal
from openplaybook.storage.postgres.grant_statements import Grant, SessionView
from openplaybook.storage.postgres.group_commit import GroupCommit
from openplaybook.storage.postgres.statements import Sql
from openplaybook.storage.turn_decision import Repeat, SessionRow, StartTurn, TakeOver, decide


class TurnStart:
    """One request for a turn, which may take several attempts."""

    def __init__(self, begin: BeginTurn, clock_us: int | None) -> None:
        """`clock_us` is the time where it is not the database's."""
        self._begin = begin
        self._clock_us = clock_us
        self._tried: Grant | None = None
        self._is_sent = False
        """Whether an attempt to start at once may have been carried out."""

    async def run(self, groups: GroupCommit) -> Begun:
        """The turn, or why there is none now. Raises `StoreUnusable`."""
        granted = await groups.run(self._granted)
        if not isinstance(granted, Grant):
            return granted
        if granted.taken is None:
            return Started(granted.lease, granted.before)
        # The turn is ours by now, so nobody adds to its rows while they are read.
        steps = await groups.run(lambda sql, _: journal.of_turn(sql, granted.lease))
        kind = Recovered if granted.taken.own else Orphaned
        return kind(granted.lease, granted.before, steps)

    async def _granted(self, sql: Sql, again: bool) -> Grant | Answered | Busy:
        settled = None if again else await self._start_at_once(sql)
        while settled is None:
            view = await grant_statements.look(sql, self._begin, self._clock_us)
            if view is None:
                settled = await self._start_at_once(sql)
                continue
            # It may have been written before the connection went, only nobody was told.
            settled = self._written(view) or await self._decided(sql, view)
        return settled

    def _written(self, view: SessionView) -> Grant | None:
        if self._tried is not None and view.holds(self._tried.lease):
            return self._tried
        return view.granted(self._begin) if self._is_sent else None

    async def _start_at_once(self, sql: Sql) -> Grant | Answered | Busy | None:
        self._is_sent = True
        outcome = await grant_statements.start_at_once(sql, self._begin, self._clock_us)
        self._is_sent = False
        return await self._decided(sql, outcome) if isinstance(outcome, SessionView) else outcome

    async def _decided(self, sql: Sql, view: SessionView) -> Grant | Answered | Busy | None:
        """None: somebody else was faster, and all is to be seen anew."""
        decision = decide(self._begin, view.session, view.turns, view.now_us, view.waited_us)
        if isinstance(decision, StartTurn):
            return await self._start(sql, view, decision.session)
        if isinstance(decision, TakeOver):
            return await self._take_over(sql, view.session, decision)
        if isinstance(decision, Repeat):
            response = await grant_statements.response(sql, view.session, decision.number)
            return None if response is None else Answered(response)
        return decision

    async def _start(self, sql: Sql, view: SessionView, session: SessionRow) -> Grant | None:
        grant = self._tried = replace(view, session=session).grant(self._begin, session.turns + 1, session.fence + 1)
        return grant if await grant_statements.start(sql, self._begin, session, grant, self._clock_us) else None

    async def _take_over(self, sql: Sql, session: SessionRow, taken: TakeOver) -> Grant | None:
        begin = self._begin
        lease = Lease(begin.session, taken.turn.turn_id, taken.turn.number, begin.owner, session.fence + 1)
        expires_us = begin.expires_us if taken.own else session.expires_us
        grant = self._tried = Grant(lease, session.before(lease, expires_us), expires_us, taken)
        return grant if await grant_statements.take_over(sql, begin, session, grant, taken, self._clock_us) else None
