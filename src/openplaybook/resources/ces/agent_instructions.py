"""Instructions of an agent of CX Agent Studio: one text, often with XML in it, that is kept byte for byte.

`{@TOOL: name}` and `{@AGENT: name}` refer to tools and agents; blanks, the keyword's case and the colon are free, and a
name may hold any character but `}`. `{name}` stands for a variable. All else is ordinary text.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity, Sink, discard

_OPENING = re.compile(r"\{@\s*([A-Za-z_]*)[ \t]*(:?)")
_VARIABLE = re.compile(r"\{(\{)?\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}(?(1)\})")
_KINDS = {"TOOL": ReferenceKind.TOOL, "AGENT": ReferenceKind.PLAYBOOK}
_ALLOWED = "{@TOOL: name} and {@AGENT: name}"


@dataclass(frozen=True, slots=True)
class VariableUse:
    """One `{name}` in an instruction."""

    name: str
    start: int
    """Offset of the brace in the text, in characters."""


def references_in(text: str, path: str = "$.instruction", report: Sink = discard) -> tuple[Reference, ...]:
    """The references in a text, in order; what looks like one and is not goes to `report`."""
    return tuple(_references(text, path, report))


def variables_in(text: str) -> tuple[VariableUse, ...]:
    """What may be variables in a text, in order: whether one is declared decides whether it is one."""
    return tuple(VariableUse(match[2], match.start()) for match in _VARIABLE.finditer(text))


def compile_instructions(
    texts: Iterable[str], resolve: Callable[[Reference], str] = lambda reference: reference.name
) -> tuple[InstructionStep, ...]:
    """The texts, such as an app's and an agent's, as one step with a blank line between them; nothing without text.

    `resolve` gives the name by which the engine knows what a reference leads to, or an empty one where that is to be
    read as it stands; the text stays as it is.
    """
    text = "\n\n".join(each for each in texts if each.strip())
    if not text:
        return ()
    named = [(resolve(each), each) for each in references_in(text)]
    references = (Reference(each.kind, name, each.start, each.end) for name, each in named if name)
    return (InstructionStep(text, tuple(references)),)


def _references(text: str, path: str, report: Sink) -> Iterator[Reference]:
    openings = list(_OPENING.finditer(text))
    limits = [*(opening.start() for opening in openings[1:]), len(text)]
    for opening, limit in zip(openings, limits, strict=False):
        kind = _KINDS.get(opening[1].upper())
        end = text.find("}", opening.end(), limit)
        name = text[opening.end() : end].strip() if end >= 0 else ""
        if kind is not None and name:
            yield Reference(kind, name, opening.start(), end + 1)
            continue
        wrong = _wrong(opening[1], is_known=kind is not None, is_closed=end >= 0)
        start = opening.start()
        report(Finding(path, f"{wrong} (at character {start + 1})", Severity.WARNING, start))


def _wrong(keyword: str, *, is_known: bool, is_closed: bool) -> str:
    if not is_known:
        return f"{{@{keyword}…}} refers to nothing; known are {_ALLOWED}"
    return f"{{@{keyword}: }} lacks a name" if is_closed else f"{{@{keyword}: has no closing brace"
