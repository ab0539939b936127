"""What judging a value would take, found out before: checks times values, and steps over texts.

The estimate is never too small, and mostly too large. It decides where a value is judged, never what comes of it.
"""

from dataclasses import dataclass
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.schema.expansion import ValidationCost, weight_of
from openplaybook.tools.schema.tally import CheckTally, Uncounted, text_checks

MAX_DEPTH = 200
"""Levels of lists and objects in a value; the validator descends by recursion."""

AT_ONCE = 20_000
"""Checks that are made where a value is wanted: some milliseconds."""

TOLD_AT_ONCE = 400
"""Checks of which each may fail and be told of at once: an error costs a hundred times what a check does."""

_MAX_VALUES = 20_000
_MAX_CHARACTERS = 200_000
_CAP = 10**9
_FEW_LARGE = 100


@dataclass(frozen=True, slots=True)
class Size:
    """How large a value is."""

    values: int
    depth: int
    """Levels of lists and objects."""
    texts: int
    characters: int
    longest: int
    """Characters of the longest text, the names of an object's members counted as one."""
    large_numbers: int
    """Numbers that no machine word holds, which are compared slowly."""
    weight: int
    """Checks that take as long as comparing each of these once."""


SMALL = Size(values=33, depth=1, texts=64, characters=4_000, longest=2_000, large_numbers=0, weight=0)
"""No value for which `is_small` holds is larger."""

_PLAIN = frozenset({bool, type(None)})


def is_small(value: JsonValue) -> bool:
    """Whether a value is an object of a few short texts and numbers, found out in a fraction of what `measure` takes:
    most arguments of tools are."""
    kind = cast(type[object], type(value))
    if kind is not dict or len(value) >= SMALL.values:
        return False
    longest = len("".join(value))
    characters = longest
    for item in value.values():
        each = item.__class__
        if each is str:
            length = len(item)
            characters += length
            longest = length if length > longest else longest
        elif each not in _PLAIN and ((each is not int and each is not float) or weight_of(item)):
            return False
    return characters <= SMALL.characters and longest <= SMALL.longest


def measure(value: JsonValue) -> Size | None:
    """The size of a value; None when it is too large to be worth counting."""
    if isinstance(value, str):
        return Size(1, 0, 1, len(value), len(value), 0, 0) if len(value) <= _MAX_CHARACTERS else None
    layer: list[JsonValue] = [value]
    values = texts = characters = longest = large = weight = 0
    depth = -1
    while layer:
        depth += 1
        values += len(layer)
        if values > _MAX_VALUES or characters > _MAX_CHARACTERS:
            return None
        inner: list[JsonValue] = []
        for each in layer:
            if isinstance(each, str):
                length = len(each)
                texts += 1
                characters += length
                longest = length if length > longest else longest
            elif isinstance(each, dict):
                members = cast(JsonObject, each)
                inner += members.values()
                texts += len(members)
                length = len("".join(members))
                characters += length
                longest = length if length > longest else longest
            elif isinstance(each, list):
                inner += cast(list[JsonValue], each)
            elif weight_here := weight_of(each):
                large += 1
                weight += weight_here
            if len(inner) > _MAX_VALUES:
                return None
        layer = inner
    return Size(values, depth, texts, characters, longest, large, weight) if characters <= _MAX_CHARACTERS else None


def checks(cost: ValidationCost, size: Size) -> int:
    """How many checks a value of a size may take, those that texts take not counted."""
    return min(_CAP, size.values * cost.worst.checks * _times(cost, size))


def effort(cost: ValidationCost, size: Size) -> int:
    """How many checks a value of a size may take, with those that its texts take."""
    of_texts = text_checks(cost.worst, size.texts, size.characters, size.longest)
    of_numbers = size.weight * cost.worst.numbers
    total = checks(cost, size) + (of_texts + of_numbers) * _times(cost, size)
    if cost.compares_items:
        total += size.values + size.large_numbers * size.weight
    return min(_CAP, total)


def exact(schema: JsonObject, size: Size, value: JsonValue) -> int | None:
    """How many checks a value takes by a schema, counted part by part; None where they are too many to be counted."""
    if size.large_numbers > _FEW_LARGE:
        return None
    try:
        return CheckTally(schema, size.large_numbers, size.weight).checks(value)
    except Uncounted:
        return None


def _times(cost: ValidationCost, size: Size) -> int:
    """How often the same part of a value may be judged, by schemas within schemas that apply to the same value."""
    growth = max(cost.worst.of_members, cost.worst.of_items)
    return 1 if growth <= 1 else min(_CAP, growth ** min(size.depth, 30))
