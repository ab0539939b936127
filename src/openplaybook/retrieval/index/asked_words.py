"""Words of a request, with the terms that they are in each language of a store, and how many passages have these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from openplaybook.retrieval.base import WordCounts
from openplaybook.retrieval.language.analysis import AskedTerm, analysis_of
from openplaybook.retrieval.language.detection import detected
from openplaybook.retrieval.language.stop_words import is_stop_word

if TYPE_CHECKING:
    from tantivy import Searcher

MOST_CHARACTERS = 4_000
"""Of a request's text that are searched for; the rest is left out."""

_MOST_LANGUAGES = 4
"""Languages in which a text is analysed: its own, where the store has that, and those of most passages."""

MOST_WORDS = 64
"""Of a request that are searched for; the rest is left out."""


@dataclass(frozen=True, slots=True)
class FoundTerm:
    """A term in a field where some passages have it."""

    field: str
    term: str
    passages: int
    """That have it, among them those that were deleted and not yet swept out."""


@dataclass(frozen=True, slots=True)
class AskedWord:
    """One word of a request."""

    written: str
    terms: tuple[str, ...]
    """One for each way in which the languages of the store write its stem."""
    found: tuple[FoundTerm, ...]
    """Where it stands; empty where no passage has it."""
    is_stop_word: bool
    """Whether it says nothing of what is asked for, and counts a little in titles and questions alone."""

    @property
    def passages(self) -> int:
        """Passages that have it, at least."""
        return max((term.passages for term in self.found), default=0)


def asked_words(
    text: str, declared: str, languages: Sequence[str], fields: Sequence[str], searcher: "Searcher"
) -> Sequence[AskedWord]:
    """Words that a text is searched by, in its order.

    `fields` are where they are looked for; `languages` those of the store, most documents first: the text is analysed
    in its own and in some of these, as nobody knows in which of them what it asks for is written. Where no other word
    is found, stop words are words as others are.
    """
    text = text[:MOST_CHARACTERS]
    language = detected(text, declared, languages)
    likely = sorted(languages, key=lambda each: each != language)[:_MOST_LANGUAGES]
    analysed = [analysis_of(each).asked(text)[:MOST_WORDS] for each in likely or (language,)]
    words = [_word(terms, language, fields, searcher) for terms in zip(*analysed, strict=True)]
    if any(word.found and not word.is_stop_word for word in words):
        return words
    return [replace(word, is_stop_word=False) for word in words]


def _word(terms: Sequence[AskedTerm], language: str, fields: Sequence[str], searcher: "Searcher") -> AskedWord:
    different = tuple(dict.fromkeys(each.term for each in terms))
    found = (
        FoundTerm(field, term, passages)
        for term in different
        for field in fields
        if (passages := searcher.doc_freq(field, term))
    )
    written = terms[0].written
    return AskedWord(written, different, tuple(found), is_stop_word(written.lower(), language))


def word_counts(words: Sequence[AskedWord], passages: int) -> WordCounts:
    """How many of the passages have each term of some words."""
    counts = {term: 0 for word in words for term in word.terms}
    for found in (found for word in words for found in word.found):
        counts[found.term] = max(counts[found.term], found.passages)
    return WordCounts(passages, counts)
