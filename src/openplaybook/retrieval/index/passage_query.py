"""The query of the engine for a request's words, made so that it stays fast however many passages have a word."""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import as_object, loads
from openplaybook.retrieval.base import MatchedTerm
from openplaybook.retrieval.index.asked_words import AskedWord, FoundTerm
from openplaybook.retrieval.index.passage_entry import SEARCHED
from openplaybook.retrieval.language.analysis import is_single_character

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Schema, Searcher

_SHAPED = frozenset({"title", "question"})
"""Fields so short that their stop words tell how something is asked: `how` from `when`, `who` from `why`."""
_STOP_WORD_WEIGHT = 0.25
"""What a stop word counts in them, as part of what another word counts."""

_TYPO_FROM = 4
"""Characters of a stem that may be misspelt in one place; in a shorter word that would be another word."""
_TWO_TYPOS_FROM = 9
"""Characters of a stem that may be misspelt in two places."""
_TYPO_WEIGHT = 0.6
"""What a word that is near one of the request counts, as part of what a rare word counts."""


class PassageQuery:
    """Makes the query of some words, each clause by itself for whoever explains a hit."""

    def __init__(self, schema: "Schema", words: Sequence[AskedWord], passages: int) -> None:
        """`passages` are those of the index."""
        from tantivy import Query

        self._make = Query
        self._schema = schema
        self._passages = passages
        self._clauses: list[tuple[str, str, Query]] = []
        """Word as it is written, field where it is looked for, query."""
        for word in words:
            self._add(word)

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found, as no passage has any of the words."""
        return not self._clauses

    def query(self) -> "Query":
        """What finds all passages that have one of the words; those that have more of them, and rarer, before."""
        from tantivy import Occur

        return self._make.boolean_query([(Occur.Should, query) for _, _, query in self._clauses])

    def matched(self, searcher: "Searcher", address: "DocAddress") -> tuple[MatchedTerm, ...]:
        """Why a passage was found: the words that it has and what each adds to its score, heaviest first."""
        weights: dict[tuple[str, str], float] = {}
        for word, field, query in self._clauses:
            weight = _weight(query, searcher, address)
            if weight > 0:
                weights[word, field] = weights.get((word, field), 0.0) + weight
        found = [MatchedTerm(word, field, weight) for (word, field), weight in weights.items()]
        return tuple(sorted(found, key=lambda term: (-term.weight, term.term, term.field)))

    def _add(self, word: AskedWord) -> None:
        if word.is_stop_word and not word.found:
            return
        found = self._exact(word) if word.found else self._near(word)
        self._clauses += [(word.written, field, query) for field, query in found]

    def _exact(self, word: AskedWord) -> "Sequence[tuple[str, Query]]":
        if word.is_stop_word:
            shaped = [term for term in word.found if term.field in _SHAPED]
            return [(term.field, self._term_query(term, _STOP_WORD_WEIGHT)) for term in shaped]
        return [(term.field, self._term_query(term, 1.0)) for term in word.found]

    def _term_query(self, found: FoundTerm, part: float) -> "Query":
        query = self._make.term_query(self._schema, found.field, found.term, "freq")
        weight = SEARCHED[found.field] * part
        return query if weight == 1 else self._make.boost_query(query, weight)

    def _near(self, word: AskedWord) -> "Sequence[tuple[str, Query]]":
        """Of a word that no passage has: passages with a word that is spelt nearly like it, or of one character of
        Chinese and the like those with a pair that it is part of."""
        rare = math.log(1 + self._passages)
        term = word.terms[0]
        if is_single_character(term):
            pattern = f"{re.escape(term)}.|.{re.escape(term)}"
            return [(field, self._regex(field, pattern, rare * weight)) for field, weight in SEARCHED.items()]
        if len(term) < _TYPO_FROM or not term.isalpha():
            return []
        typos = 1 if len(term) < _TWO_TYPOS_FROM else 2
        return [
            (field, self._boosted(self._make.fuzzy_term_query(self._schema, field, term, typos), rare * weight))
            for field, weight in SEARCHED.items()
        ]

    def _regex(self, field: str, pattern: str, weight: float) -> "Query":
        return self._boosted(self._make.regex_query(self._schema, field, pattern), weight)

    def _boosted(self, query: "Query", rare: float) -> "Query":
        return self._make.boost_query(query, rare * _TYPO_WEIGHT)


def _weight(query: "Query", searcher: "Searcher", address: "DocAddress") -> float:
    try:
        explained = query.explain(searcher, address).to_json()
    except ValueError:
        # So the engine says that the passage does not meet the query.
        return 0.0
    value = as_object(loads(explained)).get("value")
    return float(value) if isinstance(value, (int, float)) else 0.0
