"""Sessions as they lie in the store: brought back to life, and forgotten when their time is over."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from openplaybook.storage.base import Session, Store
from openplaybook.turns.agent import snapshot_store as snapshots
from openplaybook.turns.journal.events import (
    ConversationEnded,
    Event,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    TurnBegun,
)
from openplaybook.turns.journal.rows import event_of
from openplaybook.turns.journal.session_state import SessionState
from openplaybook.turns.journal.transcript import Transcript

DEFAULT_TTL_S = 30 * 60.0
"""Life of a session after its last request (Dialogflow's default)."""
MAX_TTL_S = 24 * 60 * 60.0
"""Longest life that `sessionTtl` may ask for (Dialogflow's limit)."""

HISTORY_TURNS = 200
"""Turns of a conversation that a model can still be shown."""

_KEPT = 512
"""Conversations held in memory, at most."""

_KEPT_BYTES = 16 * 1024 * 1024
"""What the conversations held in memory may take in the journal; in memory it is about as much again."""

_NO_FRAMES: Mapping[int, str] = MappingProxyType({})


@dataclass(slots=True)
class LoadedSession:
    """A session's state and its conversations; both change as its turn goes on."""

    state: SessionState
    transcript: Transcript
    size: int = 0
    """Bytes of the journal that the transcript was made from."""


@dataclass(frozen=True, slots=True)
class _Kept:
    turns: int
    began: int
    """When the last of them did: a session that expired or was deleted may have had as many in its next life."""
    transcript: Transcript
    size: int


class SessionCache:
    """Loads sessions; keeps the conversations of those used last, so that a turn does not read them all again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        """By session."""
        self._kept_bytes = 0

    def __len__(self) -> int:
        """Conversations held in memory."""
        return len(self._kept)

    async def load(self, name: str, stored: Session | None) -> LoadedSession:
        """The session as its last turn left it; an empty one when nothing is stored."""
        if stored is None:
            self.forget(name)
            return LoadedSession(SessionState(), Transcript())
        state = SessionState.load(stored.state)
        # Taken out: until the turn is over, what is kept is not what the store holds.
        conversation = self._taken(name)
        if conversation is not None and (conversation.turns, conversation.began) == (state.turn, state.began):
            return LoadedSession(state, conversation.transcript, conversation.size)
        loaded = LoadedSession(state, Transcript())
        for step in await self._store.history(name, turns=HISTORY_TURNS):
            loaded.transcript.apply(event_of(step))
            loaded.size += len(step.payload)
        return loaded

    def keep(self, name: str, loaded: LoadedSession, grown: int) -> None:
        """Remember the conversation as it is after a turn that wrote so many bytes; the latest one in any case."""
        self.forget(name)
        state = loaded.state
        self._kept[name] = _Kept(state.turn, state.began, loaded.transcript, loaded.size + grown)
        self._kept_bytes += loaded.size + grown
        while len(self._kept) > _KEPT or (self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1):
            self.forget(next(iter(self._kept)))

    def forget(self, name: str) -> None:
        """Read the session from the store next time."""
        self._taken(name)

    def _taken(self, name: str) -> _Kept | None:
        conversation = self._kept.pop(name, None)
        if conversation is not None:
            self._kept_bytes -= conversation.size
        return conversation

    async def frames_before(self, name: str, turn: int) -> dict[int, str]:
        """The playbook of every frame that was open when a turn began, by frame id."""
        steps = await self._store.history(name, turns=HISTORY_TURNS, before=turn)
        return frames_of(event_of(step) for step in steps)


def frames_of(happened: Iterable[Event], before: Mapping[int, str] = _NO_FRAMES) -> dict[int, str]:
    """The playbook of every frame that is open after these events, by frame id; `before` says so of before them."""
    frames = dict(before)
    for event in happened:
        match event:
            case TurnBegun(sets_aside=True) | ConversationEnded():
                frames.clear()
            case PlaybookEntered():
                frames[event.frame] = event.playbook
            case PlaybookLeft():
                frames.pop(event.frame, None)
            case PlaybookReplaced():
                frames.pop(event.from_, None)
                frames[event.frame] = event.playbook
            case _:
                pass
    return frames


BATCH = 20
"""Conversations forgotten in one transaction: turns that want to write meanwhile wait for it."""


async def forget_expired(store: Store, *, kept_us: int) -> AsyncIterator[int]:
    """Forget the conversations of sessions that expired at least `kept_us` ago; how many, batch by batch."""
    while gone := len(await store.delete_expired(kept_us=kept_us, limit=BATCH)):
        yield gone
        if gone < BATCH:
            return


async def forget_snapshots(store: Store, *, kept_us: int, now_us: int) -> int:
    """Forget the snapshots that no conversation needs which is kept for `kept_us` after its session; how many.

    A snapshot's blob was put at its last use, or `LAG_US` before that; the session of that use lived no longer than a
    session can.
    """
    before_us = now_us - kept_us - int(MAX_TTL_S * 1e6) - snapshots.LAG_US
    old = [blob.key for blob in await store.blobs(snapshots.PREFIX) if blob.put_us < before_us]
    for key in old:
        # Looked at again where it is deleted: another server may have put it anew.
        await store.delete_blobs(key, before_us=before_us)
    return len(old)
