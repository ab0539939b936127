"""A turn while it runs: its lease, its snapshot, its state, what is not yet on record, and what bounds it."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.storage.base import Lease, Store
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.otel_spans import Spans
from openplaybook.tools.base import Action
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.base import (
    AgentStep,
    EventInput,
    Message,
    Partial,
    PartialMoment,
    PartialText,
    RichMessage,
    TextInput,
    TextMessage,
    ToolCallMessage,
    TurnRequest,
    TurnResult,
)
from openplaybook.turns.errors import TurnTimedOut
from openplaybook.turns.journal.events import (
    CallSettled,
    CallsIntended,
    ConversationEnded,
    Event,
    GuardrailFired,
    ModelFaulted,
    ModelReplied,
    PlaybookEntered,
    TurnBegun,
)
from openplaybook.turns.journal.fold import apply
from openplaybook.turns.journal.rows import begin_of, row_of
from openplaybook.turns.journal.session_state import PendingCall, SessionState
from openplaybook.turns.journal.trace_spans import TurnFacts, span_tree
from openplaybook.turns.journal.transcript import Transcript
from openplaybook.turns.journal.turn_results import replies_in, said_in
from openplaybook.turns.journal.turn_trace import moments_of, trace_of
from openplaybook.turns.session.turn_admission import HeldLease


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """How much one turn may do."""

    decisions: int = 25
    """Model decisions in one turn."""
    depth: int = 8
    """Playbooks on top of each other."""
    same_call: int = 3
    """Times one action may be called with the same arguments in one turn."""
    parallel_calls: int = 8
    """Tool calls of one reply that run at the same time."""
    calls_per_reply: int = 32
    """Calls one reply may ask for; those beyond are refused to the model."""
    inner_calls: int = 100
    """Calls that one tool call may make of others."""
    call_s: float = 60.0
    """Longest wait for one tool call."""
    model_s: float = 60.0
    """Longest wait for one decision."""


class Effort:
    """What the turn has done so far, counted from its events."""

    def __init__(self) -> None:
        self.decisions = 0
        self.asked = 0
        """How often a model was asked for a decision, with and without a reply."""
        self.acted = False
        """Whether a call was sent, so that the turn must not simply be tried again."""
        self._calls: Counter[str] = Counter()

    def apply(self, event: Event) -> None:
        """Count one event."""
        if isinstance(event, ModelReplied | ModelFaulted):
            self.asked += 1
        if isinstance(event, ModelReplied):
            self.decisions += 1
            self._calls.update(_fingerprint(call) for call in event.calls)
        elif isinstance(event, CallsIntended | CallSettled):
            self.acted = True

    def times_called(self, call: PendingCall) -> int:
        """How often a call of this function with these arguments was asked for in this turn."""
        return self._calls[_fingerprint(call)]


def _fingerprint(call: PendingCall) -> str:
    return f"{call.name} {call.arguments!r}"


Observer = Callable[[Partial], None]
"""Told of words and tool calls as they happen."""


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
    held: HeldLease | None = None
    """The lease as this process holds it; None where nothing is done outside."""
    refusal: StoreError | None = None
    """Why the journal took no more of this turn."""
    observer: Observer | None = None
    on_news: Callable[[], None] | None = None
    """Told when something has happened."""
    events: list[Event] = field(default_factory=list[Event])
    """All of this turn, in order."""
    effort: Effort = field(default_factory=Effort)
    in_doubt: frozenset[str] = frozenset()
    """Calls whose intent an earlier owner of this turn recorded without a result."""
    written: int = 0
    """Bytes of the rows that this process added."""
    described: dict[str, Mapping[str, Action]] = field(default_factory=dict[str, Mapping[str, Action]])
    """Of tools that another system describes: their actions by their own names, as that said it in this turn."""
    besides: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    """What is written next to the journal; the turn ends after it."""
    _rows: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    """What is not on record yet."""
    _replies: int = 0
    """How many replies are complete."""
    _speaking: bool = False
    """Whether words of the next reply were told."""

    @property
    def begin(self) -> TurnBegun:
        """The event that the turn began with."""
        return begin_of(self.events)

    def emit(self, event: Event) -> None:
        """Let something happen; it is durable after the next `commit`."""
        # First of all, so that nothing that cannot be recorded ever happens.
        row = row_of(event)
        self.events.append(event)
        self._rows.append(row)
        self.written += len(row[1])
        decided_in = self.state.top.playbook if self.state.frames else ""
        self._fold(event)
        if self.observer is not None:
            self._tell_moments(event, decided_in)
        self._replies += replies_in(event)
        if self.on_news is not None:
            self.on_news()

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

    def write_besides(self, writing: Coroutine[None, None, None]) -> None:
        """Write something that no later step needs, while the turn goes on. It must not raise."""
        self.besides.append(asyncio.create_task(writing))

    async def wait_for_besides(self) -> None:
        """Return when all of that is written."""
        if self.besides:
            await asyncio.wait(self.besides)

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
            if isinstance(moment, AgentStep):
                reply += 1
                if not self._speaking:
                    speaker = (moment.playbook, moment.playbook_display_name)
                    self.tell(PartialText(moment.text, self.state.turn, reply, *speaker))
                self._speaking = False
            self.tell(PartialMoment(moment, self.state.turn, reply))

    def _fold(self, event: Event) -> None:
        apply(event, self.state)
        self.transcript.apply(event)
        self.effort.apply(event)


def result_of(turn: Turn, frames: dict[int, str]) -> TurnResult:
    """What the turn came to. `frames`: the playbook of each frame when the turn began."""
    turn_input = turn.request.input
    top = turn.state.top
    return TurnResult(
        response_id=turn.lease.turn_id,
        messages=_messages(turn),
        parameters=turn.visible_parameters(),
        current_playbook=top.playbook,
        current_playbook_display_name=turn.snapshot.display_name(top.playbook),
        query_text=turn_input.text if isinstance(turn_input, TextInput) else "",
        language_code=turn.state.language_code,
        trace=trace_of(turn.events, turn.snapshot, frames, turn.lease.number),
        paused=bool(turn.state.open_client_calls()),
        turn=turn.lease.number,
        ended=next((event.outputs for event in turn.events if isinstance(event, ConversationEnded)), None),
        index=turn.state.turn,
        event=turn_input.event if isinstance(turn_input, EventInput) else "",
        takes_feedback=turn.snapshot.takes_feedback,
    )


def tell_of(turn: Turn, playbooks: Mapping[int, str], spans: Spans, error: str = "") -> None:
    """Emit the spans of a turn, where anybody listens.

    `playbooks` says which playbook each frame was in when the turn began, by frame id; `error` is the code of why the
    turn ended without an answer. What a dead process did in the turn is told too: it could not.
    """
    if not spans.wanted:
        return
    trace = trace_of(turn.events, turn.snapshot, playbooks, turn.lease.number)
    began_in = _first_playbook(turn, playbooks)
    facts = TurnFacts(
        playbook=began_in,
        playbook_display_name=turn.snapshot.display_name(began_in),
        session=turn.request.session,
        version=turn.snapshot.digest,
        turn_id=turn.lease.turn_id,
        at_us=turn.begin.at,
        error=error,
        with_content=spans.with_content,
        tool_kinds=turn.snapshot.tool_kinds,
    )
    spans.emit(span_tree(trace, facts), turn.request.trace_parent)


def _first_playbook(turn: Turn, playbooks: Mapping[int, str]) -> str:
    entered = [event.playbook for event in turn.events if isinstance(event, PlaybookEntered)]
    return [*list(playbooks.values())[-1:], *entered, turn.snapshot.start_playbook][0]


def _payloads(events: Sequence[Event]) -> list[Message]:
    """What tools add to the agent's words; nothing where a guardrail has these not said."""
    if any(isinstance(event, GuardrailFired) for event in events):
        return []
    settled = (event for event in events if isinstance(event, CallSettled))
    return [RichMessage({"payload": payload}) for event in settled for payload in event.payloads]


def _messages(turn: Turn) -> tuple[Message, ...]:
    messages = [message for event in turn.events for message in said_in(event)]
    # They follow the words that they belong to; the end of the conversation stays last.
    words = [place for place, message in enumerate(messages, 1) if isinstance(message, TextMessage)]
    at = words[-1] if words else 0
    messages[at:at] = _payloads(turn.events)
    handed_calls = (
        ToolCallMessage(call.id, call.tool, call.action, call.arguments if call.given is None else call.given)
        for call in turn.state.open_client_calls()
    )
    return (*messages, *handed_calls)
