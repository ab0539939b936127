"""What goes into a turn and what comes out, free of wire types. `services` translates both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import DecisionFacts, Entry, Usage
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.tools.base import Exchange


@dataclass(frozen=True, slots=True)
class TextInput:
    """The user said something."""

    text: str


@dataclass(frozen=True, slots=True)
class EventInput:
    """Something happened that a handler of the playbook may want to know."""

    event: str
    """Its name, such as `sys.no-input-default`."""


@dataclass(frozen=True, slots=True)
class ToolResultInput:
    """The client ran a call that the session waits for."""

    tool: str
    """Resource name of the tool."""
    action: str
    call_id: str = ""
    """Our call id when the client repeated it; empty: matched by tool and action, oldest first."""
    output: JsonObject | None = None
    error: str | None = None
    """The client's error message; exactly one of `output` and `error` is given."""


@dataclass(frozen=True, slots=True)
class ToolResultsInput:
    """The client ran one or more of the calls that the session waits for; the others stay open."""

    results: tuple[ToolResultInput, ...]
    """At least one. `tool` and `action` may be empty where `call_id` is given."""


@dataclass(frozen=True, slots=True)
class NoInput:
    """Nothing was said: the request only sets parameters, and nobody answers."""


TurnInput: TypeAlias = TextInput | EventInput | ToolResultInput | ToolResultsInput | NoInput


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that a request brings into its session."""

    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One detectIntent, in the engine's words."""

    agent: str
    """Resource name of the agent."""
    session: str
    """Resource name of the session, `AGENT/sessions/ID`; the draft environment's paths are folded into it."""
    input: TurnInput
    language_code: str
    """Empty: the agent's default."""
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    """`queryParams.parameters`: merged into the session's."""
    removed: frozenset[str] = frozenset()
    """Names of session parameters to take away."""
    payload: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """`queryParams.payload`, in which files stand by their handles."""
    files: Sequence[GivenFile] = ()
    """Those files."""
    end_user_metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    current_playbook: str | None = None
    """Start at this playbook instead; the earlier state of the session is set aside."""
    session_ttl_s: float | None = None
    settings: LlmSettings = LlmSettings()
    request_key: str | None = None
    """Given by the client to make repeats safe; None: its input tells whether it repeats itself, see `BeginTurn`."""
    timeout_s: float = 60.0
    """Time until the caller gives up."""
    trace_parent: str = ""
    """The caller's `traceparent` (W3C Trace Context): the turn's spans stand beneath it."""
    version: str = ""
    """Resource name of the app's version to run; empty: the app, or agent, as it stands now."""
    entry_playbook: str | None = None
    """Start here instead of at the start playbook, where the session has not begun; else nothing."""
    history: Sequence[Entry] = ()
    """What was said before, to go on from: not empty, it takes the place of all that the session holds."""
    use_tool_fakes: bool = False
    """Whether tools answer with their fakes, where they have one."""
    client_execution: bool | None = None
    """Whether every tool call of this turn, from here until it ends, is handed to the client
    (`playbookExecutionMode: ALWAYS_CLIENT_EXECUTION`); None: as the turn's earlier requests say, else the agent."""
    search_config: JsonObject = field(default_factory=dict[str, JsonValue])
    """`queryParams.searchConfig` in JSON form: boosts and filters of data stores, for this request alone."""


@dataclass(frozen=True, slots=True)
class TextMessage:
    """Words for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallMessage:
    """A call the client has to run; the session waits for its result."""

    id: str
    tool: str
    """Resource name."""
    action: str
    arguments: JsonObject
    """As the client needs them to make the call."""


@dataclass(frozen=True, slots=True)
class RichMessage:
    """Anything else a ResponseMessage of Google's may say: a payload, a hand-off, the end of the interaction."""

    content: JsonObject
    """The ResponseMessage in JSON form, such as `{"liveAgentHandoff": {"metadata": {…}}}`."""


Message: TypeAlias = TextMessage | ToolCallMessage | RichMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFault:
    """Why there is no decision, or why a call failed."""

    code: str
    message: str

    def to_json(self) -> JsonObject:
        """`code` and `message`, as clients are shown them."""
        return {"code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a turn as it is shown: derived from the journal, rendered by `services`."""

    KIND: ClassVar[str]
    """Name of the kind in spans."""

    playbook: str
    """Resource name of the playbook it happened in, or that it enters or leaves."""
    playbook_display_name: str
    frame: int
    """Frame it happened in; unique in the session."""
    start_us: int
    end_us: int
    """0: it still waits."""
    turn: int = 0
    within: str = field(default="", kw_only=True)
    """Id of the call that asked for it, which is told after it; empty for what no call asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStep(TraceStep):
    """Words of the user."""

    KIND = "user"

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStep(TraceStep):
    """Words of the agent."""

    KIND = "agent"

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """A call that a decision asked for."""

    id: str
    name: str
    """As the model calls the function."""
    tool: str
    """Resource name; empty where it is no tool's."""
    action: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStep(TraceStep):
    """A decision."""

    KIND = "model"

    model: str
    usage: Usage
    attempts: int
    facts: DecisionFacts
    evidence: JsonObject = field(default_factory=dict[str, JsonValue])
    """Why it was taken."""
    error: StepFault | None = None
    text: str = ""
    """Its words."""
    calls: tuple[AskedCall, ...] = ()
    prompt: str = ""
    """What its prompt, if it has one, is kept by beneath the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep(TraceStep):
    """A tool call."""

    KIND = "tool"

    call_id: str
    tool: str
    """Resource name."""
    tool_display_name: str
    """Empty where the agent has no such tool."""
    action: str
    arguments: JsonObject
    output: JsonValue = None
    """Beside an error: what the other side answered."""
    error: StepFault | None = None
    note: str = ""
    exchanges: tuple[Exchange, ...] = ()
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """Session parameters that it set, secret ones left out; null for those taken away."""
    is_client: bool = False
    """Whether it is the client's result of a call."""
    signals: JsonObject = field(default_factory=dict[str, JsonValue])
    """How an answer from data stores came about (`DataStoreConnectionSignals`, JSON form)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookStep(TraceStep):
    """A playbook that another one called is entered or left."""

    KIND = "playbook"

    call_id: str = ""
    """Of one that is called like a function; so are `name` and `tool`, those of the call."""
    name: str = ""
    tool: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryStep(PlaybookStep):
    """It is entered."""

    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureStep(PlaybookStep):
    """It is left; also the playbook that ended the conversation."""

    output: JsonObject
    state: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionStep(TraceStep):
    """A routine gave way to this playbook."""

    KIND = "transition"

    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerStep(TraceStep):
    """A handler fired."""

    KIND = "handler"

    stage: str
    event: str
    handler: int
    """Its place among the playbook's."""
    condition: str
    call_id: str
    """Of the call that it came before; empty where it came before none."""
    messages: int
    """How many it said."""
    parameters: tuple[str, ...]
    """Names of those that it set, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeStep(TraceStep):
    """A limit that was reached, a result that does not fit its schema, a guardrail that fired (code GUARDRAIL), …"""

    KIND = "notice"

    code: str
    message: str
    guardrail: str | None = None
    """Display name of the guardrail that fired."""
    stage: str = ""
    """What it fired on: `input` or `response`."""


TraceMoment: TypeAlias = AgentStep | PlaybookStep | TransitionStep
"""What listeners are told of while a turn runs."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to: an answer, or a pause when a message is a `ToolCallMessage`."""

    response_id: str
    messages: tuple[Message, ...]
    parameters: JsonObject
    """Session parameters after the turn, secret ones left out."""
    current_playbook: str
    """Resource name of the playbook on top."""
    current_playbook_display_name: str
    query_text: str
    """The user's words; empty for a tool result."""
    language_code: str
    trace: tuple[TraceStep, ...]
    paused: bool
    turn: int = 0
    """Number of the turn in its session."""
    ended: JsonObject | None = None
    """Where the conversation is over: what the function that ended it was called with."""
    index: int = 0
    """Which of the conversation's turns it is, counted from 1; unlike numbers, refused requests leave no gap."""
    event: str = ""
    """Name of the event that the turn began with; empty for other input."""
    takes_feedback: bool = False
    """Whether users are to be asked how good the answer is (`AnswerFeedbackSettings`)."""


@dataclass(frozen=True, slots=True)
class PartialText:
    """Words of the agent while it is still speaking."""

    text: str
    index: int = 0
    """Which of the conversation's turns says it, as in `TurnResult`; 0 until it is told."""
    reply: int = 0
    """Which of the turn's replies it is a piece of, counted from 1; 0 until it is told."""
    playbook: str = ""
    """Resource name of the playbook that speaks."""
    playbook_display_name: str = ""


@dataclass(frozen=True, slots=True)
class PartialTrace:
    """A tool call has started (`end_us` 0) or ended."""

    step: ToolStep


@dataclass(frozen=True, slots=True)
class PartialMoment:
    """A reply is complete (an `AgentStep` with all its words), or the conversation passed to another playbook."""

    step: TraceMoment
    index: int = 0
    """As in `PartialText`."""
    reply: int = 0
    """Number of the reply that is complete; of a handover, how many replies came before it."""


Partial: TypeAlias = PartialText | PartialTrace | PartialMoment
