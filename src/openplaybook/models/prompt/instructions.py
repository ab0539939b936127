"""The playbook in the system prompt: its goal, its instructions, its parameters."""

import re
from collections.abc import Iterator, Sequence

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import Declaration, ModelTurn
from openplaybook.models.prompt.references import step_text
from openplaybook.resources.compiled_forms import InstructionStep, ParameterDefinition

_OWN_MARKER = re.compile(r"\s*(?:[-*•]|(?:[Ss]tep\s+)?\d+(?:\.\d+)*[.):]?)\s")
_INDENT = "   "


def playbook_text(turn: ModelTurn) -> str:
    """Goal and instructions verbatim, then what goes in and what comes out."""
    sections = [f"# Playbook: {turn.playbook}"]
    if turn.goal or not turn.instructions:
        sections.append(f"## Goal\n{turn.goal}")
    if _is_document(turn.instructions):
        sections.append("## Instructions\n" + step_text(turn.instructions[0], turn.declarations))
    elif turn.instructions:
        sections.append("## Instructions\n" + "\n".join(_steps(turn.instructions, turn.declarations)))
    if turn.input_definitions:
        sections.append("## Input parameters\n" + _parameters(turn.input_definitions))
    if turn.output_definitions:
        sections.append("## Output parameters\n" + _parameters(turn.output_definitions))
    return "\n\n".join(sections)


def _is_document(steps: Sequence[InstructionStep]) -> bool:
    """Whether one text is all there is, with a structure of its own: it is no list, and stays as it was authored."""
    return len(steps) == 1 and not steps[0].steps and "\n" in steps[0].text.strip()


def _steps(
    steps: Sequence[InstructionStep], declarations: Sequence[Declaration], depth: int = 0, prefix: str = ""
) -> Iterator[str]:
    """The lines of a list; a step that brings its own marker keeps it and gets no number."""
    for number, step in enumerate(steps, start=1):
        text = step_text(step, declarations)
        own = f"{prefix}{number}."
        marked = text if _OWN_MARKER.match(text) else f"{own} {text}"
        yield from (
            _INDENT * (depth if line == 0 else depth + 1) + part for line, part in enumerate(marked.split("\n"))
        )
        yield from _steps(step.steps, declarations, depth + 1, own)


def _parameters(definitions: Sequence[ParameterDefinition]) -> str:
    return "\n".join(
        f"- {definition.name}: {definition.description} (JSON Schema {dumps(definition.schema).decode()})"
        for definition in definitions
    )
