"""From events to the conversation that each playbook of a session has seen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod

from openplaybook.models.base import (
    AgentText,
    Entry,
    FunctionCall,
    FunctionResult,
    ProviderReply,
    UserText,
)
from openplaybook.turns.journal.events import (
    CallSettled,
    ConversationEnded,
    EngineSpoke,
    Event,
    GuardrailFired,
    GuardStage,
    HandlerFired,
    HistoryRestored,
    ModelReplied,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    TurnBegun,
    UserHeard,
)
from openplaybook.turns.journal.messages import text_of

WITHHELD = UserText("(The user's words are withheld by a guardrail.)")
"""What takes the place of words that a guardrail stopped."""


@dataclass(slots=True)
class _Thread:
    """What one frame has seen, and the results it still waits for."""

    entries: list[Entry | ProviderReply] = field(default_factory=list[Entry | ProviderReply])
    order: list[str] = field(default_factory=list[str])
    """Ids of the calls of the latest reply, in the model's order."""
    results: dict[str, FunctionResult] = field(default_factory=dict[str, FunctionResult])
    before: int = 0
    """Frame whose place this one took; 0: none."""
    repeats: bool = False
    """Whether its first entry are words that were said to that frame."""
    held: list[AgentText] = field(default_factory=list[AgentText])
    """Words said while results are waited for: they follow them, as nothing may stand between call and result."""


class Transcript:
    """The conversations of a session's frames, grown event by event.

    Results join the conversation in the order of the calls, whatever order they came in, once all calls of
    a reply are settled.
    """

    def __init__(self) -> None:
        self._threads: dict[int, _Thread] = {}
        self._is_over = False

    @singledispatchmethod
    def apply(self, event: Event) -> None:
        """Add what `event` brings; kinds without words are passed over."""

    def conversation(self, frame: int) -> Sequence[Entry | ProviderReply]:
        """All that the frame has seen, oldest first."""
        return self._thread(frame).entries

    def spoken(self, frame: int, limit: int) -> tuple[Entry, ...]:
        """The latest `limit` utterances of a frame and of those whose place it took, calls and results left out."""
        words: list[Entry] = []
        while frame and len(words) < limit:
            thread = self._thread(frame)
            own = thread.entries[1:] if thread.repeats and thread.before else thread.entries
            words = [*(entry for entry in own if isinstance(entry, UserText | AgentText)), *words]
            frame = thread.before
        return tuple(words[-limit:])

    def last_user_text(self, frame: int) -> str:
        """The user's latest words in a frame; empty when there are none."""
        for entry in reversed(self._thread(frame).entries):
            if isinstance(entry, UserText):
                return entry.text
        return ""

    def _thread(self, frame: int) -> _Thread:
        thread = self._threads.get(frame)
        if thread is None:
            thread = self._threads[frame] = _Thread()
        return thread

    @apply.register
    def _begun(self, event: TurnBegun) -> None:
        if event.sets_aside or self._is_over:
            self._threads.clear()
        self._is_over = False

    @apply.register
    def _restored(self, event: HistoryRestored) -> None:
        self._thread(event.frame).entries.extend(event.entries)

    @apply.register
    def _heard(self, event: UserHeard) -> None:
        self._thread(event.frame).entries.append(UserText(event.text))

    @apply.register
    def _entered(self, event: PlaybookEntered) -> None:
        # A called playbook has to answer the words that led to it.
        if event.text:
            self._thread(event.frame).entries.append(UserText(event.text))

    @apply.register
    def _replaced(self, event: PlaybookReplaced) -> None:
        thread = self._thread(event.frame)
        thread.before, thread.repeats = event.from_, bool(event.text)
        if event.text:
            thread.entries.append(UserText(event.text))

    @apply.register
    def _guarded(self, event: GuardrailFired) -> None:
        """Words that a guardrail let nobody answer are not shown to a model again."""
        entries = self._thread(event.frame).entries
        if event.stage is GuardStage.INPUT and entries and isinstance(entries[-1], UserText):
            entries[-1] = WITHHELD

    @apply.register
    def _replied(self, event: ModelReplied) -> None:
        thread = self._thread(event.frame)
        if event.raw:
            thread.entries.append(ProviderReply(event.model, event.raw))
        if event.text:
            thread.entries.append(AgentText(event.text))
        thread.entries.extend(FunctionCall(call.model_id, call.name, call.arguments) for call in event.calls)
        thread.order = [call.id for call in event.calls]
        thread.results = {}

    @apply.register
    def _settled(self, event: CallSettled) -> None:
        thread = self._thread(event.frame)
        thread.results[event.call] = FunctionResult(event.model_id, event.name, event.output, event.is_error)
        if all(call in thread.results for call in thread.order):
            thread.entries.extend(thread.results[call] for call in thread.order)
            thread.entries.extend(thread.held)
            thread.order, thread.results, thread.held = [], {}, []

    @apply.register
    def _handler_fired(self, event: HandlerFired) -> None:
        thread = self._thread(event.frame)
        texts = [AgentText(text) for message in event.messages if (text := text_of(message))]
        (thread.held if thread.order else thread.entries).extend(texts)

    @apply.register
    def _ended(self, event: ConversationEnded) -> None:
        self._is_over = True

    @apply.register
    def _left(self, event: PlaybookLeft) -> None:
        self._threads.pop(event.frame, None)

    @apply.register
    def _spoke(self, event: EngineSpoke) -> None:
        if event.text:
            self._thread(event.frame).entries.append(AgentText(event.text))
