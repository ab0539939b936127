"""The `Model` port: what the turn engine asks of whatever decides the next step.

A `ModelTurn` is structured; only adapters render text from it. No provider type crosses this port.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled_forms import InstructionStep, LlmSettings, ParameterDefinition


class DeclarationKind(Enum):
    """What a declared function does when the model calls it."""

    TOOL = "TOOL"
    PLAYBOOK = "PLAYBOOK"
    END = "END"
    """Ends the current playbook and hands its output parameters back."""
    CLOSE = "CLOSE"
    """Ends the conversation."""


class Effect(Enum):
    """What calling a declared function does to the world."""

    READS = "READS"
    """It changes nothing anywhere."""
    CHANGES = "CHANGES"
    """It may change something, and nobody is asked again."""
    CLIENT = "CLIENT"
    """The client carries it out, and decides whether it does."""


@dataclass(frozen=True, slots=True)
class PlainForm:
    """A simpler form of a function's arguments, each a value that words may have, in place of those that take a
    language, such as a condition."""

    schema: JsonObject
    """JSON Schema (2020-12) of an object."""
    arguments: Callable[[JsonObject], JsonObject]
    """Gives the function's arguments for values of this form."""
    values: Callable[[JsonObject], JsonObject]
    """Gives the values for arguments; what has no place in this form stays as it is."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One function the model may call."""

    name: str
    """Unique in the turn, matches `[A-Za-z0-9_-]{1,64}`."""
    description: str
    input_schema: JsonObject
    """JSON Schema (2020-12) of an object: what the model has to give; injected values are not in it."""
    output_schema: JsonObject | None
    kind: DeclarationKind
    reference: str
    """Display name of the tool or playbook, as `${TOOL: …}` in the instructions writes it."""
    action: str = ""
    """The tool's own name of the action (an operationId), as examples write it."""
    claims: Callable[[str], JsonObject | None] | None = field(default=None, compare=False, repr=False)
    """Gives the arguments for words of a user that are a task for this function as they stand; None for all others."""
    as_question: Callable[[str], JsonObject] | None = field(default=None, compare=False, repr=False)
    """Gives the arguments for a question in a user's words; None where the function takes no questions."""
    plain: PlainForm | None = field(default=None, compare=False, repr=False)
    """For models that plan without understanding; None where the arguments are plain already."""
    effect: Effect = Effect.CHANGES
    """For tools; a playbook that is gone to, or an end, changes nothing by itself."""


@dataclass(frozen=True, slots=True)
class UserText:
    """Words of the user."""

    text: str


@dataclass(frozen=True, slots=True)
class AgentText:
    """Words the agent said before."""

    text: str


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call the model asked for earlier."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class FunctionResult:
    """What a call gave: data from outside, never instructions."""

    id: str
    name: str
    output: JsonValue
    is_error: bool = False


Entry: TypeAlias = UserText | AgentText | FunctionCall | FunctionResult


@dataclass(frozen=True, slots=True)
class ProviderReply:
    """A raw reply of this model from earlier in the conversation, kept so that what the provider needs
    back (such as thought signatures) reaches it again. Stands directly before the entries it produced."""

    model: str
    raw: JsonObject


@dataclass(frozen=True, slots=True)
class ExampleDialogue:
    """An example that may steer the model, tool names already mapped to declarations."""

    display_name: str
    entries: tuple[Entry, ...]
    end_state: str = ""
    inputs: JsonObject = field(default_factory=dict[str, object])
    outputs: JsonObject = field(default_factory=dict[str, object])
    summary: str = ""
    """Preceding conversation summary."""
    execution_summary: str = ""
    """What the playbook reports of what it did."""
    is_static: bool = False
    """Shown always, before those chosen by relevance."""


@dataclass(slots=True)
class ProviderExchange:
    """What a decision sent to a provider and what came back, as texts; of several attempts the last. Adapters that send
    something fill it in. Neither holds headers or keys."""

    request: bytes = field(default=b"", repr=False)
    reply: bytes = field(default=b"", repr=False)
    """Of a stream, the message that its pieces add up to, as far as it came."""


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """Everything a model gets for one decision.

    The order of the fields is the order of Dialogflow's documented prompt: declarations, goal and
    instructions, examples, conversation.
    """

    playbook: str
    """Display name."""
    declarations: tuple[Declaration, ...]
    goal: str
    instructions: tuple[InstructionStep, ...]
    examples: tuple[ExampleDialogue, ...]
    """All usable examples of the playbook in stored order; an adapter selects by its budget."""
    conversation: tuple[Entry | ProviderReply, ...]
    language_code: str
    inputs: JsonObject = field(default_factory=dict[str, object])
    """Values of the playbook's input parameters."""
    parameters: JsonObject = field(default_factory=dict[str, object])
    """Session parameters, secret ones left out."""
    input_definitions: tuple[ParameterDefinition, ...] = ()
    output_definitions: tuple[ParameterDefinition, ...] = ()
    preceding_conversation: tuple[Entry, ...] = ()
    """What was said before this playbook was called: context, not to be answered again."""
    end_user_metadata: JsonObject = field(default_factory=dict[str, object])
    files: tuple[str, ...] = ()
    """Names of the files that came with the latest words; tools have them."""
    settings: LlmSettings = LlmSettings()
    planner_state: JsonObject = field(default_factory=dict[str, object])
    """Whatever the model left in `ModelReply.planner_state` last time in this playbook; kept in the session."""
    timeout_s: float = 60.0
    exchange: ProviderExchange | None = field(default=None, compare=False, repr=False)
    """To be filled in; None where nobody wants to know."""

    def tell_sent(self, request: bytes) -> None:
        """An adapter sends this to its provider."""
        if self.exchange is not None:
            self.exchange.request, self.exchange.reply = request, b""

    def tell_received(self, reply: bytes) -> None:
        """This is what came back."""
        if self.exchange is not None:
            self.exchange.reply = reply


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A call the model asks for now."""

    id: str
    """The provider's id, or one the adapter made; unique within the reply."""
    name: str
    """As the model wrote it: may name no declaration."""
    arguments: JsonValue
    """An object when well-formed; else the raw text, which the engine reports back to the model."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call; 0 where the provider does not tell."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of the input, those that the provider had kept from an earlier request."""
    reasoning_tokens: int = 0
    """Of the output, those that nobody is shown."""


@dataclass(frozen=True, slots=True)
class ReplyOrigin:
    """Where a reply comes from, as far as the provider tells."""

    response_id: str = ""
    model: str = ""
    """The provider's own name of what answered."""
    url: str = ""
    """Of the provider, without user part and query."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One decision: words for the user, calls, or both."""

    text: str
    calls: tuple[RequestedCall, ...]
    model: str
    """The model that answered, for the trace."""
    usage: Usage = Usage()
    finish_reason: str = ""
    raw: JsonObject = field(default_factory=dict[str, object])
    """Provider extras to be given back in `ProviderReply`; empty where none are needed."""
    planner_state: JsonObject | None = None
    """New planner state, or None to leave it."""
    evidence: JsonObject = field(default_factory=dict[str, object])
    """Why the decision was taken, for the trace."""
    attempts: int = 1
    """Requests made to the provider for this decision."""
    origin: ReplyOrigin = ReplyOrigin()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFacts:
    """What a decision was asked for and where its reply came from; what is not known has its default."""

    temperature: float | None = None
    max_tokens: int = 0
    finish: str = ""
    response_id: str = ""
    response_model: str = ""
    url: str = ""
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    first: int = 0
    """When the first words of a streamed reply came, microseconds since the epoch; 0: none was streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFault:
    """Why a model gave no decision."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply's text as it is spoken."""

    text: str


class Model(Protocol):
    """Something that decides the next step of a playbook."""

    @property
    def name(self) -> str:
        """`KIND:NAME` as given to `--model`."""
        ...

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The next step. Raises `models.errors.ModelError`; retries are the adapter's and counted."""
        ...

    def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The same decision piece by piece; the last item is the whole `ModelReply`."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...


def conversation_text(entries: Sequence[Entry | ProviderReply]) -> str:
    """The words of a conversation, one line an utterance, calls left out."""
    spoken = {UserText: "Human", AgentText: "AI"}
    return "\n".join(
        f"{spoken[type(entry)]}: {entry.text}" for entry in entries if isinstance(entry, UserText | AgentText)
    )
