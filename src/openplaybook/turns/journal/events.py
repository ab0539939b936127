"""The kinds of events. A turn is its events: state, conversation and trace are all folds over them.

Each class with a `KIND` is one kind of row of the journal; `rows` gives its stored form. A field without a default
is always written, one with a default only where it differs, or `BESIDE` another that does: servers of earlier
versions, which may run side by side with this one, look for both.
"""

import time
from dataclasses import dataclass, field
from typing import ClassVar

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import DecisionFacts, DecisionFault, Entry, Usage
from openplaybook.resources.guardrails import GuardStage
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import TurnInput
from openplaybook.turns.journal.session_state import CallKind, PendingCall

BESIDE = "beside"
"""Of the metadata of a field: name of the one, standing before it, beside which it is always written."""


def now_us() -> int:
    """Microseconds since the epoch, UTC."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDecision:
    """A decision that a tool wanted of its model while it was called."""

    started: int
    at: int
    model: str
    usage: Usage
    attempts: int
    call: DecisionFacts
    error: DecisionFault | None = None
    """Where there was no reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a turn."""

    KIND: ClassVar[str]
    """Name of the kind in the store."""

    at: int = field(default_factory=now_us)
    """Microseconds since the epoch, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegun(Event):
    """A request is admitted: the first row of every turn, from which the turn can be recovered."""

    KIND = "begin"

    snapshot: str
    """Digest of the agent as it stands now."""
    input: TurnInput
    language_code: str
    parameters: JsonObject
    """That the request sets."""
    sealed: frozenset[str]
    """Names of those that are sealed."""
    payload: JsonObject
    metadata: JsonObject
    playbook: str
    """`currentPlaybook`; empty: the session goes on where it is."""
    settings: JsonObject
    """The request's model settings."""
    client_execution: bool | None
    """None: the agent decides."""
    removed: tuple[str, ...] = ()
    """Names of parameters that the request takes away."""
    search_config: JsonObject = field(default_factory=dict[str, JsonValue])
    entry_playbook: str = ""
    version: str = ""
    """Of the agent, where the request names one."""
    use_fakes: bool = False
    history: str = ""
    """Digest of what was said before, where the request brings it: what the session holds is set aside."""

    @property
    def sets_aside(self) -> bool:
        """Whether the request sets aside what its session held before."""
        return bool(self.playbook or self.history)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersDeclared(Event):
    """The session begins: parameters that have a value in the beginning."""

    KIND = "declared"

    parameters: JsonObject
    sealed: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEvent(Event):
    """Something that happened in a playbook."""

    frame: int
    """Of the playbook that it happened in, unique in the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRestored(FrameEvent):
    """The request brought what was said before."""

    KIND = "restored"

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserHeard(FrameEvent):
    """The user's words reach a playbook."""

    KIND = "heard"

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookEntered(FrameEvent):
    """A playbook is entered."""

    KIND = "push"

    playbook: str
    call: str
    """Id of the call that entered it; empty for the first."""
    inputs: JsonObject
    text: str
    """The words that led to it; empty for the first."""
    answers: bool = False
    """Whether its last words are the result of the call: no user hears them."""
    name: str = ""
    """Of one that answers its caller: the name it was called by."""
    tool: str = field(default="", metadata={BESIDE: "name"})
    """Of one that answers its caller: the tool of the call; empty for one of its playbooks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReplied(FrameEvent):
    """The model has decided."""

    KIND = "reply"

    started: int
    calls: tuple[PendingCall, ...]
    model: str
    usage: Usage
    attempts: int
    finish: str
    call: DecisionFacts
    text: str
    raw: JsonObject
    planner: JsonObject | None
    """The model's own state after the reply; None: as before."""
    evidence: JsonObject
    unheard: bool = False
    """Whether its words are for no user."""
    withheld: str | None = None
    """Words that nobody is told, as a guardrail fired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardrailFired(FrameEvent):
    """A guardrail has fired."""

    KIND = "guarded"

    stage: GuardStage
    guardrail: str
    display_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFaulted(FrameEvent):
    """The model gave no decision."""

    KIND = "fault"

    started: int
    model: str
    code: str
    message: str
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsIntended(Event):
    """Calls are about to be sent."""

    KIND = "intent"

    calls: tuple[str, ...]
    """Their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement(FrameEvent):
    """What a call came to."""

    call: str
    """Its id; of a call within another one, the id of that."""
    name: str
    tool: str
    action: str
    arguments: JsonObject
    started: int
    output: JsonValue
    """Of an error: `{"error": {"code", "message"}}`, with `output` where the other side answered something."""
    is_error: bool
    code: str
    note: str
    exchanges: tuple[Exchange, ...]
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """Session parameters that it sets; null takes one away."""
    sealed: frozenset[str] = field(default=frozenset(), metadata={BESIDE: "parameters"})
    """Names of those that are sealed."""

    @property
    def error_message(self) -> str:
        """Of an error: what went wrong."""
        return str(self.output["error"]["message"])

    @property
    def error_output(self) -> JsonObject | None:
        """Of an error: what the other side answered with it."""
        return self.output.get("output")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSettled(Settlement):
    """A call is settled."""

    KIND = "result"

    model_id: str
    kind: CallKind
    models: tuple[ToolDecision, ...] = ()
    """What the tool asked of its model."""
    signals: JsonObject = field(default_factory=dict[str, JsonValue])
    payloads: tuple[JsonObject, ...] = ()
    """Both as `Success` has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHanded(FrameEvent):
    """The client has to make a call after all: its fake left it open."""

    KIND = "handed"

    call: str
    tool: str
    action: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerCallIntended(FrameEvent):
    """A call is about to make another."""

    KIND = "inner"

    call: str
    """Id of the outer one."""
    position: int
    """In the outer one, from 1."""
    name: str
    tool: str
    action: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerCallSettled(Settlement):
    """A call that another one made is settled."""

    KIND = "inner_result"

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure(FrameEvent):
    """A playbook ends."""

    playbook: str
    outputs: JsonObject
    state: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookLeft(Departure):
    """A playbook is left; the one beneath it goes on."""

    KIND = "pop"

    call: str = ""
    """Of one that answers its caller: the id of the call."""
    name: str = ""
    tool: str = field(default="", metadata={BESIDE: "name"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEnded(Departure):
    """The conversation is over."""

    KIND = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerFired(FrameEvent):
    """A handler of a playbook has fired."""

    KIND = "handled"

    stage: str
    event: str
    handler: int
    """Its place among the playbook's."""
    condition: str
    call: str
    """Id of the call that it came before; empty where it came before none."""
    messages: tuple[JsonObject, ...]
    """ResponseMessages in JSON form."""
    parameters: JsonObject
    """That it sets; null takes one away."""
    sealed: frozenset[str]
    rests: bool
    """Whether the turn has its last word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookReplaced(FrameEvent):
    """A routine gives way to another; `frame` is the new one's."""

    KIND = "move"

    from_: int
    """Frame whose place it takes."""
    playbook: str
    call: str
    inputs: JsonObject
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSpoke(FrameEvent):
    """The engine itself speaks."""

    KIND = "say"

    text: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitLimited(Event):
    """The wait for the client is limited."""

    KIND = "pause"

    until: int
    """Microseconds since the epoch, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeGiven(FrameEvent):
    """Something worth knowing."""

    KIND = "notice"

    code: str
    message: str
    once: str = ""
    """What it is known by, where it is told once a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStopped(FrameEvent):
    """The turn is cut short after it had acted."""

    KIND = "stop"

    input: TurnInput
    code: str
    message: str
