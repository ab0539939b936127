"""`${TOOL: pets}` in an instruction, as the model reads it."""

from collections.abc import Sequence

from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind

_KINDS = {ReferenceKind.TOOL: DeclarationKind.TOOL, ReferenceKind.PLAYBOOK: DeclarationKind.PLAYBOOK}


def step_text(step: InstructionStep, declarations: Sequence[Declaration]) -> str:
    """The step as authored, with every reference replaced by the functions it stands for."""
    text, position = "", 0
    for reference in sorted(step.references, key=lambda reference: reference.start):
        text += step.text[position : reference.start] + _named(reference, declarations)
        position = reference.end
    return text + step.text[position:]


def _named(reference: Reference, declarations: Sequence[Declaration]) -> str:
    kind = _KINDS.get(reference.kind)
    names = [f"`{d.name}`" for d in declarations if d.kind is kind and d.reference == reference.name]
    if not names and reference.kind is ReferenceKind.TOOL:
        names = [f"`{d.name}`" for d in declarations if _is_called(d, reference.name)]
    if not names:
        return f"{reference.name} ({reference.kind.value.lower()}, not available here)"
    return names[0] if len(names) == 1 else f"{reference.name} ({', '.join(names)})"


def _is_called(declaration: Declaration, name: str) -> bool:
    """Whether instructions mean one function by its own name, or by its tool's and its action's (CX Agent Studio)."""
    return name == declaration.name or name == f"{declaration.reference}_{declaration.action}"
