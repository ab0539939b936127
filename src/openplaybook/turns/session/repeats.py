"""Requests that were made before: which answers reached their clients, what makes two requests one, and what the second
is answered.

A turn waits for no mark of an answer that was delivered: marks go to the store a little later, many together. Until
they are there, this process knows them, and so does a log beside the store, which outlives the process: who starts next
on the same data directory tells the store what it finds there.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from dataclasses import replace

from openplaybook.jsonvalues import dumps_sorted
from openplaybook.storage.base import Store
from openplaybook.storage.delivery_log import DeliveryLog
from openplaybook.storage.errors import StoreError
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import ToolResultInput, TurnResult
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.turns.journal.rows import begin_of, event_of, stored_form
from openplaybook.turns.journal.turn_results import load_result, stored_turn
from openplaybook.turns.journal.turn_trace import trace_of
from openplaybook.turns.session.stored_sessions import SessionCache

FLUSH_S = 0.05
"""Longest wait between a delivery and its mark in the store."""

AT_ONCE_S = 0.01
"""The same for a store that several servers share, where only the store tells the others; and only while deliveries
come one after the other: the first after a rest is marked at once."""

_MOST = 10_000
"""Sessions remembered, of each kind."""

_log = logging.getLogger("openplaybook.turns")


class Deliveries:
    """Remembers deliveries and marks them in the store."""

    def __init__(
        self,
        store: Store,
        log: DeliveryLog | None = None,
        *,
        is_shared: bool = False,
        flush_s: float | None = FLUSH_S,
    ) -> None:
        """`log` is what outlives this process; `is_shared` says that other servers use the store. After `flush_s` what
        is not marked is marked together; None: only `close` does, for an engine that nobody closes in time."""
        self._store = store
        self._log = log
        self._is_shared = is_shared
        self._flush_s = flush_s
        self._flushed_at = 0.0
        self._unmarked: OrderedDict[str, int] = OrderedDict()
        """The latest turn delivered, by session, until the store knows."""
        self._ours: OrderedDict[str, int] = OrderedDict()
        """The latest turn that this process answered, by session."""
        self._timer: asyncio.TimerHandle | None = None
        self._flushing: set[asyncio.Task[None]] = set()

    async def recover(self) -> None:
        """Tell the store what was delivered by a process that died here. Before any request is taken."""
        if self._log is None:
            return
        left = self._log.left()
        try:
            if left:
                await self._store.mark_delivered(left)
        except StoreError as error:
            # They stay in the log's memory here, and are marked with the next delivery.
            _log.warning("cannot mark answers as delivered: %s", error)
            for session, turn in left:
                _remember(self._unmarked, session, turn)
        self._log.replace(self._unmarked.items())

    def answered(self, session: str, turn: int) -> None:
        """This process has the turn's answer, and will know of its delivery."""
        _remember(self._ours, session, turn)

    def is_ours(self, session: str, turn: int) -> bool:
        """Whether this process answered the turn; another's may have been delivered without our knowing yet."""
        return self._ours.get(session) == turn

    def delivered(self, session: str, turn: int) -> None:
        """The turn's answer was written to its client's connection."""
        _remember(self._unmarked, session, max(turn, self.latest(session)))
        if self._log is not None:
            self._log.note(session, turn)
        self._arm()

    def latest(self, session: str) -> int:
        """The latest turn that is delivered and may not be marked yet; 0 where none is."""
        return self._unmarked.get(session, 0)

    async def close(self) -> None:
        """Mark what is not marked yet."""
        if self._timer is not None:
            self._timer.cancel()
        if self._flushing:
            await asyncio.wait(self._flushing)
        await self._flush()
        if self._log is not None:
            self._log.close()

    def _arm(self) -> None:
        if self._timer is None and self._flush_s is not None:
            loop = asyncio.get_running_loop()
            pause = max(0.0, self._flushed_at + AT_ONCE_S - loop.time()) if self._is_shared else self._flush_s
            self._timer = loop.call_later(pause, self._due)

    def _due(self) -> None:
        self._timer = None
        self._flushed_at = asyncio.get_running_loop().time()
        task = asyncio.create_task(self._flush())
        self._flushing.add(task)
        task.add_done_callback(self._flushing.discard)

    async def _flush(self) -> None:
        marked = list(self._unmarked.items())
        if not marked:
            return
        try:
            await self._store.mark_delivered(marked)
        except StoreError as error:
            # They are tried again with the next delivery; until then this process knows them.
            _log.warning("cannot mark answers as delivered: %s", error)
            return
        for session, turn in marked:
            if self._unmarked.get(session) == turn:
                del self._unmarked[session]
        if self._log is not None:
            self._log.replace(self._unmarked.items())


def _remember(turns: OrderedDict[str, int], session: str, turn: int) -> None:
    turns[session] = turn
    turns.move_to_end(session)
    while len(turns) > _MOST:
        turns.popitem(last=False)


_NOT_INPUT = ("at", "snapshot", "sealed")
"""Of a BEGIN row: what two equal requests do not have in common. Stores keep the digest of the rest, names included:
where a lift renames one of them, `fingerprint_of` goes on with the old name."""


def fingerprint_of(begin: TurnBegun) -> str:
    """Digest of what a request says, from its BEGIN row: equal for equal requests, over either transport.

    Secret parameters are left out: a digest of theirs could be tried out, and a client that gets a new token between
    two tries still says the same.
    """
    open_ones = {name: value for name, value in begin.parameters.items() if name not in begin.sealed}
    row = stored_form(replace(begin, parameters=open_ones))
    compared = {name: value for name, value in row.items() if name not in _NOT_INPUT}
    return hashlib.sha256(dumps_sorted(compared)).hexdigest()


class Repeats:
    """Gives stored answers again."""

    def __init__(self, store: Store, sessions: SessionCache, snapshots: Snapshots) -> None:
        self._store = store
        self._sessions = sessions
        self._snapshots = snapshots

    async def of_settled(self, session: str, begin: TurnBegun) -> bytes | None:
        """The response to an earlier tool result equal to this one, with or without the id of its call."""
        response = await self._store.answered(session, fingerprint_of(begin))
        turn_input = begin.input
        if response is None and isinstance(turn_input, ToolResultInput) and turn_input.call_id:
            without_id = replace(begin, input=replace(turn_input, call_id=""))
            response = await self._store.answered(session, fingerprint_of(without_id))
        return response

    async def result(self, agent: str, session: str, response: bytes) -> tuple[TurnResult, TurnBegun]:
        """What was said then, its trace derived again; and the BEGIN row of that turn."""
        number = stored_turn(response)
        steps = await self._store.history(session, turns=1, before=number + 1)
        happened = [event_of(step) for step in steps]
        begin = begin_of(happened)
        frames = await self._sessions.frames_before(session, number)
        snapshot = await self._snapshots.by_digest(agent, begin.snapshot)
        return load_result(response, trace_of(happened, snapshot, frames, number)), begin
