"""A recording as data: what may stand in the file, checked member by member.

One form serves three ends: its decisions are what a recorded model says, its outcomes are what recorded tools answer,
and all of it is what a replay is compared with.
"""

from typing import Annotated, Self

from pydantic import Field, PlainSerializer, model_validator

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.step_form import RecordedError, RecordingPart, Step, empty

VERSION = 1
"""Of the form."""


def _name_of(words: WordMatch) -> str:
    return words.value


# Strict checking would ask for the enum's member, which no file can hold.
# Not dumped as JSON, which would make texts of long decimals, an enum's member needs to be told what it is there.
_Words = Annotated[WordMatch, Field(strict=False), PlainSerializer(_name_of)]


class ClientResult(RecordingPart):
    """The client's answer to a call that it was asked for."""

    tool: str
    action: str
    call: Annotated[int, Field(ge=1)] | None = None
    """Which of the calls that the client was asked for it is of, counted from 1; None: the first of that tool and
    action."""
    output: JsonObject | None = None
    error: str | None = None

    @model_validator(mode="after")
    def _output_or_error(self) -> Self:
        if (self.output is None) == (self.error is None):
            raise ValueError("give exactly one of output, error")
        return self


class ClientCall(RecordingPart):
    """A call that the client is asked for at the end of a turn."""

    tool: str
    action: str
    arguments: JsonObject = Field(default_factory=empty)


class RecordedSettings(RecordingPart):
    """Model settings of a request."""

    model: str | None = None
    prompt_text: str | None = None
    temperature: float | None = None
    input_token_limit: str | None = None
    output_token_limit: str | None = None


class RecordedTurn(RecordingPart):
    """One request and what came of it."""

    user: str | None = None
    event: str | None = None
    """Name of an event that comes in instead of words."""
    result: ClientResult | None = None
    results: list[ClientResult] | None = None
    """Several that come together."""
    silent: bool | None = None
    """True where the request only sets parameters, and nobody answers."""
    language: str = ""
    """Empty: the recording's."""
    playbook: str = ""
    """`currentPlaybook` of the request, by display name."""
    entry: str = ""
    """Playbook, or agent of an app, with which a new session begins; empty: the usual one."""
    fakes: bool = False
    """Whether tools answer with their fakes, where they have one."""
    history: list[JsonObject] | None = None
    """What was said before, where the request brings it in place of all that the session holds."""
    client_execution: bool | None = None
    """Whether the request asks for its tool calls to be handed to the client; None: it does not say."""
    parameters: JsonObject = Field(default_factory=empty)
    removes: list[str] = Field(default_factory=list[str])
    """Session parameters that the request takes away."""
    payload: JsonObject = Field(default_factory=empty)
    metadata: JsonObject = Field(default_factory=empty)
    settings: RecordedSettings = Field(default_factory=RecordedSettings)
    words: _Words | None = None
    """None: as the recording says."""
    steps: list[Step] | None = None
    """None: nothing is expected of the way."""
    says: list[str] | None = None
    """Words that are expected of the turn, where its steps are not known."""
    asks: list[ClientCall] | None = None
    at: str = ""
    """Playbook on top after the turn; empty: nothing is expected."""
    sets: JsonObject = Field(default_factory=empty)
    """Session parameters that the turn changed."""
    stopped: RecordedError | None = None
    """Set when the turn was cut short after it had acted."""
    failed: RecordedError | None = None
    """Set when the turn did not happen."""

    @model_validator(mode="after")
    def _one_input(self) -> Self:
        inputs = [self.user, self.event, self.result, self.results or None, self.silent or None]
        if inputs.count(None) != len(inputs) - 1:
            raise ValueError("give exactly one of user, event, result, results, silent")
        return self

    @property
    def given_results(self) -> list[ClientResult]:
        """All results that the request brings."""
        return [self.result] if self.result is not None else self.results or []


class ExpectedAction(RecordingPart):
    """Something that has to happen at some point of the conversation: a playbook entered, or a tool called."""

    playbook: str = ""
    tool: str = ""
    action: str = ""
    arguments: JsonObject | None = None
    """None: any."""
    output: JsonValue = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.tool) == bool(self.playbook):
            raise ValueError("give exactly one of tool, playbook")
        return self

    @property
    def label(self) -> str:
        """What is meant, in a word."""
        return f"{self.tool}.{self.action}" if self.tool else self.playbook


class Recording(RecordingPart):
    """A whole file."""

    recording: Annotated[int, Field(ge=VERSION, le=VERSION)] = VERSION
    """Version of the form."""
    title: str = ""
    agent: str = ""
    """Display name."""
    language: str = "en"
    session: str = ""
    """Id of the session, where requests of tools hold it and it is too short for a placeholder."""
    model: str = ""
    """Who decided, for people; not compared."""
    words: _Words = WordMatch.EXACT
    turns: list[RecordedTurn]
    actions: list[ExpectedAction] = Field(default_factory=list[ExpectedAction])
    """Expected in this order, whatever happens between them."""
    not_replayed: list[str] = Field(default_factory=list[str])
    """What the source held that no replay can show, in sentences."""
