"""How playbooks end: the states they end in, and which of them may end the conversation."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled import Example, InstructionStep, Playbook

END_STATES = ("OK", "CANCELLED", "FAILED", "ESCALATED")
"""States that a playbook can end in; PENDING says of an example that its conversation goes on."""
ESCALATED = "ESCALATED"
STATE = "state"
SUMMARY = "executionSummary"
"""Parameters of the function that ends a playbook, beside the playbook's own."""

_ENDS_FOR_GOOD = frozenset(END_STATES) - {"OK"}
_SPEAKS_OF_ENDING = re.compile(
    r"\b(?:escalat\w+|eskalier\w+"
    r"|(?:live|human) (?:agent|operator|representative|support)"
    r"|hand(?:s|ing)?[ -]?(?:off|over)"
    r"|(?:end|ends|ending|close|terminate|finish) (?:the |this )?(?:conversation|session|chat|call|interaction)"
    r"|(?:beende\w*|schließe\w*)\b[^.!?\n]{0,30}\b(?:gespräch|sitzung|chat|anruf|unterhaltung))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ending:
    """What the function that ends a playbook was called with."""

    state: str
    """One of `END_STATES`."""
    outputs: JsonObject
    summary: str


def read_ending(arguments: JsonObject) -> Ending:
    """The ending that a call asks for; a state that does not exist is OK."""
    outputs: dict[str, JsonValue] = dict(arguments)
    state = str(outputs.pop(STATE, "")).upper()
    summary = outputs.pop(SUMMARY, "")
    return Ending(state if state in END_STATES else "OK", outputs, summary if isinstance(summary, str) else "")


def read_own_ending(arguments: JsonObject) -> Ending:
    """The ending that a call of a playbook's own end function asks for: its arguments are kept as they are.

    `session_escalated` hands the conversation to a person (CX Agent Studio's `end_session`).
    """
    return Ending(ESCALATED if arguments.get("session_escalated") is True else "OK", arguments, "")


def can_end_conversation(playbook: Playbook, examples: Iterable[Example]) -> bool:
    """Whether a playbook that nobody called may end the conversation: an example of it does, with another state than
    OK, or its goal or instructions speak of ending the conversation or of handing it to a person."""
    if any(example.end_state in _ENDS_FOR_GOOD for example in examples):
        return True
    return any(_SPEAKS_OF_ENDING.search(text) for text in (playbook.goal, *_texts(playbook.steps)))


def _texts(steps: Iterable[InstructionStep]) -> Iterator[str]:
    for step in steps:
        yield step.text
        yield from _texts(step.steps)
