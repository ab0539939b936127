"""Which function is meant, with which values, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from openplaybook.models.offline.learned.filled_values import Filling, filled, judged, scene_of
from openplaybook.models.offline.learned.tool_features import MEANING, LearnedTool, Meanings, tool_rows
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.weights import LearnedWeights, learned_weights

MOST_FILLED = 4
"""Functions whose parameters are looked at."""


@dataclass(frozen=True, slots=True)
class LearnedCall:
    """A function that may be meant."""

    tool: LearnedTool
    filling: Filling
    right: float
    """Chance that it is meant."""
    exact: float
    """Chance that the call is just what the user means."""


def likeliest(rows: Sequence[Sequence[float]]) -> list[int]:
    """The numbers of the functions that are looked at, by what their words and meanings say."""

    def promise(number: int) -> float:
        row = rows[number]
        return row[MEANING] * 3 + row[0] * 0.15 + row[3]

    return sorted(range(len(rows)), key=lambda number: -promise(number))[:MOST_FILLED]


def choice_row(rows: Sequence[Sequence[float]], fillings: dict[int, Filling], number: int) -> list[float]:
    """All that is known of a function: its own features, its filling's, and the best of the others' fillings."""
    others = (filling.mean_needed for other, filling in fillings.items() if other != number)
    return [*rows[number], *fillings[number].features, max(others, default=0.0)]


def learned_calls(
    words: HeardUtterance,
    tools: Sequence[LearnedTool],
    weights: LearnedWeights,
    *,
    meanings: Meanings | None = None,
    today: date | None = None,
) -> list[LearnedCall]:
    """The functions that may be meant, likeliest first."""
    if not tools:
        return []
    rows = tool_rows(words, tools, meanings)
    fillings: dict[int, Filling] = {}
    for number in likeliest(rows):
        scene = scene_of(words, tools[number].wants, tools[number].name_stems, today)
        fillings[number] = filled(scene, judged(scene, weights.pair, weights.rival))
    trees = weights.by_meaning if meanings else weights.by_words
    calls: list[LearnedCall] = []
    for number, filling in fillings.items():
        row = choice_row(rows, fillings, number)
        right = trees.right.chance(row)
        exact = 0.0 if filling.choice.missing else trees.exact.chance([*row, right])
        calls.append(LearnedCall(tools[number], filling, right, exact))
    return sorted(calls, key=lambda call: -call.right)


@lru_cache(maxsize=128)
def calls_heard(
    words: HeardUtterance, tools: tuple[LearnedTool, ...], today: date, meanings: Meanings | None
) -> Sequence[LearnedCall]:
    """The functions that may be meant by the shipped weights, likeliest first; the same words are heard once, though
    each turn of a conversation looks at those before."""
    return learned_calls(words, tools, learned_weights(), meanings=meanings, today=today)
