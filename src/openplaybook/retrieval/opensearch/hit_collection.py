"""Collects the hits of one request from as many answers of the engine as it takes.

One is enough, but for boosts, which move the best hits, for several passages of a document, and for what of a filter
has to be tested on the hits.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchHit, SearchResults
from openplaybook.retrieval.catalog.document_rows import convert
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.retrieval.opensearch.entry_query import FARTHEST, EntryQuery, entries_in, total_in
from openplaybook.retrieval.ranking.boosts import boosted

_MOST_BOOSTED: Final = 200
"""Hits that boosts move, the best before they do."""
_LOOKED_AT: Final = 2_000
"""Entries that are tested for one request."""
_LEAST, _GROWTH, _LARGEST = 32, 4, 500
"""Entries of an answer, where some may be left out: the first one, from one to the next, and at most."""


class HitCollection:
    """One request to one store."""

    def __init__(
        self, query: EntryQuery, fetch: Callable[[JsonObject], Awaitable[JsonObject]], residual: FilterNode | None
    ) -> None:
        """`fetch` gives the answer to the body of a search. Raises `InvalidSearchFilter` for a residual that cannot be
        tested without a map."""
        self._query = query
        self._fetch = fetch
        self._test = None if residual is None else predicate(residual)
        self._notes: list[str] = []

    async def results(self) -> SearchResults:
        """What is found."""
        request = self._query.request
        by_words = bool(request.text.strip())
        if self._test is None and not (by_words and (request.boosts or request.most_per_document != 1)):
            hits, total = await self._part(request.offset, request.limit)
            return SearchResults(tuple(hits), total, tuple(self._notes))
        end = request.offset + request.limit
        boosts = request.boosts if by_words else ()
        found, total = await self._best(max(end, _MOST_BOOSTED) if boosts else end)
        # What lies behind them stays there, so that pages of hits follow each other.
        head = boosted(found[:_MOST_BOOSTED], boosts, datetime.now(UTC))
        ordered = [*head, *found[_MOST_BOOSTED:]]
        return SearchResults(tuple(ordered[request.offset : end]), total, tuple(self._notes))

    async def _best(self, wanted: int) -> tuple[Sequence[SearchHit], int]:
        """As many hits as wanted, in order, or all there are; and about how many entries match."""
        kept: list[SearchHit] = []
        start, size = 0, max(wanted, _LEAST)
        while True:
            answer = await self._answer(start, size)
            kept += await convert(lambda answer=answer: self._tested(answer))
            is_last = len(entries_in(answer)) < size
            start, size = start + size, max(size, min(size * _GROWTH, _LARGEST))
            if is_last or self._test is None or len({hit.document for hit in kept}) >= wanted:
                break
            if start >= _LOOKED_AT:
                self._notes.append("the filter let few documents through: not all that match were looked at")
                break
        is_counted = self._test is not None and is_last
        total = len({hit.document for hit in kept}) if is_counted else total_in(answer)
        # Those of equal score stay in the engine's order.
        return sorted(kept, key=lambda hit: -hit.score), total

    async def _part(self, start: int, size: int) -> tuple[Sequence[SearchHit], int]:
        answer = await self._answer(start, size)
        return await convert(lambda: self._query.hits(answer)), total_in(answer)

    def _tested(self, answer: JsonObject) -> Sequence[SearchHit]:
        """The hits of an answer that meet what the engine could not test."""
        hits = self._query.hits(answer)
        return hits if self._test is None else [hit for hit in hits if self._test(hit.data, hit.uri)]

    async def _answer(self, start: int, size: int) -> JsonObject:
        if start + size > FARTHEST:
            self._notes.append(f"the search engine finds the first {FARTHEST:,} documents alone")
            start, size = min(start, FARTHEST), max(FARTHEST - start, 0)
        return await self._fetch(self._query.body(start, size))
