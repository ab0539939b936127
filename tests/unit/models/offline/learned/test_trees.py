"""Walking trees."""

import math

import pytest

from openplaybook.models.offline.learned.trees import BoostedTrees


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_each_tree_adds_the_number_of_the_leaf_that_a_row_falls_into() -> None:
    trees = BoostedTrees({"base": [0.5], "trees": [[[0, 1.5], -1.0, [1, 0.0], 2.0, 3.0], [0.25]]})
    assert odds(trees.chance([1.5, 9.0])) == pytest.approx(0.5 - 1.0 + 0.25)
    assert odds(trees.chance([2.0, 0.0])) == pytest.approx(0.5 + 2.0 + 0.25)
    assert odds(trees.chance([2.0, 0.1])) == pytest.approx(0.5 + 3.0 + 0.25)


def test_what_is_plainly_wrong_is_given_up_early() -> None:
    trees = BoostedTrees({"base": [-10.0], "trees": [[0.0]] * 25 + [[20.0]]})
    assert trees.chance([]) == pytest.approx(1 / (1 + math.exp(10)))


def test_a_broken_tree_is_refused() -> None:
    with pytest.raises(ValueError, match="too many numbers"):
        BoostedTrees({"base": [0.0], "trees": [[1.0, 2.0]]})
