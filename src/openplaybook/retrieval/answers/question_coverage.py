"""Whether passages are about what a question asks, so that a sentence of them may be its answer.

A search finds something for nearly every question. What it found is not about the question where no passage holds most
of the question's words together: rare words count more, names and numbers most, and one word alone tells little beside
others that are missing. Measured by `benchmarks.retrieval.answers`.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import replace

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.proper_names import proper_names
from openplaybook.retrieval.answers.terms import terms, topics
from openplaybook.retrieval.language.detection import primary_subtag

LEAST_COVERAGE = 0.34
"""Below it a question is not answered. In a language that writes no blanks it is not looked at."""
BY_PAIRS = frozenset(("zh", "ja", "th", "ko"))
"""Languages whose texts are compared by pairs of characters."""
_NAMED = 1.5
"""What a name or a number counts for, where another word of its rarity counts for 1."""
_TOGETHER = 2
"""Words of the question that stand in one passage, from which on they say which matter it is about."""
_MOST_ASKED = 100
"""Words of a question that are looked at."""
_MOST_PASSAGES = 5
_MOST_SAID = 12_000
"""Characters of a passage that are looked at."""


def holds_question(query: str, passages: Sequence[Snippet], language: str, least: float = LEAST_COVERAGE) -> bool:
    """Whether the best passages, which are given first, hold so much of a question that one may answer it.

    A text without blanks is compared by pairs of characters, which two texts on different matters share by chance: it
    is not told from others here.
    """
    if primary_subtag(language) in BY_PAIRS:
        return True
    shown = [replace(each, text=each.text[:_MOST_SAID]) for each in passages[:_MOST_PASSAGES]]
    return question_coverage(query, shown, language) >= least


def question_coverage(query: str, passages: Sequence[Snippet], language: str) -> float:
    """How much of a question the best passage holds, 0 to 1; a question that says nothing is not held by any."""
    wanted = sorted(set(topics(query, language)) or set(terms(query, language)))[:_MOST_ASKED]
    said = [frozenset(terms(f"{each.title} {each.text}", language)) for each in passages]
    if not wanted or not said:
        return 0.0
    names = frozenset(
        term for each in proper_names(query, language) if each.is_certain for term in terms(each.text, language)
    )
    weights = {term: _weight(term, said, names) for term in wanted}
    return max(_held(weights, each) for each in said) / sum(weights.values())


def _weight(term: str, said: Sequence[Set[str]], names: Set[str]) -> float:
    """Of one word of the question: the fewer of the passages have it, the more it tells."""
    frequency = sum(term in each for each in said)
    rarity = math.sqrt(math.log(1 + (len(said) + 1) / (frequency + 0.5)))
    return rarity * _NAMED if term in names or term.isdecimal() else rarity


def _held(weights: dict[str, float], said: Set[str]) -> float:
    held = [weight for term, weight in weights.items() if term in said]
    return sum(held) * min(1.0, len(held) / _TOGETHER)
