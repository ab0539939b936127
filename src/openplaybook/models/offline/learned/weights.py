"""The weights of the trees, read once from the file beside this one."""

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openplaybook.jsonvalues import as_object, loads
from openplaybook.models.offline.learned.trees import BoostedTrees

FILE = Path(__file__).with_name("weights.json.gz")


@dataclass(frozen=True, slots=True)
class ChoiceTrees:
    """Those that judge functions."""

    right: BoostedTrees
    """Whether a function is the one that is meant."""
    exact: BoostedTrees
    """Whether the call would be just what the user means."""


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """All trees."""

    pair: BoostedTrees
    """Whether a value is a parameter's."""
    rival: BoostedTrees
    """The same, when the first judgement of its rivals is known."""
    by_words: ChoiceTrees
    """Where no encoder is installed."""
    by_meaning: ChoiceTrees


@cache
def learned_weights() -> LearnedWeights:
    """The weights of this version."""
    stored = as_object(loads(gzip.decompress(FILE.read_bytes())))

    def trees(name: str) -> BoostedTrees:
        return BoostedTrees(as_object(stored[name]))

    return LearnedWeights(
        pair=trees("pair"),
        rival=trees("rival"),
        by_words=ChoiceTrees(trees("right_by_words"), trees("exact_by_words")),
        by_meaning=ChoiceTrees(trees("right_by_meaning"), trees("exact_by_meaning")),
    )
