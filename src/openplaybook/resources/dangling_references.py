"""References that lead nowhere: in a playbook's instructions, and in the actions of examples."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.compiled_forms import InstructionStep, Playbook, Reference, ReferenceKind
from openplaybook.resources.findings import Severity
from openplaybook.resources.playbook_instructions import PlacedStep, find_references, place_instructions, walk_steps

_MAX_COMPARISONS = 5_000
"""Names with which those that are not there are compared, in all: each takes some microseconds."""
_LONGEST_NAME = 200
"""Characters of a name for which names like it are looked for."""

_WORDS = {ReferenceKind.TOOL: "tool", ReferenceKind.PLAYBOOK: "playbook", ReferenceKind.FLOW: "flow"}


@dataclass(frozen=True, slots=True)
class DanglingReference:
    """A reference that the engine cannot follow."""

    kind: ReferenceKind
    name: str
    path: str
    """JSON path of the text it stands in, such as `$.instruction.steps[0].steps[1].text`."""
    start: int
    """Offset of its first character in that text."""
    line: int | None
    """Line in that text, counted from 1; None in a text of one line."""
    message: str
    severity: Severity
    """ERROR where nothing has that name. Flows are not run: WARNING for one that is not there, REMARK for others."""


def find_dangling(
    playbook: JsonObject, tools: Collection[str], playbooks: Collection[str], flows: Collection[str]
) -> list[DanglingReference]:
    """Every reference in the instructions of a playbook resource that names nothing, and every one to a flow.

    The collections hold all that may stand in a reference: display names, and ids, as older exports write them.
    """
    judge = _Judge({ReferenceKind.TOOL: tools, ReferenceKind.PLAYBOOK: playbooks, ReferenceKind.FLOW: flows})
    return [
        DanglingReference(
            reference.kind,
            reference.name,
            step.path,
            step.offset + reference.start,
            _line(step, reference),
            *verdict,
        )
        for step in walk_steps(place_instructions(playbook))
        for reference in find_references(step.text)
        if (verdict := judge.verdict(reference.kind, reference.name)) is not None
    ]


def find_dangling_in_example(
    example: JsonObject, tools: Collection[str], playbooks: Collection[str], flows: Collection[str]
) -> list[DanglingReference]:
    """Every action of an example resource whose tool or playbook does not exist, and every one that runs a flow.

    The collections hold all that may stand there: resource names and display names.
    """
    judge = _Judge({ReferenceKind.TOOL: tools, ReferenceKind.PLAYBOOK: playbooks, ReferenceKind.FLOW: flows})
    return [
        DanglingReference(kind, name, path, 0, None, *verdict)
        for kind, name, path in _named_in_actions(example)
        if (verdict := judge.verdict(kind, name)) is not None
    ]


def tools_in_example(example: JsonObject) -> list[str]:
    """What the actions of an example resource call tools, each name once."""
    names = (name for kind, name, _ in _named_in_actions(example) if kind is ReferenceKind.TOOL)
    return list(dict.fromkeys(names))


def with_display_names(playbook: Playbook, names: Mapping[ReferenceKind, Mapping[str, str]]) -> Playbook:
    """The playbook with references by id turned into references by display name; texts and positions stay.

    `names` gives display names by id for each kind. A display name that is there itself is never taken for an id.
    """
    tables = {
        kind: {each: name for each, name in ids.items() if each not in ids.values()} for kind, ids in names.items()
    }
    return replace(playbook, steps=tuple(_renamed(step, tables) for step in playbook.steps))


def _renamed(step: InstructionStep, names: Mapping[ReferenceKind, Mapping[str, str]]) -> InstructionStep:
    references = tuple(
        replace(reference, name=names.get(reference.kind, {}).get(reference.name, reference.name))
        for reference in step.references
    )
    return InstructionStep(step.text, references, tuple(_renamed(nested, names) for nested in step.steps))


class _Judge:
    """Judges the references of one resource."""

    def __init__(self, known: Mapping[ReferenceKind, Collection[str]]) -> None:
        self._known = known
        self._comparisons = _MAX_COMPARISONS

    def verdict(self, kind: ReferenceKind, name: str) -> tuple[str, Severity] | None:
        """What is to be said of a reference; None when it is in order."""
        if name not in self._known[kind]:
            return self._no_such(kind, name), Severity.WARNING if kind is ReferenceKind.FLOW else Severity.ERROR
        if kind is ReferenceKind.FLOW:
            return f"flow {name!r} is kept, but flows are not run", Severity.REMARK
        return None

    def _no_such(self, kind: ReferenceKind, name: str) -> str:
        message = f"there is no {_WORDS[kind]} {name!r}"
        for other, names in self._known.items():
            if other is not kind and name in names:
                return f"{message}; that is the name of a {_WORDS[other]}"
        close = self._close(name, self._known[kind])
        return f"{message}; did you mean {' or '.join(map(repr, close))}?" if close else message

    def _close(self, name: str, names: Collection[str]) -> list[str]:
        """Names like that one, as long as they can be looked for at little cost."""
        self._comparisons -= len(names)
        if self._comparisons < 0 or len(name) > _LONGEST_NAME:
            return []
        by_folded = {candidate.casefold(): candidate for candidate in sorted(names)}
        return [by_folded[folded] for folded in get_close_matches(name.casefold(), by_folded)]


def _line(step: PlacedStep, reference: Reference) -> int | None:
    if step.line is None and "\n" not in step.text:
        return None
    return (step.line or 1) + step.text.count("\n", 0, reference.start)


def _named_in_actions(example: JsonObject) -> Iterator[tuple[ReferenceKind, str, str]]:
    for index, value in enumerate(as_list(example.get("actions"))):
        for field, key, kind in _FIELDS:
            name = as_object(as_object(value).get(field)).get(key)
            if isinstance(name, str) and name:
                yield kind, name, f"$.actions[{index}].{field}.{key}"


_FIELDS = (
    ("toolUse", "tool", ReferenceKind.TOOL),
    ("playbookInvocation", "playbook", ReferenceKind.PLAYBOOK),
    ("playbookTransition", "playbook", ReferenceKind.PLAYBOOK),
    ("flowInvocation", "flow", ReferenceKind.FLOW),
)
