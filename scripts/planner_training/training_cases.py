"""The cases that are learned from, and the families of tools by which they are parted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from openplaybook.models.base import UserText
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.tool_cases import read_case

CALLS = ("simple_python", "multiple", "live_simple", "live_multiple")
REFUSALS = ("irrelevance", "live_irrelevance")
_ALIKE = 0.45
"""Share of words in common from which on two tools are of one family."""


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """A message, the tools, and what is right."""

    category: str
    text: str
    tools: tuple[LearnedTool, ...]
    right: int
    """Number of the right tool; -1 where none is."""
    answer: JsonObject
    """The values that each of its parameters may have."""
    weight: float = 1.0
    """How much it counts beside a real one."""
    left_out_weight: float = 1.0
    """How much of that counts where the answer leaves a parameter out."""


def read_cases(folder: Path, few: int | None) -> list[TrainingCase]:
    """The cases of all categories, of each the first `few`."""
    cases: list[TrainingCase] = []
    for category in (*CALLS, *REFUSALS):
        lines = (folder / f"{category}.jsonl").read_bytes().splitlines()[:few]
        cases += [_case(category, as_object(loads(line))) for line in lines]
    return cases


def _case(category: str, stored: JsonObject) -> TrainingCase:
    case = read_case(stored)
    tools = tuple(
        LearnedTool(each.name, each.action, each.description, each.input_schema) for each in case.declarations
    )
    gold = as_object(stored.get("gold"))
    name = next(iter(gold), "")
    names = [str(as_object(tool).get("name")) for tool in as_list(stored["tools"])]
    text = " ".join(entry.text for entry in case.entries if isinstance(entry, UserText))
    right = names.index(name) if name in names else -1
    return TrainingCase(category, text, tools, right, as_object(gold.get(name)))


def family_numbers(cases: Sequence[TrainingCase]) -> list[int]:
    """For each case the number of its tools' family: tools with many words in common are of one.

    Of a case without a right tool its first tool by name counts.
    """
    keys = [_key_tool(case) for case in cases]
    stems = [_stems(tool) if tool else frozenset[str]() for tool in keys]
    parents = list(range(len(cases)))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    distinct: dict[frozenset[str], int] = {}
    for number, own in enumerate(stems):
        parents[number] = distinct.setdefault(own, number)
    firsts = list(distinct.items())
    for at, (own, number) in enumerate(firsts):
        for other, other_number in firsts[:at]:
            if len(own & other) >= _ALIKE * len(own | other) > 0:
                parents[root(number)] = root(other_number)
    return [root(number) for number in range(len(cases))]


def _key_tool(case: TrainingCase) -> LearnedTool | None:
    if case.right >= 0:
        return case.tools[case.right]
    return min(case.tools, key=lambda tool: tool.name, default=None)


def _stems(tool: LearnedTool) -> frozenset[str]:
    return tool.name_stems | tool.about | tool.parameter_stems


def folds_of(families: Iterable[int], count: int) -> list[int]:
    """A fold for each case, whole families together, the largest first into the smallest fold."""
    families = list(families)
    sizes = {family: families.count(family) for family in set(families)}
    loads_of, fold_of = [0] * count, dict[int, int]()
    for family in sorted(sizes, key=lambda one: (-sizes[one], one)):
        fold = min(range(count), key=lambda number: loads_of[number])
        fold_of[family] = fold
        loads_of[fold] += sizes[family]
    return [fold_of[family] for family in families]
