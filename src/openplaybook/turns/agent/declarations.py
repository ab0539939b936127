"""What a playbook declares to its model: tools, other playbooks, and how it ends."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    Declaration,
    DeclarationKind,
    Effect,
)
from openplaybook.resources.compiled_forms import Example, InstructionStep, ParameterDefinition, Playbook
from openplaybook.tools.base import Action, ExecutionPlace

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
class PlaybookEnding:
    """What the function that ends a playbook was called with."""

    state: str
    """One of `END_STATES`."""
    outputs: JsonObject
    summary: str


def read_ending(arguments: JsonObject) -> PlaybookEnding:
    """The ending that a call asks for; a state that does not exist is OK."""
    outputs: dict[str, JsonValue] = dict(arguments)
    state = str(outputs.pop(STATE, "")).upper()
    summary = outputs.pop(SUMMARY, "")
    return PlaybookEnding(state if state in END_STATES else "OK", outputs, summary if isinstance(summary, str) else "")


def read_own_ending(arguments: JsonObject) -> PlaybookEnding:
    """The ending that a call of a playbook's own end function asks for: its arguments are kept as they are.

    `session_escalated` hands the conversation to a person (CX Agent Studio's `end_session`).
    """
    return PlaybookEnding(ESCALATED if arguments.get("session_escalated") is True else "OK", arguments, "")


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


def free_name(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    return name if name not in taken else next(f"{name}_{n}" for n in count(2) if f"{name}_{n}" not in taken)


def tool_declaration(name: str, action: Action) -> Declaration:
    """How a model is told of an action of a tool."""
    return Declaration(
        name=name,
        description=action.description,
        input_schema=action.input_schema,
        output_schema=action.output_schema,
        kind=DeclarationKind.TOOL,
        reference=action.tool_display_name,
        action=action.action,
        claims=action.claims,
        as_question=action.as_question,
        plain=action.plain,
        effect=_effect(action),
    )


def _effect(action: Action) -> Effect:
    if action.is_read_only:
        return Effect.READS
    return Effect.CLIENT if action.place is ExecutionPlace.CLIENT else Effect.CHANGES


def playbook_declaration(name: str, playbook: Playbook) -> Declaration:
    """How a model is told of a playbook that may be called, or given way to."""
    return Declaration(
        name=name,
        description=playbook.description or playbook.goal,
        input_schema=_parameters_schema(playbook.input_parameters),
        output_schema=_parameters_schema(playbook.output_parameters),
        kind=DeclarationKind.PLAYBOOK,
        reference=playbook.display_name,
    )


def end_declaration(name: str, playbook: Playbook) -> Declaration:
    """The function by which a playbook that was called ends, and gives back its outputs."""
    return Declaration(
        name=name,
        description=f"Ends {playbook.display_name} and goes back to the playbook that called it.",
        input_schema=_ending_schema(playbook),
        output_schema=None,
        kind=DeclarationKind.END,
        reference=playbook.display_name,
    )


def close_declaration(name: str, playbook: Playbook) -> Declaration:
    """The function by which a playbook that nobody called ends the conversation."""
    return Declaration(
        name=name,
        description="Ends the conversation, or with state ESCALATED hands it to a person. Say the last words with it.",
        input_schema=_ending_schema(playbook),
        output_schema=None,
        kind=DeclarationKind.CLOSE,
        reference=playbook.display_name,
    )


def _ending_schema(playbook: Playbook) -> JsonObject:
    schema = _parameters_schema(playbook.output_parameters)
    own: JsonObject = {
        SUMMARY: {"type": "string", "description": "What was done, in one sentence."},
        STATE: {
            "type": "string",
            "enum": list(END_STATES),
            "description": "OK: the goal is reached. CANCELLED: the user does not want it any more. "
            "FAILED: it cannot be reached. ESCALATED: a person has to take over.",
        },
    }
    return {**schema, "properties": {**schema["properties"], **own}}


def _parameters_schema(definitions: Iterable[ParameterDefinition]) -> JsonObject:
    described = {
        each.name: {**each.schema, "description": each.description} if each.description else {**each.schema}
        for each in definitions
    }
    return {"type": "object", "properties": described}
