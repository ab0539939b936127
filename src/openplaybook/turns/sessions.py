"""Sessions as they lie in the store, brought back to life."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from openplaybook.storage.base import Session, Store
from openplaybook.turns import events
from openplaybook.turns.events import Event
from openplaybook.turns.state import SessionState
from openplaybook.turns.transcript import Transcript

HISTORY_TURNS = 200
"""Turns of a conversation that a model can still be shown."""

_KEPT = 512
"""Conversations held in memory."""


@dataclass(slots=True)
class LoadedSession:
    """A session's state and its conversations; both change as its turn goes on."""

    state: SessionState
    transcript: Transcript


class Sessions:
    """Loads sessions; keeps the conversations of those used last, so that a turn does not read them all again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, tuple[int, Transcript]] = OrderedDict()
        """Conversations and the number of turns they hold, by session."""

    async def load(self, name: str, stored: Session | None) -> LoadedSession:
        """The session as its last turn left it; an empty one when nothing is stored."""
        if stored is None:
            self.forget(name)
            return LoadedSession(SessionState(), Transcript())
        state = SessionState.load(stored.state)
        # Taken out: until the turn is over, what is kept is not what the store holds.
        turns, transcript = self._kept.pop(name, (-1, Transcript()))
        if turns != state.turn:
            transcript = Transcript()
            for step in await self._store.history(name, turns=HISTORY_TURNS):
                transcript.apply(Event.from_step(step))
        return LoadedSession(state, transcript)

    def keep(self, name: str, loaded: LoadedSession) -> None:
        """Remember the conversation as it is after a turn."""
        self._kept[name] = (loaded.state.turn, loaded.transcript)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def forget(self, name: str) -> None:
        """Read the session from the store next time."""
        self._kept.pop(name, None)

    async def frames_before(self, name: str, turn: int) -> dict[int, str]:
        """The playbook of every frame that was open when a turn began, by frame id."""
        steps = await self._store.history(name, turns=HISTORY_TURNS, before=turn)
        return frames_of(Event.from_step(step) for step in steps)


def frames_of(happened: Iterable[Event]) -> dict[int, str]:
    """The playbook of every frame that is open after these events, by frame id."""
    frames: dict[int, str] = {}
    for event in happened:
        if event.kind == events.BEGIN and event.data["playbook"]:
            frames.clear()
        elif event.kind == events.PUSH:
            frames[event.data["frame"]] = event.data["playbook"]
        elif event.kind == events.POP:
            frames.pop(event.data["frame"], None)
    return frames
