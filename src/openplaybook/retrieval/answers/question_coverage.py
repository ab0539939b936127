"""Whether passages are about what a question asks, so that a sentence of them may be its answer.

A search finds something for nearly every question. What it found is not about the question where no passage holds most
of the question's words together: words that are rare in the store count more, names and numbers most, and one word
alone tells little beside others that are missing. A word that differs from one of the passage in its ending, or is a
part of a compound, counts nearly as much as the same word. Measured by `benchmarks.retrieval.answers`.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from openplaybook.retrieval.answers.base import Snippet
from openplaybook.retrieval.answers.proper_names import proper_names
from openplaybook.retrieval.answers.terms import terms, topics
from openplaybook.retrieval.base import WordCounts
from openplaybook.retrieval.language.detection import primary_subtag

LEAST_COVERAGE: float = 0.38
"""Below it a question is not answered."""
BY_PAIRS = frozenset(("zh", "ja", "th", "ko"))
"""Languages whose texts are compared by pairs of characters."""
_LEAST: Mapping[str, float] = {
    "en": 0.42, "de": 0.4, "es": 0.42, "ru": 0.35, "ar": 0.33, "zh": 0.24, "ja": 0.24, "ko": 0.2, "th": 0.42,
}  # fmt: skip
"""The same where words have more forms than their stems bring together, and where pairs of characters are compared,
many of which lie across two words."""
_NAMED = 1.5
"""What a name or a number counts for, where another word of its rarity counts for 1."""
_TOGETHER = 2
"""Words of the question that stand in one passage, from which on they say which matter it is about."""
_AKIN = 0.7
"""What a word counts for of which another form stands in the passage."""
_BEGINNING = 4
"""Letters that two forms of a word begin with, at least."""
_ALIKE = 0.7
"""Share of the longer one's letters that they begin with, at least."""
_GROWING = frozenset(("tr", "az", "fi", "hu"))
"""Languages that put many endings behind a word, one after the other."""
_GROWN = 5
"""Letters that two of their words begin with alike, at least, unless one is the beginning of the other."""
_COMPOUNDING = frozenset(("de", "nl", "sv", "da", "no"))
_LEAST_PART = 5
"""Letters of the part of a compound."""
_LEAST_TAIL = 4
"""Letters of its last part, which says what it is."""
_AFFIXED = 3
"""Letters that are written to an Arabic word before and behind, at most: articles, prepositions, pronouns."""
MOST_ASKED = 100
"""Words of a question that are looked at."""
_MOST_PASSAGES = 5
_MOST_SAID = 12_000
"""Characters of a passage that are looked at."""


def least_coverage(language: str) -> float:
    """How much of a question passages have to hold, by default. `language` is a BCP-47 code, or empty."""
    return _LEAST.get(primary_subtag(language), LEAST_COVERAGE)


def holds_question(
    query: str,
    passages: Sequence[Snippet],
    language: str,
    counts: WordCounts | None = None,
    least: float | None = None,
) -> bool:
    """Whether the best passages, which are given first, hold so much of a question that one may answer it.

    `counts` say how rare words are in the store; without them it is learnt from the passages. `least` is
    `least_coverage` where it is not said.
    """
    shown = [replace(each, text=each.text[:_MOST_SAID]) for each in passages[:_MOST_PASSAGES]]
    wanted = least_coverage(language) if least is None else least
    return question_coverage(query, shown, language, counts) >= wanted


def question_coverage(
    query: str, passages: Sequence[Snippet], language: str, counts: WordCounts | None = None
) -> float:
    """How much of a question the best passage holds, 0 to 1; a question that says nothing is not held by any."""
    wanted = sorted(set(topics(query, language)) or set(terms(query, language)))[:MOST_ASKED]
    if not wanted or not passages:
        return 0.0
    code = primary_subtag(language)
    said = [_Said(frozenset(terms(f"{each.title} {each.text}", language)), code) for each in passages]
    names = frozenset(
        term for each in proper_names(query, language) if each.is_certain for term in terms(each.text, language)
    )
    held = {term: [each.share(term) for each in said] for term in wanted}
    weights = {term: _weight(term, held[term], counts, names) for term in wanted}
    return max(_held(weights, held, at) for at in range(len(said))) / sum(weights.values())


class _Said:
    """The terms of a passage."""

    def __init__(self, said: Set[str], language: str) -> None:
        self._said = said
        self._language = language

    def share(self, term: str) -> float:
        """1 for a term of the passage, less for one that is akin to one of its terms, 0 for all others."""
        if term in self._said:
            return 1.0
        return 0.0 if akin_term(term, self._said, self._language) == term else _AKIN


def akin_term(term: str, known: Set[str], language: str) -> str:
    """The term, or where texts do not have it, one of theirs that is another form of it, or a compound with it."""
    code = primary_subtag(language)
    if term in known or code in BY_PAIRS or len(term) < _BEGINNING or term.isdecimal():
        return term
    alike = _grow_alike if code in _GROWING else _begin_alike
    akin = [each for each in known if each.startswith(term[:_BEGINNING]) and alike(term, each)]
    if not akin and code in _COMPOUNDING:
        akin = [each for each in known if _is_part(each, term) or _is_part(term, each)]
    if not akin and code == "ar":
        akin = [each for each in known if _is_affixed(*sorted((term, each), key=len))]
    return min(akin, key=lambda each: (abs(len(each) - len(term)), each), default=term)


def _begin_alike(one: str, other: str) -> bool:
    return _shared(one, other) >= _ALIKE * max(len(one), len(other))


def _grow_alike(one: str, other: str) -> bool:
    shared = _shared(one, other)
    return shared >= _GROWN or shared == min(len(one), len(other))


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    different = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(different, min(len(one), len(other)))


def _is_part(part: str, whole: str) -> bool:
    if len(part) >= _LEAST_PART and part in whole:
        return True
    return len(part) >= _LEAST_TAIL and whole.endswith(part)


def _is_affixed(shorter: str, longer: str) -> bool:
    return len(shorter) >= _BEGINNING and len(longer) - len(shorter) <= _AFFIXED and shorter in longer


def _weight(term: str, held: Sequence[float], counts: WordCounts | None, names: Set[str]) -> float:
    """Of one word of the question: the fewer passages of the store have it, the more it tells."""
    here = sum(share > 0 for share in held)
    passages = len(held) if counts is None else max(counts.passages, len(held))
    known = 0 if counts is None else counts.by_term.get(term, 0)
    # A word that nobody writes tells as much as one that one passage has.
    rarity = math.log(1 + (passages + 1) / (max(here, known, 1) + 0.5))
    return rarity * _NAMED if term in names or term.isdecimal() else rarity


def _held(weights: Mapping[str, float], held: Mapping[str, Sequence[float]], at: int) -> float:
    """The weight of what one passage holds."""
    found = [weight * held[term][at] for term, weight in weights.items() if held[term][at]]
    return sum(found) * min(1.0, len(found) / min(_TOGETHER, len(weights)))
