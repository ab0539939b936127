"""Sessions that begin with the earlier turns of another one, and go on differently.

The turns are copied row by row, each with its number: what was said, decided and answered is what it was. What belongs
to one session alone changes with its name: sealed parameters are sealed for the new one, files are copied, and handles
of files lead to the copies. Prompts stay with the session that they were sent in.
"""

import time
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.storage.base import BeginTurn, KeptTurn, Lease, Started, Store, TurnState
from openplaybook.turns.agent.past_agents import PastAgents
from openplaybook.turns.errors import SessionBusy, SessionTooLong
from openplaybook.turns.journal.events import Event, HandlerFired, ParametersDeclared, Settlement, TurnBegun
from openplaybook.turns.journal.fold import apply
from openplaybook.turns.journal.rows import event_of, row_of
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.session.history import kept_turns, stored_size
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.session.turn_admission import LEASE_US

MOST_TURNS = 500
MOST_BYTES = 32 * 1024 * 1024
"""Of what is stored of the turns, and as much of the files."""
_GAP = "gap"
"""Owner of turns that only keep a number."""
_Sealing = TurnBegun | ParametersDeclared | Settlement | HandlerFired
"""Events that may hold sealed parameters."""
_FORM = 1
"""Version of what is kept of origins and branches."""


@dataclass(frozen=True, slots=True)
class SessionBranch:
    """A session that was forked off another one."""

    session: str
    """Resource name: of the branch, or of what it comes from."""
    before_turn: int
    """Number of the first turn that both do not share."""


class SessionForks:
    """Forks sessions, and knows which were."""

    def __init__(self, store: Store, seals: ParameterSeals) -> None:
        self._store = store
        self._seals = seals
        self._agents = PastAgents(store)

    async def fork(self, agent: str, session: str, fork: str, before_turn: int, *, ttl_s: float) -> None:
        """Make the session `fork`, which must not have begun, from the turns of another one before a number.

        Turns of earlier lives of the session are not copied. Raises `SessionTooLong`, `SessionBusy`, `NewerData`,
        `SealedValueUnreadable`.
        """
        turns = await self._turns(session, before_turn)
        copier = _Copier(self._seals, session, fork)
        await self._copy_files(copier)
        secret = (await self._agents.present(agent)).secret_parameters
        expires_us = int((time.time() + ttl_s) * 1e6)
        for turn in turns:
            lease = await self._begun(agent, fork, copier.rows(turn)[:1], turn.number, expires_us)
            self._seals.seal_state(copier.state, secret, fork)
            await self._store.finish_turn(
                lease,
                state=turn.state,
                steps=copier.copied[1:],
                response=None if turn.response is None else copier.response(turn.response),
                session_state=copier.state.dump(),
            )
        await self._note(session, fork, before_turn)

    async def origin(self, session: str) -> SessionBranch | None:
        """Where a session comes from; None for one that was not forked."""
        blob = await self._store.get_blob(f"{session}/origin")
        if blob is None:
            return None
        kept: JsonObject = loads(blob)
        return SessionBranch(kept["session"], kept["beforeTurn"])

    async def branches(self, session: str) -> Sequence[SessionBranch]:
        """What was forked off a session, oldest first."""
        prefix = f"{session}/branches/"
        found = [blob.key.removeprefix(prefix).split("/", 1) for blob in await self._store.blobs(prefix)]
        parent = session.rsplit("/", 1)[0]
        return [SessionBranch(f"{parent}/{id}", int(number)) for number, id in found]

    async def _turns(self, session: str, before_turn: int) -> Sequence[KeptTurn]:
        """Those that are copied, with a gap for each number that is not theirs."""
        lived = {step.turn for step in await self._store.history(session, turns=MOST_TURNS + 1, before=before_turn)}
        if len(lived) > MOST_TURNS:
            raise SessionTooLong(f"A session is forked with at most {MOST_TURNS} turns.")
        turns = [turn async for turn in _before(self._store, session, before_turn) if turn.number in lived]
        if turns and turns[-1].number > 2 * MOST_TURNS:
            raise SessionTooLong(f"A session is forked at one of its first {2 * MOST_TURNS} turns.")
        if stored_size(turns) > MOST_BYTES:
            raise SessionTooLong(f"A session is forked with turns of at most {MOST_BYTES} bytes.")
        return turns

    async def _begun(
        self, agent: str, fork: str, first: Sequence[tuple[str, bytes]], number: int, expires_us: int
    ) -> Lease:
        """The lease of a copied turn; what failed in between is a failed turn here too, so that ids of calls, which
        hold the number, stay unique."""
        while True:
            begin = BeginTurn(
                session=fork,
                root=agent,
                turn_id=str(uuid.uuid4()),
                request_key=None,
                fingerprint=str(uuid.uuid4()),
                owner=_GAP,
                lease_us=LEASE_US,
                expires_us=expires_us,
                steps=first,
            )
            begun = await self._store.begin_turn(begin)
            if not isinstance(begun, Started) or begun.lease.number > number:
                raise SessionBusy(f"Session {fork.rsplit('/', 1)[-1]} has begun already.")
            if begun.lease.number == number:
                return begun.lease
            await self._store.finish_turn(begun.lease, state=TurnState.FAILED)

    async def _copy_files(self, copier: "_Copier") -> None:
        files = await self._store.blobs(f"{copier.session}/files/")
        if sum(file.size for file in files) > MOST_BYTES:
            raise SessionTooLong(f"A session is forked with files of at most {MOST_BYTES} bytes.")
        for file in files:
            data = await self._store.get_blob(file.key)
            if data is not None:
                await self._store.put_blob(f"{copier.fork}{file.key.removeprefix(copier.session)}", data)

    async def _note(self, session: str, fork: str, before_turn: int) -> None:
        origin: JsonObject = {"form": _FORM, "session": session, "beforeTurn": before_turn}
        await self._store.put_blob(f"{fork}/origin", dumps(origin))
        await self._store.put_blob(f"{session}/branches/{before_turn}/{fork.rsplit('/', 1)[-1]}", b"")


async def _before(store: Store, session: str, number: int) -> AsyncIterator[KeptTurn]:
    async for turn in kept_turns(store, session):
        if turn.number >= number:
            return
        yield turn


class _Copier:
    """Rewrites the rows of one session for another, and folds them into its state."""

    def __init__(self, seals: ParameterSeals, session: str, fork: str) -> None:
        self._seals = seals
        self.session = session
        self.fork = fork
        self.state = SessionState()
        self.copied: Sequence[tuple[str, bytes]] = ()
        self._files = (f"{session}/files/".encode(), f"{fork}/files/".encode())

    def rows(self, turn: KeptTurn) -> Sequence[tuple[str, bytes]]:
        """A turn's rows; they are in the state from then on."""
        copied: list[tuple[str, bytes]] = []
        for step in turn.steps:
            event = self._moved(event_of(replace(step, payload=step.payload.replace(*self._files))))
            apply(event, self.state)
            copied.append(row_of(event))
        self.copied = copied
        return copied

    def response(self, stored: bytes) -> bytes:
        """A turn's stored result."""
        return stored.replace(*self._files)

    def _moved(self, event: Event) -> Event:
        if not isinstance(event, _Sealing) or not event.sealed:
            return event
        values = self._seals.moved(event.parameters, event.sealed, self.session, self.fork)
        return replace(event, parameters=values)
