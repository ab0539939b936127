"""Instructions of a playbook: nested steps, and the typed references in their text.

A step names a resource as `${TOOL: name}`, `${PLAYBOOK: name}` or `${FLOW: name}`; older agents write
`${AGENT: name}` for a playbook. Blanks around keyword and name are free, the keyword's case too, and a name may
hold any character but `}`. The name is a display name or, in older exports, an id.

Instructions may also be one text (`guidelines`), in the notation that Google's playbook editor takes: a step starts
with `-` and nests by indentation; it may be numbered instead. A line that starts no step and is indented deeper than
the step above continues it; any other line is a step of its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity, Sink, discard

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

MAX_LEVELS = 32
"""Steps that are indented deeper are taken for steps of the deepest level."""
_TAB = 4
_STEP = re.compile(r"(?P<indent>[ \t]*)(?P<bullet>-(?:[ \t]+|$))?(?P<text>(?P<number>\d+(?:\.\d+)*[.)][ \t])?.*)")


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


def compile_instructions(playbook: JsonObject, report: Sink = discard) -> tuple[InstructionStep, ...]:
    """The steps of a playbook resource: its guidelines, if any, before its steps.

    Steps stand in `instruction.steps` (v3beta1) or, in older exports, in `steps`; the former wins.
    """
    return tuple(_compile(step, report) for step in place_instructions(playbook, report))


def place_instructions(playbook: JsonObject, report: Sink = discard) -> tuple[PlacedStep, ...]:
    """The same steps with their places, references not yet read."""
    instruction = as_object(playbook.get("instruction"))
    guidelines = instruction.get("guidelines")
    placed: tuple[PlacedStep, ...] = ()
    if isinstance(guidelines, str):
        placed = _nest(guidelines, split_guidelines(guidelines), 0)
    elif guidelines is not None:
        report(Finding(_GUIDELINES, "is not a text and is left out", Severity.ERROR))
    if not instruction.get("steps") and playbook.get("steps"):
        return placed + _place_steps(playbook["steps"], "$.steps", 1, report)
    return placed + _place_steps(instruction.get("steps"), "$.instruction.steps", 1, report)


def walk_steps(steps: Sequence[PlacedStep]) -> Iterator[PlacedStep]:
    """Every step at every depth, parents before children."""
    for step in steps:
        yield step
        yield from walk_steps(step.steps)


def find_references(text: str, path: str = "$", report: Sink = discard, offset: int = 0) -> tuple[Reference, ...]:
    """The references in one text, in order; what looks like one and is not goes to `report`.

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
            report(Finding(path, message, Severity.ERROR, start))
            break
        reference = _read_reference(text, opening, len(text) if following is None else following.start())
        if isinstance(reference, Reference):
            references.append(reference)
        elif reference is not None:
            faults += 1
            report(Finding(path, f"{reference} (at character {start + 1})", Severity.ERROR, start))
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


def _compile(step: PlacedStep, report: Sink) -> InstructionStep:
    references = find_references(step.text, step.path, report, step.offset)
    return InstructionStep(step.text, references, tuple(_compile(nested, report) for nested in step.steps))


def _place_steps(value: JsonValue, path: str, depth: int, report: Sink) -> tuple[PlacedStep, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        report(Finding(path, "is not a list of steps and is left out", Severity.ERROR))
        return ()
    if depth > MAX_DEPTH:
        report(Finding(path, f"is nested deeper than {MAX_DEPTH} levels and is left out", Severity.ERROR))
        return ()
    return tuple(_place_step(step, f"{path}[{index}]", depth, report) for index, step in enumerate(as_list(value)))


def _place_step(value: JsonValue, path: str, depth: int, report: Sink) -> PlacedStep:
    step = as_object(value)
    text = step.get("text", "")
    if not isinstance(value, dict) or not isinstance(text, str):
        report(Finding(path, "is not a step with a text", Severity.ERROR))
        text = ""
    return PlacedStep(text, f"{path}.text", _place_steps(step.get("steps"), f"{path}.steps", depth + 1, report))


def _nest(text: str, flat: "Sequence[GuidelineStep]", level: int) -> tuple[PlacedStep, ...]:
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


@dataclass(frozen=True, slots=True)
class GuidelineStep:
    """A step as a stretch of the whole text; a bullet is not part of it, a number is."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character; lines that continue it are included as they stand."""
    level: int
    """0 for a step at the top, at most one more than the step before it."""
    line: int
    """Line it begins in, counted from 1."""


def split_guidelines(text: str) -> list[GuidelineStep]:
    """The steps of a text in order; blank lines separate nothing and belong to no step."""
    steps: list[GuidelineStep] = []
    indents: list[int] = []
    offset = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip()
        if line:
            _take_line(line, offset, number, steps, indents)
        offset += len(raw) + 1
    return steps


def _take_line(line: str, offset: int, number: int, steps: list[GuidelineStep], indents: list[int]) -> None:
    """Add one line to `steps`; `indents` holds the indentation of the steps that are open."""
    match = _STEP.match(line)
    if match is None:
        return
    indent = len(match["indent"].expandtabs(_TAB))
    marked = match["bullet"] is not None or match["number"] is not None
    end = offset + len(line)
    if not marked and indents and indent > indents[-1]:
        last = steps[-1]
        steps[-1] = GuidelineStep(last.start, end, last.level, last.line)
        return
    while indents and indent <= indents[-1]:
        indents.pop()
    steps.append(GuidelineStep(offset + match.start("text"), end, min(len(indents), MAX_LEVELS - 1), number))
    indents.append(indent)
