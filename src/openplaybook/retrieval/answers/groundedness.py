"""How well facts support an answer: per claim by the words that they share, with a veto on what no fact says.

Words alone do not tell a reworded sentence from one with a wrong number, which shares more of them. Hence the veto:
a number, a date, a unit or a name of the claim that the facts do not have makes the claim unsupported. A sentence that
joins what two facts say is held against them clause by clause.
Source: "Check grounding" of Vertex AI Agent Builder, for claims, scores and citations.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice, pairwise

from openplaybook.retrieval.answers.back_references import denies
from openplaybook.retrieval.answers.base import Claim, ClaimJudge, Grounding, GroundingLevel
from openplaybook.retrieval.answers.claims import ClaimSpan, claims_of
from openplaybook.retrieval.answers.figure_index import FigureIndex
from openplaybook.retrieval.answers.number_words import (
    MONTHS,
    MULTIPLIERS,
    NUMBER_WORDS,
    UNITS,
    is_figure_word,
    months_said,
)
from openplaybook.retrieval.answers.proper_names import initials, missing_names, proper_names
from openplaybook.retrieval.answers.quantities import Figures, figures
from openplaybook.retrieval.answers.terms import TermWeights, WeighedTerms, terms
from openplaybook.retrieval.language.detection import detected, primary_subtag
from openplaybook.retrieval.language.sentences import sentences

CITATION_THRESHOLD = 0.6
"""Support from which on a fact is cited (`citationThreshold`)."""
MAX_FACTS = 200
MAX_FACT = 20_000
"""Characters of a fact that are looked at."""
MAX_ANSWER = 20_000
"""Characters of an answer that are looked at."""

_CUTS = (
    (0.85, GroundingLevel.VERY_HIGH),
    (0.55, GroundingLevel.HIGH),
    (0.4, GroundingLevel.MEDIUM),
    (0.25, GroundingLevel.LOW),
)
"""Scores from which on a level is reached."""
_VETOED = 0.2
"""What is left of the score of a claim with a number, date, unit or name that no fact has: too little for LOW."""
_DOUBTED = 0.8
"""What is left where a word that may be a name is in no fact."""
_NEGATED = 0.38
"""What is left where only one of claim and fact says `not`."""
_ELSEWHERE = 0.38
"""What is left where a name is in another fact, or a number is not near the words that support the claim."""
_NEAR = 0.6
"""Weight of the closest sentences for the claim's score; the rest is that of the whole fact."""
_COMPOUNDING = {"de", "nl", "sv", "da", "no"}
"""Languages that join nouns to one word, of which a summary may take the last part alone."""
_LEAST_PART = 4
"""Letters of a part."""
_MOST_COMPARED = 20_000
"""Terms of facts up to which compounds are looked for."""
_LOOKED_INTO = 10
"""Facts, those with most of a claim's words, whose sentences are looked at."""
_PLACES = 20
"""Places of a fact whose numbers are looked at."""
_ALIKE = 0.9
"""Places of a fact that share so much of what the best one does support the claim, too."""
_OF_TWO_FACTS = 0.54
"""Most that a claim is given whose clauses are supported by a fact each: MEDIUM, since what joins them is not."""
_CLAUSE = 0.6
"""Support of each of them, at least."""
_LEAST_TERMS = 3
"""Terms of a clause, at least."""
_BY_SIGNS = frozenset(("zh", "ja", "ko"))
"""Languages whose single signs are compared besides the pairs of them, many of which lie across two words."""
_SIGNS = re.compile("[\u3400-\u9fff\u30a1-\u30fa\uac00-\ud7af]")
_MOST_JOINTS = 6
"""Places at which a claim is cut in two."""
_JOINT = re.compile(
    r"[,;:，、；،؛–—]|(?<=\s)(?:and|but|while|whereas|und|aber|während|y|e|pero|mientras|et|mais|tandis|ma|mentre|mas|en|maar|"
    r"terwijl|и|а|но|ve|ama|και|αλλά|और|लेकिन)(?=\s)|(?<=\s)و(?=\w)"
)


@dataclass(frozen=True, slots=True)
class _Window:
    """A sentence, or two of a fact that follow each other."""

    text: str
    terms: frozenset[str]
    denies: bool
    """Whether it says `not`."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What facts are asked for a claim."""

    text: str
    terms: WeighedTerms
    figures: Figures
    names: Sequence[Set[str]]
    """Terms of each of its names."""
    denies: bool


def level_of(score: float) -> GroundingLevel:
    """The level of a score between 0 and 1."""
    return next((level for least, level in _CUTS if score >= least), GroundingLevel.VERY_LOW)


def grounded(
    answer: str,
    facts: Sequence[str],
    language: str = "",
    *,
    heuristics_disabled: bool = False,
    threshold: float = CITATION_THRESHOLD,
) -> Grounding:
    """What facts say to an answer; blocks for some milliseconds.

    `heuristics_disabled` switches the veto off. `threshold`: support from which on a fact is cited.
    """
    code = primary_subtag(language) or detected(answer)
    checked = _Checked(facts[:MAX_FACTS], code, heuristics_disabled, threshold)
    return _total([checked.claim(each) for each in claims_of(answer[:MAX_ANSWER], code)], is_judged=False)


async def judged(grounding: Grounding, facts: Sequence[str], judge: ClaimJudge) -> Grounding:
    """The same with scores of a judge, for the claims that need a check. Raises `PromptFailed`."""
    asked = [each for each in grounding.claims if each.needs_check]
    if not asked:
        return grounding
    scores = iter(await judge.judge([each.text for each in asked], facts))
    claims = [_scored(each, next(scores)) if each.needs_check else each for each in grounding.claims]
    return _total(claims, is_judged=True)


def verbatim(answer: str, sources: Sequence[int], language: str = "") -> Grounding:
    """Of an answer that facts have word for word, such as an extract: all claims are supported by these facts."""
    claims = [
        Claim(each.text, each.start, each.end, each.needs_check, 1.0, tuple(sources))
        for each in claims_of(answer, language)
    ]
    return Grounding(1.0, GroundingLevel.VERY_HIGH, tuple(claims))


def _scored(claim: Claim, score: float) -> Claim:
    return replace(claim, score=score, citations=claim.citations if score >= CITATION_THRESHOLD else ())


def _total(claims: Sequence[Claim], *, is_judged: bool) -> Grounding:
    score = min((each.score for each in claims if each.needs_check), default=1.0)
    return Grounding(score, level_of(score), tuple(claims), is_judged)


class _Fact:
    """A fact, with what is made of it only where a claim is near."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self._language = language
        self._spans = sentences(text, language)
        self.sentences = [_window(text[start:end], language) for start, end in self._spans]
        self.squeezed = frozenset(_squeezed(each.text) for each in self.sentences)
        self.terms = frozenset(chain.from_iterable(each.terms for each in self.sentences))

    @cached_property
    def pairs(self) -> Sequence[_Window]:
        """Each sentence with the next."""
        return [
            _Window(self.text[left[0] : right[1]], first.terms | second.terms, first.denies or second.denies)
            for (left, first), (right, second) in pairwise(zip(self._spans, self.sentences, strict=True))
        ]


class _Checked:
    """Facts, prepared so that claims can be held against them."""

    def __init__(self, facts: Sequence[str], language: str, heuristics_disabled: bool, threshold: float) -> None:
        self._language = language
        self._vetoes = not heuristics_disabled
        self._threshold = threshold
        self._facts = [_Fact(each[:MAX_FACT], language) for each in facts]
        self._weights = TermWeights.of([each.terms for fact in self._facts for each in fact.sentences], language)
        self._known = frozenset(chain.from_iterable(fact.terms for fact in self._facts))
        known = [figures(fact.text, language) for fact in self._facts]
        self._figures = FigureIndex(known)
        dated = {reading[1] for each in known for date in each.dates for reading in date.readings}
        self._months = dated.union(*(months_said(fact.text, language) for fact in self._facts))
        self._initials = frozenset(chain.from_iterable(initials(fact.text) for fact in self._facts))

    def claim(self, span: ClaimSpan) -> Claim:
        """A sentence with its score and the facts that support it."""
        if not span.needs_check:
            return Claim(span.text, span.start, span.end, needs_check=False, score=1.0)
        same = tuple(number for number, fact in enumerate(self._facts) if _squeezed(span.text) in fact.squeezed)
        if same:
            return Claim(span.text, span.start, span.end, True, 1.0, same)
        asked = self._asked(span.text)
        ranked = self._ranked(asked)
        missing, doubted = self._missing(asked)
        keep = 1.0
        if self._vetoes:
            keep = _VETOED if missing else _DOUBTED if doubted else 1.0
        score = ranked[0][0] * keep if ranked else 0.0
        cited = tuple(number for support, number in ranked if support * keep >= self._threshold)
        if keep == 1.0 and score < _OF_TWO_FACTS:
            score, cited = max((score, cited), self._by_two(span.text), key=lambda each: each[0])
        return Claim(span.text, span.start, span.end, True, round(score, 4), cited, missing)

    def _ranked(self, asked: _Asked) -> Sequence[tuple[float, int]]:
        """How much of a claim each fact says and the fact's position, best first."""
        return sorted(self._supports(asked), key=lambda each: (-each[0], each[1]))

    def _by_two(self, claim: str) -> tuple[float, tuple[int, ...]]:
        """What a claim is given whose two parts are what two facts say, with these facts; 0 where they are not."""
        for joint in islice(_JOINT.finditer(claim), _MOST_JOINTS):
            parts = [self._asked(claim[: joint.start()]), self._asked(claim[joint.end() :])]
            if any(len(each.terms.weights) < _LEAST_TERMS for each in parts):
                continue
            ranked = [self._ranked(each)[:1] for each in parts]
            best = [each for first in ranked for each in first]
            if len({number for _, number in best}) == len(parts) and all(each >= _CLAUSE for each, _ in best):
                return _OF_TWO_FACTS, tuple(number for _, number in best)
        return 0.0, ()

    def _asked(self, claim: str) -> _Asked:
        """The words of a claim but for its numbers, whose spelling is free, with its numbers and names."""
        plain = _window(claim, self._language)
        asked = figures(claim, self._language)
        wanted = plain.terms
        if asked.quantities or asked.dates:
            spelled = _figure_terms(self._language)
            wanted = frozenset(each for each in wanted if not (_is_figure(each) or each in spelled)) or wanted
        names = [frozenset(terms(each.text, self._language)) for each in proper_names(claim, self._language)]
        weighed = self._weights.weighed({self._as_facts_have_it(each) for each in wanted})
        return _Asked(claim, weighed, asked, names, plain.denies)

    def _as_facts_have_it(self, term: str) -> str:
        """A term, or one of the facts that is a compound with it, or a part of it."""
        if term in self._known or self._language not in _COMPOUNDING or len(term) < _LEAST_PART:
            return term
        if len(self._known) > _MOST_COMPARED:
            return term
        akin = (
            each for each in self._known if each.endswith(term) or (len(each) >= _LEAST_PART and term.endswith(each))
        )
        return min(akin, default=term)

    def _missing(self, asked: _Asked) -> tuple[tuple[str, ...], bool]:
        """Numbers, dates and names that no fact has, and whether a word that may be a name is missing."""
        names = missing_names(asked.text, self._known, self._initials, self._language)
        if asked.figures.quantities or asked.figures.dates:
            # Months and units are compared with their numbers.
            names = tuple(each for each in names if not is_figure_word(each.text))
        certain = [each.text for each in names if each.is_certain]
        numbers = (*self._figures.lacks(asked.figures), *self._figures.contradicts(asked.figures))
        said = months_said(asked.text, self._language)
        months = (name for month, name in said.items() if month not in self._months)
        return tuple(dict.fromkeys((*numbers, *months, *certain))), len(certain) < len(names)

    def _supports(self, asked: _Asked) -> Iterator[tuple[float, int]]:
        """How much of a claim each fact says, 0 to 1, and its position; of facts that say little, a lower bound."""
        whole = [asked.terms.coverage(fact.terms) for fact in self._facts]
        order = sorted(range(len(whole)), key=lambda number: (-whole[number], number))
        for rank, number in enumerate(order):
            near = self._nearness(self._facts[number], asked) if rank < _LOOKED_INTO else (0.0, 1.0)
            yield (_NEAR * near[0] + (1 - _NEAR) * whole[number]) * near[1], number

    def _nearness(self, fact: _Fact, asked: _Asked) -> tuple[float, float]:
        """Share of a claim that is in one place of a fact, and what is left of it for what speaks against it."""
        single = [(asked.terms.coverage(each.terms), each) for each in fact.sentences]
        best = max((share for share, _ in single), default=0.0)
        # Two have no more than both together.
        both = (left + right for (left, _), (right, _) in pairwise(single))
        pairs = [pair for share, pair in zip(both, fact.pairs, strict=True) if share > best]
        double = [(asked.terms.coverage(each.terms), each) for each in pairs]
        most = max((share for share, _ in double), default=0.0)
        most = max(most, best)
        # Two sentences only where one alone does not say it: more numbers stand in two.
        near = [each for share, each in single if share >= _ALIKE * most]
        near = near or [each for share, each in double if share >= _ALIKE * most]
        left = 1.0
        if self._vetoes and near:
            left *= _ELSEWHERE if self._is_elsewhere(fact, near, asked) else 1.0
            left *= _NEGATED if all(asked.denies != each.denies for each in near) else 1.0
        return most, left

    def _is_elsewhere(self, fact: _Fact, near: Sequence[_Window], asked: _Asked) -> bool:
        """Whether a name of the claim is not in the fact, or a number not in a place that is near."""
        if any(not name <= fact.terms for name in asked.names if name <= self._known):
            return True
        if not asked.figures.quantities and not asked.figures.dates:
            return False
        places = (FigureIndex((figures(each.text, self._language),)) for each in near[:_PLACES])
        return all(place.lacks(asked.figures) or place.has_fewer_of(asked.figures) for place in places)


def _window(text: str, language: str) -> _Window:
    said = frozenset(terms(text, language))
    if language in _BY_SIGNS:
        said |= frozenset(_SIGNS.findall(text))
    return _Window(text, said, denies(text, language))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _is_figure(term: str) -> bool:
    """Whether a term is digits, or one letter, which beside a number stands for a unit."""
    return term.isdecimal() or (len(term) == 1 and term.isascii())


@cache
def _figure_terms(language: str) -> frozenset[str]:
    """Terms of units, multipliers, months and number words."""
    spelled = " ".join(NUMBER_WORDS.get(language, {}).values())
    return frozenset(terms(" ".join((*UNITS, *MULTIPLIERS, *MONTHS, spelled)), language))
