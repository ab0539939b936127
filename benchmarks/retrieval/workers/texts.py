"""Passages and what is asked of them, the same in every run and for every system. Standard library only.

The frequencies of the words follow Zipf's law with the commonest English words in front, as in a language.
"""

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

STOP_WORDS = re.findall(
    r"\w+", "the of and to in a is that for it as was with be by on not he i this are or his from at which but"
)
CATEGORY, PRICE_BELOW = "c3", 500
"""Of the filter: every tenth passage has the category, and half of these the price."""

_SEED = 20261126
_VOCABULARY = 200_000
_WORDS = 65
_TITLE_WORDS = 4
_RARE_FROM = 200
"""Rank from which on a word is one that people search by."""


@dataclass(frozen=True, slots=True)
class Text:
    """One passage, a document of its own."""

    id: str
    title: str
    text: str
    category: str
    price: float


class Texts:
    """Makes all of them."""

    def __init__(self) -> None:
        self._chance = random.Random(_SEED)
        letters = "abcdefghijklmnopqrstuvwxyz"
        made = ("".join(self._chance.choices(letters, k=self._chance.randint(4, 9))) for _ in itertools.count())
        self._words = _distinct(made)
        self._weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self._words))))

    def passages(self, count: int) -> Iterator[Text]:
        """So many, each time from the first one on others."""
        for number in range(count):
            words = self._chance.choices(self._words, cum_weights=self._weights, k=_WORDS)
            price = float(self._chance.randint(0, 2 * PRICE_BELOW))
            yield Text(f"d{number}", " ".join(words[:_TITLE_WORDS]), " ".join(words), f"c{number % 10}", price)

    def keywords(self, count: int) -> Sequence[str]:
        """Three rarer words each."""
        words, weights = self._words[_RARE_FROM:], self._weights[_RARE_FROM:]
        base = self._weights[_RARE_FROM - 1]
        cumulated = [weight - base for weight in weights]
        return [" ".join(self._chance.choices(words, cum_weights=cumulated, k=3)) for _ in range(count)]

    def questions(self, count: int) -> Sequence[str]:
        """Seven words each, as they run."""
        return [" ".join(self._chance.choices(self._words, cum_weights=self._weights, k=7)) for _ in range(count)]


def _distinct(made: Iterator[str]) -> list[str]:
    words = dict.fromkeys(STOP_WORDS)
    while len(words) < _VOCABULARY:
        words[next(made)] = None
    return list(words)
