"""Which value is a parameter's: rows of pairs, and the two judgements, each learned on what the other folds know."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.learned.filled_values import scene_of
from openplaybook.models.offline.learned.joint_choice import rival_rows
from openplaybook.models.offline.learned.pair_features import PairScene
from openplaybook.models.offline.learned.trees import BoostedTrees
from openplaybook.models.offline.learned.utterance import utterance_of
from scripts.planner_training.boosting import Recipe, fitted, thinned
from scripts.planner_training.matching import allowed_at, is_allowed
from scripts.planner_training.training_cases import TrainingCase

FIRST = Recipe(rounds=160, rate=0.1, leaves=24, least=12, calm=3)
SECOND = Recipe(rounds=70, rate=0.1, leaves=14, least=12, calm=3)
_THINNED = 0.3


@dataclass(frozen=True, slots=True)
class PairModels:
    """The two judgements."""

    first: BoostedTrees
    second: BoostedTrees


@dataclass(frozen=True, slots=True)
class PairLessons:
    """What was learned of pairs."""

    stored_first: JsonObject
    stored_second: JsonObject
    without_fold: Sequence[PairModels]
    """By the fold that each did not see."""


def learn_pairs(cases: Sequence[TrainingCase], folds: Sequence[int], count: int) -> PairLessons:
    """Both judgements, from the cases that have a right tool."""
    often = Counter(case.tools[case.right].name for case in cases if case.weight == 1)
    scenes = [right_scene(case) for case in cases]
    labels = [label for case, scene in zip(cases, scenes, strict=True) for label in _labels(case, scene)]
    sizes = [sum(map(len, scene.rows)) for scene in scenes]
    weights = np.array(
        [
            weight / math.sqrt(often[case.tools[case.right].name])
            for case, scene in zip(cases, scenes, strict=True)
            for weight in _weights(case, scene)
        ]
    )
    fold_of = np.repeat(folds, sizes)
    rows = np.array([row for scene in scenes for group in scene.rows for row in group], dtype=np.float32)
    first_models = [BoostedTrees(_fit(rows, labels, weights, fold_of != fold, FIRST)) for fold in range(count)]
    beside: list[list[float]] = []
    for scene, fold in zip(scenes, folds, strict=True):
        alone = [[first_models[fold].chance(row) for row in group] for group in scene.rows]
        beside += [row for group in rival_rows(scene, alone) for row in group]
    more = np.hstack([rows, np.array(beside, dtype=np.float32)])
    second_models = [BoostedTrees(_fit(more, labels, weights, fold_of != fold, SECOND)) for fold in range(count)]
    everything = fold_of >= 0
    return PairLessons(
        _fit(rows, labels, weights, everything, FIRST),
        _fit(more, labels, weights, everything, SECOND),
        [PairModels(first, second) for first, second in zip(first_models, second_models, strict=True)],
    )


def right_scene(case: TrainingCase) -> PairScene:
    """The pairs of a case and its right tool."""
    tool = case.tools[case.right]
    return scene_of(utterance_of(case.text), tool.wants, tool.name_stems, None)


def _labels(case: TrainingCase, scene: PairScene) -> list[bool]:
    labels: list[bool] = []
    for want, options in zip(scene.wants, scene.options, strict=True):
        allowed = allowed_at(case.answer, want.path)
        labels += [one.value != "" and is_allowed(one.value, want.type, want.item_type, allowed) for one in options]
    return labels


def _weights(case: TrainingCase, scene: PairScene) -> Iterator[float]:
    for want, rows in zip(scene.wants, scene.rows, strict=True):
        is_left_out = allowed_at(case.answer, want.path) == [""]
        yield from [case.weight * (case.left_out_weight if is_left_out else 1.0)] * len(rows)


def _fit(rows: Any, labels: Sequence[bool], weights: Any, chosen: Any, recipe: Recipe) -> JsonObject:
    places = np.flatnonzero(chosen)
    own_labels = np.asarray(labels)[places]
    kept, own_weights = thinned(own_labels, weights[places], _THINNED)
    return fitted(rows[places[kept]], own_labels[kept], own_weights, recipe)
