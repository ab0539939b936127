"""Boosted trees: each looks at a few features and adds to, or takes from, the odds."""

import math
from collections.abc import Sequence
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

Tree: TypeAlias = "float | tuple[int, float, Tree, Tree]"
"""A leaf's number, or: which feature, the border, the tree up to the border, the tree above it."""

_EARLY = 25
"""Trees after which what is plainly wrong is given up."""
_HOPELESS = -6.5
"""Log odds that nothing comes back from."""


class BoostedTrees:
    """A model of one or several classes."""

    def __init__(self, stored: JsonObject) -> None:
        """From what `scripts.planner_training` writes: `base`, a number for each class, and `trees`, for one class
        after the other, each in preorder."""
        self._base = [float(number) for number in as_list(stored["base"])]
        trees = [_tree(as_list(tree)) for tree in as_list(stored["trees"])]
        self._early, self._late = trees[:_EARLY], trees[_EARLY:]

    def chance(self, row: Sequence[float]) -> float:
        """Of a model of one class."""
        odds = _walk(self._early, row, self._base[0])
        if odds >= _HOPELESS:
            odds = _walk(self._late, row, odds)
        return 1 / (1 + math.exp(-odds))

    def chances(self, row: Sequence[float]) -> list[float]:
        """Of each class, together 1."""
        count = len(self._base)
        odds = [_walk([*self._early, *self._late][number::count], row, base) for number, base in enumerate(self._base)]
        highest = max(odds)
        parts = [math.exp(each - highest) for each in odds]
        return [part / sum(parts) for part in parts]


def _walk(trees: Sequence[Tree], row: Sequence[float], odds: float) -> float:
    """The odds and what some trees add to them. Most of the planner's time is spent here, so all is in one loop."""
    for tree in trees:
        while isinstance(tree, tuple):
            feature, border, low, high = tree
            tree = low if row[feature] <= border else high
        odds += tree
    return odds


def _tree(stored: Sequence[JsonValue]) -> Tree:
    """A tree from preorder: a leaf is one number, an inner node two, its feature in a list of one."""
    tree, rest = _subtree(stored, 0)
    if rest != len(stored):
        raise ValueError("a tree of the weights has too many numbers")
    return tree


def _subtree(stored: Sequence[JsonValue], at: int) -> tuple[Tree, int]:
    if not isinstance(stored[at], list):
        return float(stored[at]), at + 1
    feature, border = int(stored[at][0]), float(stored[at][1])
    low, middle = _subtree(stored, at + 1)
    high, rest = _subtree(stored, middle)
    return (feature, border, low, high), rest
