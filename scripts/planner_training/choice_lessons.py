"""Which tool is right, and whether the call would be exact: learned on how well each tool could be filled."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.learned.filled_values import Filling, filled, judged, scene_of
from openplaybook.models.offline.learned.tool_choice import choice_row, likeliest
from openplaybook.models.offline.learned.tool_features import LearnedTool, Meanings, tool_rows
from openplaybook.models.offline.learned.trees import BoostedTrees
from openplaybook.models.offline.learned.utterance import utterance_of
from scripts.planner_training.boosting import Recipe, fitted
from scripts.planner_training.matching import is_exact
from scripts.planner_training.pair_lessons import PairModels
from scripts.planner_training.training_cases import TrainingCase

RECIPE = Recipe(rounds=100, rate=0.07, leaves=8, least=20, calm=5)
_REFUSAL_WEIGHT = 1.1

Fillings = dict[tuple[int, int], Filling]
"""By the numbers of case and tool: made once for all kinds."""

MeaningsOf = Callable[[str, Sequence[LearnedTool]], Meanings | None]


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """A call that could be made for a case, judged by trees that had not seen its family."""

    case: int
    tool: int
    is_right: bool
    is_exact: bool
    is_whole: bool
    """Whether nothing that is needed is missing or only guessed."""
    right: float
    exact: float


@dataclass(frozen=True, slots=True)
class ChoiceLessons:
    """What was learned of tools."""

    stored_right: JsonObject
    stored_exact: JsonObject
    calls: Sequence[JudgedCall]


@dataclass(frozen=True, slots=True)
class _Row:
    case: int
    tool: int
    features: list[float]
    is_right: bool
    is_exact: bool
    is_whole: bool


def learn_choice(
    cases: Sequence[TrainingCase],
    folds: Sequence[int],
    pairs: Sequence[PairModels],
    meanings_of: MeaningsOf,
    known: Fillings,
) -> ChoiceLessons:
    """Both judgements of tools; each case is filled by the trees that had not seen its family."""
    rows = [
        row
        for number, case in enumerate(cases)
        for row in _rows(number, case, pairs[folds[number]], meanings_of, known)
    ]
    often = Counter(case.tools[case.right].name for case in cases if case.right >= 0 and case.weight == 1)
    weights = np.array([_weight(cases[row.case], often) for row in rows])
    fold_of = np.array([folds[row.case] for row in rows])
    features = np.array([row.features for row in rows], dtype=np.float32)
    is_right, exact = np.array([row.is_right for row in rows]), np.array([row.is_exact for row in rows])
    right = _out_of_fold(features, is_right, weights, fold_of)
    more = np.hstack([features, right[:, None]])
    sure = _out_of_fold(more, exact, weights, fold_of)
    calls = [
        JudgedCall(row.case, row.tool, row.is_right, row.is_exact, row.is_whole, float(right[at]), float(sure[at]))
        for at, row in enumerate(rows)
    ]
    return ChoiceLessons(fitted(features, is_right, weights, RECIPE), fitted(more, exact, weights, RECIPE), calls)


def _rows(number: int, case: TrainingCase, pairs: PairModels, meanings_of: MeaningsOf, known: Fillings) -> list[_Row]:
    words = utterance_of(case.text)
    if not case.tools:
        return []
    features = tool_rows(words, case.tools, meanings_of(words.text, case.tools))
    fillings: dict[int, Filling] = {}
    for at in likeliest(features):
        if (number, at) not in known:
            scene = scene_of(words, case.tools[at].wants, case.tools[at].name_stems, None)
            known[number, at] = filled(scene, judged(scene, pairs.first, pairs.second))
        fillings[at] = known[number, at]
    rows: list[_Row] = []
    for at, filling in fillings.items():
        is_guessed = any(chosen.is_guessed for chosen in filling.choice.values)
        is_right, is_whole = at == case.right, not filling.choice.missing and not is_guessed
        exact = is_right and is_whole and is_exact(filling.arguments, case.answer, case.tools[at].input_schema)
        rows.append(_Row(number, at, choice_row(features, fillings, at), is_right, exact, is_whole))
    return rows


def _weight(case: TrainingCase, often: Counter[str]) -> float:
    share = 1 / math.sqrt(max(1, often[case.tools[case.right].name])) if case.right >= 0 else _REFUSAL_WEIGHT
    return case.weight * share


def _out_of_fold(rows: Any, labels: Any, weights: Any, fold_of: Any) -> Any:
    chances = np.zeros(len(rows))
    for fold in sorted(set(fold_of.tolist())):
        own = fold_of == fold
        model = BoostedTrees(fitted(rows[~own], labels[~own], weights[~own], RECIPE))
        chances[own] = [model.chance(row) for row in rows[own].tolist()]
    return chances
