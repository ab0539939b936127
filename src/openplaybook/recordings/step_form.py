"""What can happen in a turn, as a recording tells it: what the model decides, what comes of its calls, and the rest."""

from typing import Annotated, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from openplaybook.jsonvalues import JsonObject, JsonValue


class RecordingPart(BaseModel):
    """A piece of a recording: nothing in it goes unchecked, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def empty() -> JsonObject:
    """An object without members."""
    return {}


class RecordedError(RecordingPart):
    """Why a call, or a turn, came to nothing."""

    code: str
    message: str = ""


class RecordedRequest(RecordingPart):
    """What a tool sends to its service, before authentication."""

    method: str
    path: str
    """Path and query; where the service stands is not told, as it differs from place to place."""
    body: JsonValue = None
    """Where it is JSON; members in the order in which they are sent."""
    form: list[JsonObject] | None = None
    """Where it is a form, each field as an object with one member, in the order in which they are sent."""


class RecordedCall(RecordingPart):
    """A call that the model asks for, and what came of it: of a tool, of a playbook, of the playbook's end, or of a
    function that does not exist."""

    tool: str = ""
    """Display name."""
    action: str = ""
    """Empty for a tool of an app that is an agent."""
    playbook: str = ""
    """Display name."""
    end: bool = False
    """Ends the playbook; the arguments are its outputs."""
    function: str = ""
    """As the model wrote it, where nothing of the agent has that name."""
    arguments: JsonValue = Field(default_factory=empty)
    """An object when well-formed, else the text that the model gave."""
    request: RecordedRequest | None = None
    output: JsonValue = None
    """What a tool of the server answered; a client's answer is the input of a later turn."""
    error: RecordedError | None = None
    note: str = ""
    """What was left out of a large answer."""
    sets: JsonObject = Field(default_factory=empty)
    """Session parameters, or variables, that the call set; null removes one."""
    shows: list[JsonObject] = Field(default_factory=list[JsonObject])
    """Payloads that the response shows after the agent's words."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if [bool(self.tool), bool(self.playbook), self.end, bool(self.function)].count(True) != 1:
            raise ValueError("give exactly one of tool, playbook, end, function")
        return self

    @property
    def label(self) -> str:
        """What is called, in a word."""
        if self.tool:
            return f"{self.tool}.{self.action}" if self.action else self.tool
        return self.playbook or ("end of playbook" if self.end else self.function)


class RecordedDecision(RecordingPart):
    """One reply of the model."""

    decides: str
    """Display name of the playbook that decides."""
    says: str = ""
    withheld: str = ""
    """Words that a guardrail did not let pass."""
    calls: list[RecordedCall] = Field(default_factory=list[RecordedCall])


class Enter(RecordingPart):
    """A playbook is entered."""

    enters: str
    inputs: JsonObject = Field(default_factory=empty)


class Leave(RecordingPart):
    """A playbook is left."""

    leaves: str
    state: str = ""
    outputs: JsonObject = Field(default_factory=empty)
    summary: str = ""
    """What the model says of how it went."""


class Settle(RecordingPart):
    """A call of an earlier reply ends without its result."""

    settles: str
    """`TOOL.ACTION`, or the name of a playbook."""
    error: RecordedError


class Say(RecordingPart):
    """The engine itself speaks."""

    engine: str
    code: str = ""


class Notice(RecordingPart):
    """Something worth knowing."""

    notice: str
    """Its code."""
    message: str = ""


class OtherEvent(RecordingPart):
    """Any other kind of event, such as a handler that fires."""

    event: str
    data: JsonObject = Field(default_factory=empty)


_KINDS = {
    "decides": RecordedDecision,
    "enters": Enter,
    "leaves": Leave,
    "settles": Settle,
    "engine": Say,
    "notice": Notice,
    "event": OtherEvent,
}


def _kind_of(value: JsonValue) -> str:
    """The kind of a step, as a file holds it or already checked; empty for what is none."""
    if isinstance(value, BaseModel):
        return next(name for name, kind in _KINDS.items() if isinstance(value, kind))
    return next((name for name in _KINDS if name in value), "") if isinstance(value, dict) else ""


Step: TypeAlias = Annotated[
    Annotated[RecordedDecision, Tag("decides")]
    | Annotated[Enter, Tag("enters")]
    | Annotated[Leave, Tag("leaves")]
    | Annotated[Settle, Tag("settles")]
    | Annotated[Say, Tag("engine")]
    | Annotated[Notice, Tag("notice")]
    | Annotated[OtherEvent, Tag("event")],
    Discriminator(
        _kind_of,
        custom_error_type="step",
        custom_error_message=f"a step has one of {', '.join(_KINDS)}",
    ),
]
