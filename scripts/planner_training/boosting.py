"""Boosted trees, fitted by scikit-learn and written as numbers that the planner walks by itself."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from openplaybook.jsonvalues import JsonObject, JsonValue

_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """How trees are grown."""

    rounds: int
    rate: float
    leaves: int
    least: int
    """Rows in a leaf."""
    calm: float
    """Penalty on large leaves (L2)."""


def fitted(rows: Any, labels: Any, weights: Any, recipe: Recipe) -> JsonObject:
    """Trees as they are stored."""
    model: Any = cast("Any", HistGradientBoostingClassifier)(
        max_iter=recipe.rounds,
        learning_rate=recipe.rate,
        max_leaf_nodes=recipe.leaves,
        min_samples_leaf=recipe.least,
        l2_regularization=recipe.calm,
        early_stopping=False,
        random_state=0,
    )
    model.fit(np.asarray(rows), np.asarray(labels), sample_weight=np.asarray(weights))
    return _stored(model)


def thinned(labels: Any, weights: Any, share: float) -> tuple[Any, Any]:
    """Numbers of all right rows and a share of the wrong ones, and weights that make up for it."""
    right = np.asarray(labels, dtype=bool)
    kept = right | (np.random.default_rng(0).random(len(right)) < share)
    return np.flatnonzero(kept), (np.asarray(weights) * np.where(right, 1.0, 1 / share))[kept]


def _stored(model: Any) -> JsonObject:
    trees = [_tree(tree.nodes, 0) for stage in model._predictors for tree in stage]
    return {"base": [_short(number) for number in np.ravel(model._baseline_prediction)], "trees": trees}


def _tree(nodes: Any, at: int) -> list[JsonValue]:
    node = nodes[at]
    if node["is_leaf"]:
        return [_short(node["value"])]
    own: JsonValue = [int(node["feature_idx"]), _short(node["num_threshold"])]
    return [own, *_tree(nodes, int(node["left"])), *_tree(nodes, int(node["right"]))]


def _short(number: float) -> float:
    return float(f"{float(number):.{_DIGITS}g}")
