"""From events to the conversation that each playbook of a session has seen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch

from openplaybook.models.base import (
    AgentText,
    Entry,
    FunctionCall,
    FunctionResult,
    ProviderReply,
    UserText,
)
from openplaybook.resources.guardrails import GuardStage
from openplaybook.turns.journal.events import (
    CallSettled,
    ConversationEnded,
    EngineSpoke,
    Event,
    GuardrailFired,
    HandlerFired,
    HistoryRestored,
    ModelReplied,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    TurnBegun,
    UserHeard,
)
from openplaybook.turns.journal.journal_messages import text_of

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
        self.threads: dict[int, _Thread] = {}
        self.is_over = False

    def apply(self, event: Event) -> None:
        """Add what `event` brings; kinds without words are passed over."""
        _add(event, self)

    def conversation(self, frame: int) -> Sequence[Entry | ProviderReply]:
        """All that the frame has seen, oldest first."""
        return self.thread(frame).entries

    def spoken(self, frame: int, limit: int) -> tuple[Entry, ...]:
        """The latest `limit` utterances of a frame and of those whose place it took, calls and results left out."""
        words: list[Entry] = []
        while frame and len(words) < limit:
            thread = self.thread(frame)
            own = thread.entries[1:] if thread.repeats and thread.before else thread.entries
            words = [*(entry for entry in own if isinstance(entry, UserText | AgentText)), *words]
            frame = thread.before
        return tuple(words[-limit:])

    def last_user_text(self, frame: int) -> str:
        """The user's latest words in a frame; empty when there are none."""
        for entry in reversed(self.thread(frame).entries):
            if isinstance(entry, UserText):
                return entry.text
        return ""

    def thread(self, frame: int) -> _Thread:
        """The conversation of a frame as it grows."""
        thread = self.threads.get(frame)
        if thread is None:
            thread = self.threads[frame] = _Thread()
        return thread


@singledispatch
def _add(event: Event, transcript: Transcript) -> None:
    """Add to a transcript what an event brings."""


@_add.register
def _begun(event: TurnBegun, transcript: Transcript) -> None:
    if event.sets_aside or transcript.is_over:
        transcript.threads.clear()
    transcript.is_over = False


@_add.register
def _restored(event: HistoryRestored, transcript: Transcript) -> None:
    transcript.thread(event.frame).entries.extend(event.entries)


@_add.register
def _heard(event: UserHeard, transcript: Transcript) -> None:
    transcript.thread(event.frame).entries.append(UserText(event.text))


@_add.register
def _entered(event: PlaybookEntered, transcript: Transcript) -> None:
    # A called playbook has to answer the words that led to it.
    if event.text:
        transcript.thread(event.frame).entries.append(UserText(event.text))


@_add.register
def _replaced(event: PlaybookReplaced, transcript: Transcript) -> None:
    thread = transcript.thread(event.frame)
    thread.before, thread.repeats = event.from_, bool(event.text)
    if event.text:
        thread.entries.append(UserText(event.text))


@_add.register
def _guarded(event: GuardrailFired, transcript: Transcript) -> None:
    """Words that a guardrail let nobody answer are not shown to a model again."""
    entries = transcript.thread(event.frame).entries
    if event.stage is GuardStage.INPUT and entries and isinstance(entries[-1], UserText):
        entries[-1] = WITHHELD


@_add.register
def _replied(event: ModelReplied, transcript: Transcript) -> None:
    thread = transcript.thread(event.frame)
    if event.raw:
        thread.entries.append(ProviderReply(event.model, event.raw))
    if event.text:
        thread.entries.append(AgentText(event.text))
    thread.entries.extend(FunctionCall(call.model_id, call.name, call.arguments) for call in event.calls)
    thread.order = [call.id for call in event.calls]
    thread.results = {}


@_add.register
def _settled(event: CallSettled, transcript: Transcript) -> None:
    thread = transcript.thread(event.frame)
    thread.results[event.call] = FunctionResult(event.model_id, event.name, event.output, event.is_error)
    if all(call in thread.results for call in thread.order):
        thread.entries.extend(thread.results[call] for call in thread.order)
        thread.entries.extend(thread.held)
        thread.order, thread.results, thread.held = [], {}, []


@_add.register
def _handler_fired(event: HandlerFired, transcript: Transcript) -> None:
    thread = transcript.thread(event.frame)
    texts = [AgentText(text) for message in event.messages if (text := text_of(message))]
    (thread.held if thread.order else thread.entries).extend(texts)


@_add.register
def _ended(event: ConversationEnded, transcript: Transcript) -> None:
    transcript.is_over = True


@_add.register
def _left(event: PlaybookLeft, transcript: Transcript) -> None:
    transcript.threads.pop(event.frame, None)


@_add.register
def _spoke(event: EngineSpoke, transcript: Transcript) -> None:
    if event.text:
        transcript.thread(event.frame).entries.append(AgentText(event.text))
