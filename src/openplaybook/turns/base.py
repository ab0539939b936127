"""What goes into a turn and what comes out, free of wire types. `services` translates both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Entry
from openplaybook.resources.compiled import LlmSettings


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


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One step of a turn as it is shown: derived from the journal, rendered by `services`.

    kind        data
    user        text
    agent       text
    model       model, input_tokens, output_tokens, attempts, evidence, call (see `reply_facts`), error; within (id of
                the call whose tool asked)
    tool        call_id, tool, tool_display_name, action, arguments, output, error, note, exchanges; within (id of the
                call that made this one; it is told before that); parameters (session parameters that it set, null for
                those taken away, secret ones left out; where it set any)
    playbook    playbook, playbook_display_name, arguments, output, state, summary (a child playbook, from call to end;
                also the playbook that ended the conversation); of one that is called like a function, call_id, name
                and tool of the call
    transition  playbook, playbook_display_name, arguments (a routine gave way to another playbook)
    handler     stage, event, handler, condition, call, messages, parameters (names of those it set)
    notice      code, message (a limit that was reached, a result that does not fit its schema, …); of a guardrail
                that fired (code GUARDRAIL) its display name as guardrail, and stage, `input` or `response`
    """

    kind: str
    playbook: str
    """Resource name of the playbook it happened in."""
    playbook_display_name: str
    frame: int
    """Frame it happened in; unique in the session."""
    start_us: int
    end_us: int
    data: JsonObject
    turn: int = 0


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
    trace: tuple[TraceEvent, ...]
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

    event: TraceEvent


@dataclass(frozen=True, slots=True)
class PartialMoment:
    """A reply is complete (kind `agent`, with all its words), or the conversation passed to another playbook."""

    event: TraceEvent
    index: int = 0
    """As in `PartialText`."""
    reply: int = 0
    """Number of the reply that is complete; of a handover, how many replies came before it."""


Partial: TypeAlias = PartialText | PartialTrace | PartialMoment
