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
        self._trees = [_tree(as_list(tree)) for tree in as_list(stored["trees"])]

    def chance(self, row: Sequence[float]) -> float:
        """Of a model of one class."""
        odds = self._base[0]
        for number, tree in enumerate(self._trees):
            if number == _EARLY and odds < _HOPELESS:
                break
            odds += _leaf(tree, row)
        return 1 / (1 + math.exp(-odds))

    def chances(self, row: Sequence[float]) -> list[float]:
        """Of each class, together 1."""
        count = len(self._base)
        odds = [
            base + sum(_leaf(tree, row) for tree in self._trees[number::count])
            for number, base in enumerate(self._base)
        ]
        highest = max(odds)
        parts = [math.exp(each - highest) for each in odds]
        return [part / sum(parts) for part in parts]


def _leaf(tree: Tree, row: Sequence[float]) -> float:
    while isinstance(tree, tuple):
        tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
    return tree


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
