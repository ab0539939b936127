"""A script as data: what may stand in the file, checked member by member."""

import re
from enum import Enum
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.scripted.script_template import check


def _checked_template(value: JsonValue) -> JsonValue:
    check(value)
    return value


def _checked_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return pattern


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class UserCondition(_Part):
    """What the user's latest words have to be: exactly one member is given."""

    contains: str | None = None
    equals: str | None = None
    matches: Annotated[str, AfterValidator(_checked_pattern)] | None = None

    @model_validator(mode="after")
    def _one_member(self) -> Self:
        if [self.contains, self.equals, self.matches].count(None) != 2:
            raise ValueError("give exactly one of contains, equals, matches")
        return self


class When(_Part):
    """When a rule fits: all members that are given have to hold."""

    user: UserCondition | None = None
    after: str | None = None
    """Name of a call whose result has just come, `*` for any; None: the user has just spoken."""
    error: bool | None = None
    playbook: str | None = None
    turn: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _error_needs_after(self) -> Self:
        if self.error is not None and self.after is None:
            raise ValueError("error asks about a result: give after too")
        return self


class ScriptedCall(_Part):
    """A call the reply asks for."""

    name: Annotated[str, Field(min_length=1)]
    arguments: Annotated[JsonValue, AfterValidator(_checked_template)] = Field(default_factory=dict[str, JsonValue])
    id: str = ""
    """Empty: one is made."""


class ScriptedReply(_Part):
    """What the model says and asks for."""

    text: Annotated[str, AfterValidator(_checked_template)] = ""
    calls: list[ScriptedCall] = Field(default_factory=list[ScriptedCall])


class FailureKind(Enum):
    """How a scripted decision fails."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    REJECTED = "rejected"
    GARBLED = "garbled"


class Fail(_Part):
    """A failure instead of a reply."""

    # Strict checking would ask for the enum's member, which no file can hold.
    kind: Annotated[FailureKind, Field(strict=False)]
    message: str = "The script says so."
    retry_after_s: float | None = None


class ScriptedStep(_Part):
    """One thing to play: a reply or a failure, after a delay."""

    reply: ScriptedReply | None = None
    fail: Fail | None = None
    delay_ms: Annotated[float, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _reply_or_fail(self) -> Self:
        if (self.reply is None) == (self.fail is None):
            raise ValueError("give exactly one of reply, fail")
        return self


class Rule(ScriptedStep):
    """A step and when to play it."""

    when: When | None = None
    """None: always."""
    times: Annotated[int, Field(ge=1)] | None = None
    """How often it may be played; None: without end."""


class SequenceItem(ScriptedReply):
    """A member of `replies`: a reply written out, or a failure."""

    fail: Fail | None = None
    delay_ms: Annotated[float, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _reply_or_fail(self) -> Self:
        if self.fail is not None and (self.text or self.calls):
            raise ValueError("give text and calls, or fail, not both")
        return self

    def step(self) -> ScriptedStep:
        """The same as a step of a rule."""
        reply = ScriptedReply(text=self.text, calls=self.calls) if self.fail is None else None
        return ScriptedStep(reply=reply, fail=self.fail, delay_ms=self.delay_ms)


class Script(_Part):
    """A whole file: exactly one of both is given."""

    rules: list[Rule] | None = None
    replies: list[SequenceItem] | None = None

    @model_validator(mode="after")
    def _one_mode(self) -> Self:
        if (self.rules is None) == (self.replies is None):
            raise ValueError("give exactly one of rules, replies")
        return self
