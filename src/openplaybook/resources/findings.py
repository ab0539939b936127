"""What compiling a stored resource noticed: a list beside the result instead of an exception.

Resources come from many hands (old exports, other tools), so compiling never fails: it makes the best of what
is there and tells a `Sink` what it could not use.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject


class Severity(Enum):
    """How much a finding matters."""

    ERROR = "ERROR"
    """A part of the resource cannot be used as it was meant."""
    WARNING = "WARNING"
    """It works, yet probably not as meant."""
    REMARK = "REMARK"
    """Kept, and of no effect here."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing noticed in a resource."""

    path: str
    """JSON path in the resource, such as `$.instruction.steps[0].text`."""
    message: str
    severity: Severity = Severity.WARNING
    start: int | None = None
    """Offset in characters into the text at `path`, where the finding is about a part of a text."""


Sink: TypeAlias = Callable[[Finding], None]
"""Takes findings as they are made; `list.append` is one."""


def discard(finding: Finding) -> None:
    """The sink of callers that do not want to know."""


@dataclass(frozen=True, slots=True)
class CallFault:
    """Why a tool call that an example shows could not be made like that."""

    message: str
    is_no_action: bool = False
    """Whether the tool lacks the action; otherwise the arguments do not fit it."""


CallCheck: TypeAlias = Callable[[str, str, JsonObject], Iterable[CallFault]]
"""From a tool as the example names it, an action and its canonical arguments to what is wrong with the call."""


def unchecked(tool: str, action: str, arguments: JsonObject) -> Iterable[CallFault]:
    """The check of callers that know no tools."""
    return ()
