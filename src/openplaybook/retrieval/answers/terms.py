"""Terms of texts as answers compare them, and how much each of them tells."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from openplaybook.retrieval.language.analysis import analysis_of, is_single_character
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.language.stop_words import ASKING_PHRASES, STOP_WORDS

_STOP_WEIGHT = 0.05
"""Of a stop word, for an equally rare word with a topic."""


def terms(text: str, language: str) -> list[str]:
    """The terms of a text, in order, with repetitions. `language` is a BCP-47 code, or empty."""
    return [each.term for each in analysis_of(primary_subtag(language)).asked(text)]


def topics(text: str, language: str) -> list[str]:
    """The terms of a text without those of stop words, in order, with repetitions."""
    code = primary_subtag(language)
    if code in ASKING_PHRASES:
        told = [each for each in terms(_asking(code).sub(" ", text), language) if not is_single_character(each)]
        return told or terms(text, language)
    skipped = stop_terms(code)
    return [each for each in terms(text, language) if each not in skipped]


@cache
def _asking(language: str) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, ASKING_PHRASES[language])))


@cache
def stop_terms(language: str) -> frozenset[str]:
    """Terms of a language's stop words; none where the language, a primary subtag, has no list."""
    return frozenset(terms(" ".join(sorted(STOP_WORDS.get(language, ()))), language))


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much a term tells, learnt from the texts at hand: the fewer of them have it, the more."""

    count: int
    """Of the texts."""
    frequencies: Mapping[str, int]
    """Texts that have a term."""
    skipped: Set[str]
    """Terms of stop words."""

    @classmethod
    def of(cls, texts: Sequence[Set[str]], language: str) -> "TermWeights":
        """Weights after the terms of each text."""
        frequencies = Counter(term for text in texts for term in text)
        return cls(len(texts), frequencies, stop_terms(primary_subtag(language)))

    def weight(self, term: str) -> float:
        """Of one term, above 0; the highest where none of the texts has it."""
        rarity = math.log(1 + (self.count + 1) / (self.frequencies.get(term, 0) + 0.5))
        return rarity * _STOP_WEIGHT if term in self.skipped else rarity

    def total(self, those: Iterable[str]) -> float:
        """The weights of several terms, added."""
        return sum(self.weight(each) for each in those)

    def weighed(self, wanted: Set[str]) -> "WeighedTerms":
        """Terms with their weights, to be held against many texts."""
        # In order: a sum of floats depends on it, and the order of a set on the process.
        return WeighedTerms(tuple((each, self.weight(each)) for each in sorted(wanted)))

    def coverage(self, wanted: Set[str], given: Set[str]) -> float:
        """Share of the weight of `wanted` that is in `given`, 0 to 1; 0 where nothing is wanted."""
        return self.weighed(wanted).coverage(given)


@dataclass(frozen=True, slots=True)
class WeighedTerms:
    """What texts are held against."""

    weights: tuple[tuple[str, float], ...]

    def coverage(self, given: Set[str]) -> float:
        """Share of the weight that is in `given`, 0 to 1; 0 where there are no terms."""
        whole = shared = 0.0
        for term, weight in self.weights:
            whole += weight
            if term in given:
                shared += weight
        return shared / whole if whole else 0.0
