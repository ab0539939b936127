"""What an agent says of calls that clients make: which they are, how long they may take, how results are judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue

ALWAYS_CLIENT = "ALWAYS_CLIENT_EXECUTION"
"""The documented `playbookExecutionMode`: clients make every tool call."""

AS_KINDS_SAY = "DEFAULT_EXECUTION"
"""Its opposite, which the documents lack: clients make the calls of function tools, the server all others."""


@dataclass(frozen=True, slots=True)
class ClientExecution:
    """The settings of an agent, as a turn needs them."""

    always: bool = False
    """Clients make every tool call, unless a request says otherwise."""
    strict: bool = False
    """A result that does not fit its output schema is refused."""
    timeout_us: int | None = None
    """Microseconds that a session waits for a result; None: as long as it lives."""


NO_CLIENT_EXECUTION = ClientExecution()
"""Of an agent that says nothing."""


def client_execution(levels: Sequence[JsonObject]) -> ClientExecution:
    """Compile the settings. `levels` are resources that may say something, the first that does so wins."""
    timeout = _said(levels, "toolCallResultTimeout")
    return ClientExecution(
        always=_said(levels, "playbookExecutionMode") == ALWAYS_CLIENT,
        strict=_said(levels, "toolResultValidation") == "STRICT",
        timeout_us=None if timeout is None else _microseconds(str(timeout)),
    )


def _said(levels: Sequence[JsonObject], field: str) -> JsonValue:
    return next((level[field] for level in levels if field in level), None)


def _microseconds(duration: str) -> int:
    """Of a Duration in JSON form, such as `3.5s`; rounded up, so that the shortest is not none."""
    seconds, _, fraction = duration.removesuffix("s").partition(".")
    nanos = int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9])
    return -(-nanos // 1000)
