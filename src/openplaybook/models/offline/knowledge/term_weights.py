"""Comparing utterances by weighted words."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.models.offline.language.lexicon import QUESTION_WORDS
from openplaybook.models.offline.language.tokenizer import Reading, WordToken, is_general_word

_STOP, _QUESTION, _NAME, _UNREADABLE = 0.25, 0.5, 0.5, 0.3
_UNKNOWN_STOP = 0.8
_SLOT_MARK = "="


@dataclass(frozen=True, slots=True)
class Weights:
    """How much a term tells apart what an agent can do: the fewer things share it, the more."""

    by_key: Mapping[str, float]
    unknown: float
    """Of a word that the agent never uses: it speaks against every candidate."""

    def of(self, term: str, *, share: float = 1.0) -> float:
        """The weight of a term, from 0 to 1.5; `share` is what its part of speech leaves of it."""
        if term.startswith(_SLOT_MARK):
            return 1.0
        return self.by_key.get(term, self.unknown if share == 1 else _UNKNOWN_STOP) * share


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an utterance with their weights."""

    weights: Mapping[str, float]
    length: float
    """Of the vector that the weights are."""
    slots: frozenset[str]
    """Those terms that stand for slots."""


def learn_weights(groups: Sequence[Collection[str]]) -> Weights:
    """Weights from the keys that each group (an action, a kind of small talk) uses."""
    top = math.log((len(groups) + 1) / 0.5)
    counts: dict[str, int] = {}
    for group in groups:
        for key in set(group):
            counts[key] = counts.get(key, 0) + 1
    weights = {key: 0.5 + math.log((len(groups) + 1) / (count + 0.5)) / top for key, count in counts.items()}
    return Weights(weights, 1.5)


def terms_of(
    reading: Reading,
    weights: Weights,
    places: Iterable[tuple[int, int, str]],
    *,
    names: Collection[int] = (),
    is_foreign: bool = False,
) -> Terms:
    """The weighted terms of an utterance; the words at `places` (start, end, name of a slot) count as that slot.

    Words that begin at `names` are somebody's name and tell little of what is wanted. So do a foreign utterance's
    words that nobody knows: they are not known to be about something else.
    """
    masked = list(places)
    terms: dict[str, float] = {}
    for token in reading.words:
        slot = _slot_at(token, masked) if masked else None
        term = token.key if slot is None else _SLOT_MARK + slot
        weight = weights.of(term, share=1.0 if slot is not None else _share(token, names))
        if is_foreign and slot is None and term not in weights.by_key and not is_general_word(token, reading.language):
            weight *= _UNREADABLE
        terms[term] = weight
    length = math.sqrt(sum(weight * weight for weight in terms.values()))
    return Terms(terms, length, frozenset(term for term in terms if term.startswith(_SLOT_MARK)))


def _slot_at(token: WordToken, places: Sequence[tuple[int, int, str]]) -> str | None:
    return next((name for start, end, name in places if start <= token.start and token.end <= end), None)


def _share(token: WordToken, names: Collection[int]) -> float:
    if token.is_number or token.start in names:
        return _NAME
    if token.key in QUESTION_WORDS:
        return _QUESTION
    return _STOP if token.is_stop else 1.0


def similarity(one: Terms, other: Terms) -> float:
    """Cosine of two utterances, 0 to 1."""
    theirs = other.weights
    shared = sum([weight * theirs[term] for term, weight in one.weights.items() if term in theirs])
    return shared / (one.length * other.length) if shared else 0.0


class Postings:
    """Many utterances by their terms: what one is compared with all of them by."""

    def __init__(self, utterances: Sequence[Terms]) -> None:
        self._lengths = [utterance.length for utterance in utterances]
        self._by_term: dict[str, list[tuple[int, float]]] = {}
        for number, utterance in enumerate(utterances):
            for term, weight in utterance.weights.items():
                self._by_term.setdefault(term, []).append((number, weight))

    def similarities(self, terms: Terms) -> list[float]:
        """The cosine with each of them, 0 to 1, in their order."""
        shared = [0.0] * len(self._lengths)
        for term, weight in terms.weights.items():
            for number, other in self._by_term.get(term, ()):
                shared[number] += weight * other
        length = terms.length
        return [each / (length * other) if each else 0.0 for each, other in zip(shared, self._lengths, strict=True)]


def coverage(terms: Terms, about: Collection[str], parameters: Collection[str]) -> float:
    """Share of an utterance's weight that a description speaks of, 0 to 1.

    Slots and words that name parameters count as spoken of, but only beside a word of the description itself.
    """
    if not any(term in about for term in terms.weights):
        return 0.0
    covered = sum(
        weight for term, weight in terms.weights.items() if term in about or term in parameters or term in terms.slots
    )
    return covered / sum(terms.weights.values())
