"""The `Tool` port: what a tool offers, what a call is, what comes back.

A tool kind is one package that implements `Tool` and a builder, plus one line in `tools.kind_registry`.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Entry, Model, PlainForm
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.telemetry.own_paths import without_own_paths


class ExecutionPlace(Enum):
    """Where an action runs."""

    SERVER = "SERVER"
    CLIENT = "CLIENT"


def _undeclared() -> JsonObject | None:
    return None


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the model may call."""

    name: str
    """Model-facing name, unique within its tool, `[A-Za-z0-9_-]{1,64}`."""
    action: str
    """The action's own name on the wire and in examples: an operationId, or the tool's display name."""
    tool: str
    """Resource name of the tool."""
    tool_display_name: str
    description: str
    input_schema: JsonObject
    """JSON Schema (2020-12) of an object, as the model sees it: injected values are not in it."""
    declared_output: Callable[[], JsonObject | None] = field(default=_undeclared, compare=False, repr=False)
    """Gives the output schema: large, and most models never read it."""
    for_session: Callable[[Mapping[str, JsonValue], Mapping[str, JsonValue]], JsonObject] | None = field(
        default=None, compare=False, repr=False
    )
    """Gives the input schema for a session with these parameters and this payload: what they fill in is not in it.
    None where they fill nothing in."""
    complete_schema: Callable[[], JsonObject] | None = field(default=None, compare=False, repr=False)
    """Gives the schema of the arguments with all that the session, the payload or a default may fill in; None where
    nothing is filled in."""
    claims: Callable[[str], JsonObject | None] | None = field(default=None, compare=False, repr=False)
    """Gives the arguments for words of a user that are a task for this action as they stand, such as `4 + 4`; None for
    all others. For models that plan without understanding."""
    as_question: Callable[[str], JsonObject] | None = field(default=None, compare=False, repr=False)
    """Gives the arguments for a question in a user's words; None where the action takes no questions. For such models,
    too."""
    plain: PlainForm | None = field(default=None, compare=False, repr=False)
    """A simpler form of the arguments, for such models, too."""
    place: ExecutionPlace = ExecutionPlace.SERVER
    is_read_only: bool = False
    """Whether taking it changes nothing anywhere: a safe HTTP method (RFC 9110, section 9.2.1), a search, code without
    reach, a function that is declared so. What changes something is only asked for when the user plainly wants it."""
    safe_to_repeat: bool = False
    """Whether doing it twice is as good as once (an idempotent HTTP method)."""
    method: str = ""
    """HTTP method, of an operation of an OpenAPI document; so is `path`, its path."""
    path: str = ""
    has_fake: bool = False
    """Whether a fake answers it where the conversation asks for fakes: then the server takes it, wherever it runs
    otherwise."""

    @property
    def output_schema(self) -> JsonObject | None:
        """JSON Schema (2020-12) of the output object; None when none is declared."""
        return self.declared_output()


@dataclass(frozen=True, slots=True)
class Call:
    """An action to be taken, with the model's arguments."""

    id: str
    """Ours; unique in the session."""
    action: Action
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Success:
    """The action was taken."""

    output: JsonObject
    """The output object: `{"200": body}` for an OpenAPI call, the result itself for a function."""
    note: str = ""
    """What was left out of a large answer; empty when nothing was."""
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """Session parameters that the action has set; null takes one away."""
    signals: JsonObject = field(default_factory=dict[str, JsonValue])
    """How an answer came about, for clients that ask: `DataStoreConnectionSignals` of Dialogflow CX in JSON form, and
    `searchConfig` as it was used. Empty for tools that search nothing."""
    payloads: tuple[JsonObject, ...] = ()
    """What the response shows after the agent's words: payloads of response messages."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The action was not taken, or the other side says it failed. The model reads the message."""

    code: str
    """Machine-readable, such as INVALID_ARGUMENTS, TIMEOUT, CONNECTION_FAILED, HTTP_ERROR, NOT_JSON."""
    message: str
    """A sentence that says what was wrong, where, and what is allowed; holds no secret."""
    output: JsonObject | None = None
    """What the other side answered, where it did: `{"404": body}`."""

    def __post_init__(self) -> None:
        """Whoever reads the message, a model or a caller, is not told of files of the server."""
        object.__setattr__(self, "message", without_own_paths(self.message))


CLIENT_SIDE = "CLIENT_SIDE"
"""Code of a failure: nobody but the client can take the action."""


@dataclass(frozen=True, slots=True)
class InDoubt:
    """Whether the action was taken cannot be known, and taking it again is not safe."""

    message: str


Outcome: TypeAlias = Success | Failure | InDoubt


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a conversation."""

    handle: str
    """Resource name, `…/sessions/S/files/F`: how the model and clients refer to it."""
    name: str
    """File name."""
    media_type: str
    data: bytes = field(repr=False)


class Files(Protocol):
    """Keeps the files of one conversation."""

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Keep a file; equal bytes under an equal name are kept once."""
        ...

    async def get(self, handle: str) -> StoredFile | None:
        """The file of a handle, as `put` gave it; None when the conversation has no such file."""
        ...

    async def newest(self, most_bytes: int) -> Sequence[StoredFile]:
        """The conversation's files, newest first, as many as have no more than so many bytes together."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request a tool sent and what it got, for the trace. Secrets are masked before they come here."""

    method: str
    url: str
    request_headers: Mapping[str, str]
    request_body: str
    status: int
    """0 when there was no answer."""
    response_headers: Mapping[str, str]
    response_body: str
    """Cut to a trace budget."""
    elapsed_ms: float
    error: str = ""
    response_file: str = ""
    """Handle of the whole body, where it was cut."""
    attempts: int = 1

    def shown(self) -> "Exchange":
        """Itself: nothing is left to mask."""
        return self


class RawExchange(Protocol):
    """A request that was sent and what it got, still as they were: whoever tells of it reads `shown`."""

    def shown(self) -> Exchange:
        """Its masked and cut form."""
        ...


@dataclass(frozen=True, slots=True)
class EarlierCall:
    """A call of the conversation that has been settled, as the calling playbook knows of it."""

    tool_display_name: str
    action: str
    arguments: JsonObject
    output: JsonValue
    is_error: bool = False


class Diverged(Exception):
    """A call was made again after a crash, and asks for other calls than it did the first time: whether what the first
    one asked for still holds cannot be known. The message says where they part."""


@dataclass(slots=True)
class ToolContext:
    """What a call may know of the conversation it is made in."""

    session_id: str
    """The bare id, the last segment of the session's name."""
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    """Session parameters."""
    secrets: Sequence[str] = field(default=(), repr=False)
    """Texts among them that are secret, whatever the tool does with them."""
    secret_parameters: Collection[str] = frozenset()
    """Names of those that are secret: no client is shown them."""
    payload: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """The request's `queryParams.payload`."""
    end_user_metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    timeout_s: float = 60.0
    """Time left for this call."""
    idempotency_key: str = ""
    call: Callable[[str, JsonObject], Awaitable[Outcome]] | None = None
    """Calls another action by its model-facing name through the engine, journaled like any other call; calls are made
    one after the other. When the call that makes them is made again after a crash, those that were settled are
    answered from the journal, by their position, their name and their arguments. Raises `Diverged`."""
    callable: Sequence[str] = ()
    """Model-facing names that `call` takes."""
    model: Model | None = None
    """The model of the calling playbook, for tools that need one; None where none that writes is configured."""
    earlier: Callable[[], Sequence[EarlierCall]] = tuple
    """The conversation's settled calls, oldest first."""
    exchanged: list[RawExchange] = field(default_factory=list[RawExchange])
    """The tool adds what it sent and got, in order."""
    files: Files | None = None
    """Files of the conversation; None where there is no conversation that could keep any."""
    session: str = ""
    """The session's resource name; empty where there is no conversation."""
    call_id: str = ""
    """Id of this call in the conversation."""
    turn_id: str = ""
    """Id of the turn, the same for all its calls."""
    playbook: str = ""
    """Display name of the calling playbook."""
    user_text: str = ""
    """The user's latest words."""
    use_fakes: bool = False
    """Whether tools answer with their fakes, where they have one (CX Agent Studio's `use_tool_fakes`)."""
    conversation: Callable[[], Sequence[Entry]] = tuple
    """The latest words of the user and the agent, oldest first; none where there is no conversation."""
    language_code: str = ""
    """Of the conversation; empty where it is not known."""
    search_config: JsonObject = field(default_factory=dict[str, JsonValue])
    """The request's `queryParams.searchConfig` (Dialogflow CX, JSON form)."""
    banned: Sequence[BannedTexts] = ()
    """Phrases that neither what a tool is asked nor what it answers may have in it."""
    model_named: Callable[[str], tuple[Model | None, bool]] | None = None
    """For tools that choose a model: gives the one that the server has under a name, and whether it has none, so that
    the playbook's stands in. None in the place of a model that writes nothing."""

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """What the tool sent and got, for people and journals to read; rendered anew at each use."""
        return [each.shown() for each in self.exchanged]


class Tool(Protocol):
    """A compiled tool: immutable, shared by all sessions that use it. Kinds inherit from it what they do not say."""

    is_live: bool = False
    """Whether another system says what its actions take, so that `described` says more than `actions`."""

    async def described(self, context: ToolContext) -> Sequence[Action]:
        """The actions as whoever is in the session can take them: the same, in the same order, with the inputs and
        outputs that another system has for them now. Never raises for what that does wrong."""
        return self.actions()

    def actions(self) -> Sequence[Action]:
        """What the model may call, in the tool's own order."""
        ...

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Check the arguments, take the action, say what came of it. Never raises for what a caller or the
        other side did wrong; only for faults of our own. Client-side actions are never invoked."""
        ...

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """The arguments for a client that makes a call of ours itself: what the session and the defaults give is put
        in, all but what is secret. A failure where `invoke` would refuse the arguments; it reads as there."""
        ...

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with a result that the client gave, against the output schema; empty when it fits."""
        ...

    async def rehearse(self, call: Call, context: ToolContext) -> Failure | None:
        """Why `invoke` would refuse the call, as far as it says before it acts; what it would send goes on record in
        the context, as not sent."""
        checked = await self.client_arguments(call, context)
        return checked if isinstance(checked, Failure) else None

    def fault(self) -> str:
        """Why no call of it can be taken here, where that is known before any is made; else empty."""
        return ""


@dataclass(frozen=True, slots=True)
class AgentScope:
    """What a tool has from the agent it belongs to."""

    client_certificate: JsonObject = field(default_factory=dict[str, JsonValue])
    """v3beta1 `Agent.ClientCertificateSettings`, JSON form; empty when the agent has none."""


NO_AGENT = AgentScope()


class ToolBuilder(Protocol):
    """Turns a stored tool into one that can be called; `tools.toolbox.Toolbox` is the real one."""

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """Compile a tool from its stored v3beta1 JSON. Raises `InvalidTool`."""
        ...


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a tool's definition."""

    path: str
    """JSON path in the tool resource or in the document it holds, such as `$.paths./pets.get`."""
    message: str
    line: int | None = None
    """Line in the document, counted from 1, where known."""
    is_error: bool = True
    """False for a remark that leaves the tool usable."""


class InvalidTool(Exception):
    """A tool's definition cannot be used; it holds every problem found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)
