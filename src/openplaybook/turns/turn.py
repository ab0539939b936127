"""A turn while it runs: its lease, its snapshot, its state, and what is not yet on record."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.storage.base import Lease, Store
from openplaybook.storage.errors import StoreError
from openplaybook.turns.base import Partial, PartialMoment, PartialText, TurnRequest
from openplaybook.turns.errors import TurnTimedOut
from openplaybook.turns.events import Event
from openplaybook.turns.fold import apply
from openplaybook.turns.holding import Held
from openplaybook.turns.limits import Effort
from openplaybook.turns.messages import replies_in
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.state import SessionState
from openplaybook.turns.trace import moments_of
from openplaybook.turns.transcript import Transcript

Observer = Callable[[Partial], None]
"""Told of words and tool calls as they happen."""


def now_us() -> int:
    """Microseconds since the epoch, UTC."""
    return time.time_ns() // 1000


@dataclass(slots=True)
class Turn:
    """One running turn. Everything it does is an event: emitted, folded into the state, then committed."""

    request: TurnRequest
    store: Store
    lease: Lease
    snapshot: AgentSnapshot
    state: SessionState
    transcript: Transcript
    deadline: float
    """Of the caller, on the clock of `time.monotonic`."""
    held: Held | None = None
    """The lease as this process holds it; None where nothing is done outside."""
    refusal: StoreError | None = None
    """Why the journal took no more of this turn."""
    observer: Observer | None = None
    events: list[Event] = field(default_factory=list[Event])
    """All of this turn, in order."""
    effort: Effort = field(default_factory=Effort)
    in_doubt: frozenset[str] = frozenset()
    """Calls whose intent an earlier owner of this turn recorded without a result."""
    written: int = 0
    """Bytes of the rows that this process added."""
    _rows: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    """What is not on record yet."""
    _replies: int = 0
    """How many replies are complete."""
    _speaking: bool = False
    """Whether words of the next reply were told."""

    def emit(self, kind: str, /, **data: JsonValue) -> Event:
        """Let something happen; it is durable after the next `commit`."""
        event = Event(kind, {"at": now_us(), **data})
        # First of all, so that nothing that cannot be recorded ever happens.
        row = event.row()
        self.events.append(event)
        self._rows.append(row)
        self.written += len(row[1])
        decided_in = self.state.top.playbook if self.state.frames else ""
        self._fold(event)
        if self.observer is not None:
            self._tell_moments(event, decided_in)
        self._replies += replies_in(event)
        return event

    def replay(self, recorded: Sequence[Event]) -> None:
        """Let something happen again that is on record already."""
        for event in recorded:
            self.events.append(event)
            self._fold(event)
            self._replies += replies_in(event)

    async def commit(self) -> None:
        """Write what is not yet on record. Raises `LeaseLost`, `StoreUnusable`."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            await self.store.append(self.lease, rows)
        except StoreError as error:
            self.refusal = error
            raise

    async def check_ours(self) -> None:
        """Return when something may be done outside in this turn's name: nothing was refused, and the turn is still
        this process's. Raises `LeaseLost`, `StoreUnusable`."""
        if self.refusal is not None:
            raise self.refusal
        if self.held is not None:
            await self.held.confirm()

    def uncommitted(self) -> list[tuple[str, bytes]]:
        """Rows that the store does not have yet."""
        return self._rows

    def call_id(self, index: int) -> str:
        """Id of a call of the next reply: unique in the session, the same again when the turn is recovered."""
        return f"call-{self.lease.number}-{self.effort.decisions + 1}-{index + 1}"

    def remaining_s(self) -> float:
        """Seconds until the caller gives up. Raises `TurnTimedOut` when that has passed."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TurnTimedOut(f"The turn did not end within {self.request.timeout_s:g} seconds.")
        return left

    def tell(self, partial: Partial) -> None:
        """Let the observer know, where there is one."""
        if self.observer is not None:
            self.observer(partial)

    def speak(self, text: str) -> None:
        """Tell the observer words of the next reply of the deciding playbook, before the reply is complete."""
        playbook = self.state.top.playbook
        self._speaking = True
        self.tell(PartialText(text, self.state.turn, self._replies + 1, playbook, self.snapshot.display_name(playbook)))

    def visible_parameters(self) -> JsonObject:
        """Session parameters without the secret ones."""
        hidden = {*self.snapshot.secret_parameters, *self.state.sealed}
        return {name: value for name, value in self.state.parameters.items() if name not in hidden}

    def _tell_moments(self, event: Event, decided_in: str) -> None:
        """Tell of the replies and handovers that an event brings; of words only where `speak` has not told them."""
        reply = self._replies
        for moment in moments_of(event, self.snapshot, decided_in):
            if moment.kind == "agent":
                reply += 1
                if not self._speaking:
                    speaker = (moment.playbook, moment.playbook_display_name)
                    self.tell(PartialText(str(moment.data["text"]), self.state.turn, reply, *speaker))
                self._speaking = False
            self.tell(PartialMoment(moment, self.state.turn, reply))

    def _fold(self, event: Event) -> None:
        apply(self.state, event)
        self.transcript.apply(event)
        self.effort.apply(event)
