"""What is asked, what an answer holds, and the ports of models: the words that all parts of answering share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Protocol

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import Boost, StoreFacts
from openplaybook.retrieval.filters.syntax import FilterNode

NOT_ENOUGH_INFORMATION = "NOT_ENOUGH_INFORMATION"
"""What a model says, and nothing else, where the sources do not answer the question."""
MAX_QUERY = 4_000
"""Characters of a user's words that are looked at."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """Something said earlier in the conversation."""

    text: str
    is_user: bool


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage that was found, as it is shown."""

    title: str
    text: str
    uri: str
    store: str = ""
    """Whole name of its store."""
    document: str = ""
    """Id of its document."""
    data: JsonObject = field(default_factory=dict[str, JsonValue])
    """`structData` of its document."""


class GroundingLevel(IntEnum):
    """How well the facts support an answer."""

    VERY_LOW = 1
    LOW = 2
    MEDIUM = 3
    HIGH = 4
    VERY_HIGH = 5


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer, held against the facts."""

    text: str
    start: int
    """First byte in the answer's UTF-8."""
    end: int
    """Byte behind its last."""
    needs_check: bool
    """False for greetings, questions, and what says that nothing is known."""
    score: float
    """Support, 0 to 1; 1 where no check is needed."""
    citations: tuple[int, ...] = ()
    """Positions of the facts that support it, best first."""
    unsupported: tuple[str, ...] = ()
    """Numbers, dates and names in it that no fact has; what a judge said, where one was asked."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the facts say to an answer."""

    score: float
    """The least of its claims'; 1 where none needs a check."""
    level: GroundingLevel
    claims: tuple[Claim, ...]
    is_judged: bool = False
    """Whether a model gave the scores."""


class BannedIn(Enum):
    """Where a banned phrase was found (`SafetySignals.BannedPhraseMatch`)."""

    NOWHERE = "BANNED_PHRASE_MATCH_NONE"
    QUERY = "BANNED_PHRASE_MATCH_QUERY"
    RESPONSE = "BANNED_PHRASE_MATCH_RESPONSE"


class AnswerOrigin(Enum):
    """Where the text of an answer comes from."""

    FAQ = "FAQ"
    """The answer of an FAQ entry, unmodified."""
    SUMMARY = "SUMMARY"
    """A model's."""
    EXTRACT = "EXTRACT"
    """Sentences of the passages that were found."""
    FALLBACK = "FALLBACK"
    """What the caller wants to be said where there is no valid answer."""
    MESSAGE = "MESSAGE"
    """The friendly sentence that nothing was found."""
    NONE = "NONE"
    """There is no text."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A piece of the answer; the texts of all pieces, joined, are the answer."""

    text: str
    supporting: tuple[int, ...] = ()
    """Positions in the answer's snippets."""


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """What a model was asked and what it said."""

    prompt: str
    output: str
    model: str


@dataclass(frozen=True, slots=True)
class AskedStore:
    """A store that a question is put to."""

    facts: StoreFacts
    filter: FilterNode | None = None
    boosts: tuple[Boost, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A user's question in its conversation."""

    query: str
    language: str = ""
    """BCP-47 code of the conversation."""
    conversation: tuple[SpokenLine, ...] = ()
    """What was said before the question, oldest first."""
    end_user_metadata: JsonObject = field(default_factory=dict[str, JsonValue])
    fallback: str = ""
    """Answered where there is no valid answer."""


@dataclass(frozen=True, slots=True)
class GroundedAnswer:
    """What came of a question, with all that signals tell of it. It is partly filled where the work stopped early."""

    text: str
    origin: AnswerOrigin
    snippets: tuple[Snippet, ...] = ()
    """Shown to the caller; none beside a fallback."""
    parts: tuple[AnswerPart, ...] = ()
    cited: tuple[int, ...] = ()
    """Positions of the snippets that support the answer, most relevant first."""
    found: tuple[Snippet, ...] = ()
    """All that was searched out, whether it is shown or not."""
    rewritten_query: str = ""
    rewriting: ModelExchange | None = None
    summary: ModelExchange | None = None
    grounding: Grounding | None = None
    """None where there was no answer to judge, or grounding is disabled."""
    is_grounded: bool = True
    """Whether the answer was let through; `ACCEPTED_BY_GROUNDING`."""
    banned_in: BannedIn = BannedIn.NOWHERE
    banned_phrase: str = ""
    """The one that was found."""
    notes: tuple[str, ...] = ()
    """Sentences for the trace."""

    @property
    def is_fallback(self) -> bool:
        """Whether the caller's fallback was answered."""
        return self.origin is AnswerOrigin.FALLBACK


class PromptFailed(Exception):
    """A model gave no text for a prompt; the message is a sentence that says why."""

    code = "PROMPT_FAILED"


class PromptedModel(Protocol):
    """A model that is given a text and gives one: it summarises, rewrites, or judges."""

    @property
    def name(self) -> str:
        """Of the model, for signals."""
        ...

    async def reply(self, prompt: str) -> str:
        """What the model says. Raises `PromptFailed`."""
        ...


class ClaimJudge(Protocol):
    """Says how well facts support claims, in place of the comparison of words."""

    async def judge(self, claims: Sequence[str], facts: Sequence[str]) -> Sequence[float]:
        """Support of each claim, 0 to 1, as many as there are claims. Raises `PromptFailed`."""
        ...
