"""What several stores have for one query, as one list."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.retrieval.answers.base import AskedStore, Snippet
from openplaybook.retrieval.answers.faq import FaqMatch, matching_entry
from openplaybook.retrieval.answers.terms import TermWeights, terms, topics
from openplaybook.retrieval.base import SearchEngine, SearchHit, SearchRequest, SearchResults, WordCounts

_OF_EACH = 10
"""Hits of each store that are looked at."""
_OF_DOCUMENT = 3
"""Passages of one document, at most."""
_COMPARED = 12_000
"""Characters of a passage that are compared with the question: a document that is not cut is one."""


@dataclass(frozen=True, slots=True)
class FoundSources:
    """What was found, best first."""

    snippets: tuple[Snippet, ...]
    override: Snippet | None
    """The FAQ entry that asks what the user asks; its text is the answer."""
    notes: tuple[str, ...]
    counts: WordCounts | None = None
    """How common the words of the query are in all stores together; None where an engine does not tell."""


async def searched(
    engine: SearchEngine, stores: Sequence[AskedStore], query: str, language: str
) -> Sequence[SearchResults]:
    """What each store has for a query, all of them asked at once. Raises what the engine raises."""
    return await asyncio.gather(*(engine.search(each.facts.name, _request(each, query, language)) for each in stores))


def arranged(
    stores: Sequence[AskedStore],
    results: Sequence[SearchResults],
    query: str,
    asked: str,
    language: str,
    most: int,
) -> FoundSources:
    """At most so many passages of all stores together; blocks for some milliseconds.

    `query` is what was searched; an FAQ entry may be what the user `asked`, too.
    """
    lists = [[(store, hit) for hit in result.hits] for store, result in zip(stores, results, strict=True)]
    notes = tuple(
        f"{store.facts.display_name or store.facts.name}: {note}"
        for store, result in zip(stores, results, strict=True)
        for note in result.notes
    )
    entries = [(store, hit) for hits in lists for store, hit in hits if store.facts.is_faq and hit.question]
    match = _entry(entries, query, asked, language)
    override = _snippet(*entries[match.position]) if match else None
    snippets = [_snippet(store, hit) for store, hit in _merged(lists, query, language)]
    if override is not None:
        snippets = [override, *(each for each in snippets if each != override)]
    return FoundSources(tuple(snippets[:most]), override, notes, _counts([each.counts for each in results]))


def _counts(counts: Sequence[WordCounts | None]) -> WordCounts | None:
    known = [each for each in counts if each is not None]
    if not known or len(known) < len(counts):
        return None
    together: Counter[str] = Counter()
    for each in known:
        together.update(each.by_term)
    return WordCounts(sum(each.passages for each in known), together)


def _entry(entries: Sequence[tuple[AskedStore, SearchHit]], query: str, asked: str, language: str) -> FaqMatch | None:
    hits = [hit for _, hit in entries]
    return matching_entry(asked, hits, language) or (matching_entry(query, hits, language) if query != asked else None)


def _request(store: AskedStore, query: str, language: str) -> SearchRequest:
    return SearchRequest(
        query,
        limit=_OF_EACH,
        filter=store.filter,
        boosts=store.boosts,
        language=store.facts.language or language,
        most_per_document=_OF_DOCUMENT,
    )


def _merged(
    lists: Sequence[Sequence[tuple[AskedStore, SearchHit]]], query: str, language: str
) -> list[tuple[AskedStore, SearchHit]]:
    """All hits in one order: by rank in their store, since scores of two stores tell nothing of each other; of one
    rank, first who has more of the query."""
    ranked = [(rank, each) for hits in lists for rank, each in enumerate(hits)]
    if len(lists) < 2:
        return [each for _, each in ranked]
    said = [frozenset(terms(f"{hit.title} {hit.question} {hit.text[:_COMPARED]}", language)) for _, (_, hit) in ranked]
    weights = TermWeights.of(said, language)
    wanted = frozenset(topics(query, language))
    order = sorted(range(len(ranked)), key=lambda at: (ranked[at][0], -weights.coverage(wanted, said[at])))
    return [ranked[at][1] for at in order]


def _snippet(store: AskedStore, hit: SearchHit) -> Snippet:
    title = hit.title or hit.question
    return Snippet(title, hit.text, hit.uri, store.facts.name, hit.document, hit.data)
