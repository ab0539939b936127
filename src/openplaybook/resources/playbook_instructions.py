"""Instructions of a playbook: nested steps, and the typed references in their text.

A step names a resource as `${TOOL: name}`, `${PLAYBOOK: name}` or `${FLOW: name}`; older agents write
`${AGENT: name}` for a playbook. Blanks around keyword and name are free, the keyword's case too, and a name may
hold any character but `}`. The name is a display name or, in older exports, an id.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity, Sink, discard
from openplaybook.resources.guidelines import GuidelineStep, split_guidelines

MAX_DEPTH = 32
"""Levels of nested steps that are read."""

MAX_REFERENCES = 1_000
"""References of one text that are read, those with a fault counted."""

_GUIDELINES = "$.instruction.guidelines"
_ALLOWED = "${TOOL: name}, ${PLAYBOOK: name} and ${FLOW: name}"
_OPENING = re.compile(r"\$\{\s*([A-Za-z_]+)\s*(:?)")
_KINDS = {
    "TOOL": ReferenceKind.TOOL,
    "PLAYBOOK": ReferenceKind.PLAYBOOK,
    "AGENT": ReferenceKind.PLAYBOOK,
    "FLOW": ReferenceKind.FLOW,
}


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A step of a playbook resource with the place where it stands."""

    text: str
    path: str
    """JSON path of the text that the step is, or is a part of."""
    steps: tuple["PlacedStep", ...] = ()
    offset: int = 0
    """Where the step begins in that text, in characters."""
    line: int | None = None
    """Line of that text it begins in, counted from 1; None when the step is the whole text."""


def compile_instructions(playbook: JsonObject, found: Sink = discard) -> tuple[InstructionStep, ...]:
    """The steps of a playbook resource: its guidelines, if any, before its steps.

    Steps stand in `instruction.steps` (v3beta1) or, in older exports, in `steps`; the former wins.
    """
    return tuple(_compile(step, found) for step in place_instructions(playbook, found))


def place_instructions(playbook: JsonObject, found: Sink = discard) -> tuple[PlacedStep, ...]:
    """The same steps with their places, references not yet read."""
    instruction = as_object(playbook.get("instruction"))
    guidelines = instruction.get("guidelines")
    placed: tuple[PlacedStep, ...] = ()
    if isinstance(guidelines, str):
        placed = _place_guidelines(guidelines)
    elif guidelines is not None:
        found(Finding(_GUIDELINES, "is not a text and is left out", Severity.ERROR))
    if not instruction.get("steps") and playbook.get("steps"):
        return placed + _place_steps(playbook["steps"], "$.steps", 1, found)
    return placed + _place_steps(instruction.get("steps"), "$.instruction.steps", 1, found)


def walk_steps(steps: Sequence[PlacedStep]) -> Iterator[PlacedStep]:
    """Every step at every depth, parents before children."""
    for step in steps:
        yield step
        yield from walk_steps(step.steps)


def find_references(text: str, path: str = "$", found: Sink = discard, offset: int = 0) -> tuple[Reference, ...]:
    """The references in one text, in order; what looks like one and is not goes to `found`.

    Of more than `MAX_REFERENCES` the first are read. `path` and `offset` say where the text stands, for findings only.
    """
    references: list[Reference] = []
    openings = _OPENING.finditer(text)
    opening, faults = next(openings, None), 0
    while opening is not None:
        following = next(openings, None)
        start = offset + opening.start()
        if len(references) + faults == MAX_REFERENCES:
            message = f"has more than {MAX_REFERENCES:,} references; from character {start + 1} on it is read as text"
            found(Finding(path, message, Severity.ERROR, start))
            break
        reference = _read_reference(text, opening, len(text) if following is None else following.start())
        if isinstance(reference, Reference):
            references.append(reference)
        elif reference is not None:
            faults += 1
            found(Finding(path, f"{reference} (at character {start + 1})", Severity.ERROR, start))
        opening = following
    return tuple(references)


def _read_reference(text: str, opening: re.Match[str], limit: int) -> Reference | str | None:
    """The reference that starts with `opening` and ends before `limit`; what is wrong with it; or None for other
    text in `${…}`."""
    keyword, colon = opening.groups()
    kind = _KINDS.get(keyword.upper())
    if kind is None:
        return f"${{{keyword}: …}} refers to nothing; known are {_ALLOWED}" if colon else None
    if not colon:
        return f"${{{keyword} lacks the colon behind its keyword"
    end = text.find("}", opening.end(), limit)
    if end < 0:
        return f"${{{keyword}: has no closing brace"
    name = text[opening.end() : end].strip()
    return Reference(kind, name, opening.start(), end + 1) if name else f"${{{keyword}: }} lacks a name"


def _compile(step: PlacedStep, found: Sink) -> InstructionStep:
    references = find_references(step.text, step.path, found, step.offset)
    return InstructionStep(step.text, references, tuple(_compile(nested, found) for nested in step.steps))


def _place_steps(value: JsonValue, path: str, depth: int, found: Sink) -> tuple[PlacedStep, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        found(Finding(path, "is not a list of steps and is left out", Severity.ERROR))
        return ()
    if depth > MAX_DEPTH:
        found(Finding(path, f"is nested deeper than {MAX_DEPTH} levels and is left out", Severity.ERROR))
        return ()
    return tuple(_place_step(step, f"{path}[{index}]", depth, found) for index, step in enumerate(as_list(value)))


def _place_step(value: JsonValue, path: str, depth: int, found: Sink) -> PlacedStep:
    step = as_object(value)
    text = step.get("text", "")
    if not isinstance(value, dict) or not isinstance(text, str):
        found(Finding(path, "is not a step with a text", Severity.ERROR))
        text = ""
    return PlacedStep(text, f"{path}.text", _place_steps(step.get("steps"), f"{path}.steps", depth + 1, found))


def _place_guidelines(text: str) -> tuple[PlacedStep, ...]:
    return _nest(text, split_guidelines(text), 0)


def _nest(text: str, flat: Sequence[GuidelineStep], level: int) -> tuple[PlacedStep, ...]:
    """The tree of `flat`, whose first step is at `level`."""
    heads = [index for index, step in enumerate(flat) if step.level == level] + [len(flat)]
    return tuple(
        PlacedStep(
            text[flat[head].start : flat[head].end],
            _GUIDELINES,
            _nest(text, flat[head + 1 : following], level + 1),
            flat[head].start,
            flat[head].line,
        )
        for head, following in pairwise(heads)
    )
