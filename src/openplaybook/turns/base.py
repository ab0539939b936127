"""What goes into a turn and what comes out, free of wire types. `services` translates both ways."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled import LlmSettings


@dataclass(frozen=True, slots=True)
class TextInput:
    """The user said something."""

    text: str


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


TurnInput: TypeAlias = TextInput | ToolResultInput


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One detectIntent, in the engine's words."""

    agent: str
    """Resource name of the agent."""
    session: str
    """Resource name of the session, `AGENT/sessions/ID`; the draft environment's paths are folded into it."""
    input: TurnInput
    language_code: str
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    """`queryParams.parameters`: merged into the session's."""
    payload: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    end_user_metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    current_playbook: str | None = None
    """Start at this playbook instead; the earlier state of the session is set aside."""
    session_ttl_s: float | None = None
    settings: LlmSettings = LlmSettings()
    request_key: str | None = None
    """Given by the client to make repeats safe; None: every request is new."""
    timeout_s: float = 60.0
    """Time until the caller gives up."""


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


Message: TypeAlias = TextMessage | ToolCallMessage


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One step of a turn as it is shown: derived from the journal, rendered by `services`.

    kind        data
    user        text
    agent       text
    model       model, input_tokens, output_tokens, attempts, evidence, error
    tool        call_id, tool, tool_display_name, action, arguments, output, error, note, exchanges
    playbook    playbook, playbook_display_name, arguments, output, state (a child playbook, from call to end)
    notice      code, message (a guard that fired, a result that does not fit its schema, …)
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


@dataclass(frozen=True, slots=True)
class PartialText:
    """Words of the agent while it is still speaking."""

    text: str


@dataclass(frozen=True, slots=True)
class PartialTrace:
    """A tool call has started (`end_us` 0) or ended."""

    event: TraceEvent


Partial: TypeAlias = PartialText | PartialTrace
