"""From events to the conversation that each playbook of a session has seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import (
    AgentText,
    Entry,
    FunctionCall,
    FunctionResult,
    ProviderReply,
    UserText,
)
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.messages import entry_of, text_of

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
        self._take: dict[str, Callable[[JsonObject], None]] = {
            events.BEGIN: self._begin,
            events.RESTORED: self._restored,
            events.HEARD: self._heard,
            events.PUSH: self._push,
            events.REPLY: self._reply,
            events.GUARDED: self._guarded,
            events.RESULT: self._result,
            events.POP: self._pop,
            events.HANDLED: self._handled,
            events.MOVE: self._move,
            events.END: self._end,
            events.SAY: self._say,
        }

    def apply(self, event: Event) -> None:
        """Add what `event` brings; kinds without words are passed over."""
        take = self._take.get(event.kind)
        if take is not None:
            take(event.data)

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

    def _begin(self, data: JsonObject) -> None:
        if data["playbook"] or data.get("history") or self._is_over:
            self._threads.clear()
        self._is_over = False

    def _restored(self, data: JsonObject) -> None:
        self._thread(data["frame"]).entries.extend(map(entry_of, data["entries"]))

    def _heard(self, data: JsonObject) -> None:
        self._thread(data["frame"]).entries.append(UserText(data["text"]))

    def _push(self, data: JsonObject) -> None:
        # A called playbook has to answer the words that led to it.
        if data["text"]:
            self._thread(data["frame"]).entries.append(UserText(data["text"]))

    def _move(self, data: JsonObject) -> None:
        thread = self._thread(data["frame"])
        thread.before, thread.repeats = data["from"], bool(data["text"])
        self._push(data)

    def _guarded(self, data: JsonObject) -> None:
        """Words that a guardrail let nobody answer are not shown to a model again."""
        entries = self._thread(data["frame"]).entries
        if data["stage"] == events.INPUT and entries and isinstance(entries[-1], UserText):
            entries[-1] = WITHHELD

    def _reply(self, data: JsonObject) -> None:
        thread = self._thread(data["frame"])
        if data["raw"]:
            thread.entries.append(ProviderReply(data["model"], data["raw"]))
        if data["text"]:
            thread.entries.append(AgentText(data["text"]))
        thread.entries.extend(FunctionCall(call["modelId"], call["name"], call["arguments"]) for call in data["calls"])
        thread.order = [call["id"] for call in data["calls"]]
        thread.results = {}

    def _result(self, data: JsonObject) -> None:
        thread = self._thread(data["frame"])
        thread.results[data["call"]] = FunctionResult(data["modelId"], data["name"], data["output"], data["isError"])
        if all(call in thread.results for call in thread.order):
            thread.entries.extend(thread.results[call] for call in thread.order)
            thread.entries.extend(thread.held)
            thread.order, thread.results, thread.held = [], {}, []

    def _handled(self, data: JsonObject) -> None:
        thread = self._thread(data["frame"])
        texts = [AgentText(text) for message in data["messages"] if (text := text_of(message))]
        (thread.held if thread.order else thread.entries).extend(texts)

    def _end(self, data: JsonObject) -> None:
        self._is_over = True

    def _pop(self, data: JsonObject) -> None:
        self._threads.pop(data["frame"], None)

    def _say(self, data: JsonObject) -> None:
        if data["text"]:
            self._thread(data["frame"]).entries.append(AgentText(data["text"]))
