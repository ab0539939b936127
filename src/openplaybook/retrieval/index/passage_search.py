"""One search in an index, as it was after a commit: words to a query, hits in order, how many documents match."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchHit, SearchRequest, SearchResults
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.index.asked_words import AskedWord, asked_words, word_counts
from openplaybook.retrieval.index.filter_memory import Admission, KnownFilter
from openplaybook.retrieval.index.filter_queries import FilterTranslation
from openplaybook.retrieval.index.hit_selection import FoundPassage, HitSelection
from openplaybook.retrieval.index.index_view import IndexView
from openplaybook.retrieval.index.near_passages import PassageKey, fused_passages, looked_up
from openplaybook.retrieval.index.passage_query import PassageQuery
from openplaybook.retrieval.ranking.boosts import boosted

if TYPE_CHECKING:
    from tantivy import Query

_MOST_BOOSTED = 200
"""Hits that boosts move, the best before they do."""
_COUNTED_EXACTLY = 50_000
"""Passages of an index in which the documents that match are counted; in a larger one they are estimated."""


class PassageSearch:
    """One request in one view."""

    def __init__(
        self,
        view: IndexView,
        request: SearchRequest,
        filter_: FilterTranslation | None,
        near: Sequence[PassageKey] = (),
    ) -> None:
        """`near` are passages that are near what the request asks for, nearest first."""
        self._view = view
        self._request = request
        self._near = near
        self._filter = filter_
        self._known: KnownFilter | None = None
        if filter_ is not None and request.filter is not None:
            self._known = view.filters.of(request.filter, filter_)
        residual = filter_ and filter_.residual
        self._test: Callable[[JsonObject, str], bool] | None = None if residual is None else predicate(residual)
        self._notes: list[str] = []

    def results(self) -> SearchResults:
        """What is found."""
        if not self._view.passages:
            return SearchResults((), 0)
        return self._by_words() if self._request.text.strip() else self._by_id()

    def _by_id(self) -> SearchResults:
        request = self._request
        query = self._narrowed(self._view.first_passages())
        selection = self._selection(0, is_by_id=True)
        hits = tuple(each.hit for each in selection.best(query, request.limit, request.offset))
        self._tell(selection)
        # Each document has one first passage.
        return SearchResults(hits, self._view.count(query), tuple(self._notes))

    def _by_words(self) -> SearchResults:
        request, view = self._request, self._view
        words = asked_words(request.text, request.language, view.languages, view.fields, view.searcher)
        asked = PassageQuery(view.schema, words, view.passages)
        if asked.is_empty and not self._near:
            return SearchResults((), 0)
        query = asked.query()
        candidates = self._admitted(query)
        if candidates is None:
            selection = self._selection(request.most_per_document)
            candidates = self._best(selection, self._narrowed(query))
            self._tell(selection)
        hits = tuple(each.hit for each in candidates)
        if request.explain:
            hits = tuple(replace(each.hit, matched=asked.matched(view.searcher, each.address)) for each in candidates)
        total = self._count(query, words, hits)
        return SearchResults(hits, total, tuple(self._notes), word_counts(words, view.passages))

    def _admitted(self, query: "Query") -> Sequence[FoundPassage] | None:
        """The same as with the filter in the query, from a search without it; None where that is no help."""
        admission = self._known.admission() if self._known is not None else None
        if admission is None:
            return None
        selection = self._selection(self._request.most_per_document, admission)
        found = self._best(selection, query)
        return None if selection.is_cut else found

    def _best(self, selection: HitSelection, query: "Query") -> Sequence[FoundPassage]:
        """What is asked for, of the best hits."""
        request, view = self._request, self._view
        end = request.offset + request.limit
        if not request.boosts and not self._near:
            return selection.best(query, request.limit, request.offset)
        found = selection.best(query, max(end, _MOST_BOOSTED))
        if self._near:
            near = looked_up(self._near, view.schema, view.searcher, self._narrowed, self._test)
            found = fused_passages(found, near, request.most_per_document)
        return self._boosted(found)[request.offset : end]

    def _boosted(self, found: Sequence[FoundPassage]) -> Sequence[FoundPassage]:
        """Hits in the order that boosts give them."""
        request = self._request
        if not request.boosts:
            return found
        places = {(each.hit.document, each.hit.passage): each.address for each in found}
        # What lies behind them stays there, so that pages of hits follow each other.
        head = boosted([each.hit for each in found[:_MOST_BOOSTED]], request.boosts, datetime.now(UTC))
        ordered = [FoundPassage(hit, places[hit.document, hit.passage]) for hit in head]
        return [*ordered, *found[_MOST_BOOSTED:]]

    def _selection(
        self, most_per_document: int, admission: Admission | None = None, *, is_by_id: bool = False
    ) -> HitSelection:
        if self._view.documents == self._view.passages:
            # Then no more passages have to be found than are shown.
            most_per_document = 0
        return HitSelection(
            self._view.searcher,
            most_per_document=most_per_document,
            test=self._test,
            admission=admission,
            is_by_id=is_by_id,
        )

    def _narrowed(self, query: "Query") -> "Query":
        return query if self._filter is None else self._filter.narrowed(query)

    def _count(self, query: "Query", words: Sequence[AskedWord], hits: Sequence[SearchHit]) -> int:
        """Documents that match the query and the filter; those that the engine cannot test are taken to match."""
        view, request = self._view, self._request
        if hits and not request.offset and len(hits) < request.limit:
            return len({hit.document for hit in hits})
        if view.passages <= _COUNTED_EXACTLY:
            # Those that are near need not have the words.
            matching = view.count_documents(self._narrowed(query))
            return max(request.offset + len({hit.document for hit in hits}), matching)
        # As if each word stood in passages that have nothing to do with those of another.
        without = math.prod(1 - min(word.passages / view.passages, 1) for word in words if not word.is_stop_word)
        narrowed = self._known.part if self._known is not None else 1.0
        return max(request.offset + len(hits), round((1 - without) * narrowed * view.documents))

    def _tell(self, selection: HitSelection) -> None:
        if selection.is_cut:
            self._notes.append("the filter let few passages through: not all that have the words were looked at")
