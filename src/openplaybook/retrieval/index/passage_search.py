"""One search in an index, as it was after a commit: words to a query, hits in order, how many documents match."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, cast

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchHit, SearchRequest, SearchResults
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.retrieval.index.asked_words import AskedWord, asked_words, word_counts
from openplaybook.retrieval.index.filter_queries import FilterTranslation
from openplaybook.retrieval.index.hit_selection import FoundPassage, HitSelection
from openplaybook.retrieval.index.near_passages import PassageKey, fused_passages, looked_up
from openplaybook.retrieval.index.passage_entry import DOCUMENT, FILLED, LANGUAGE, PASSAGE, SEARCHED
from openplaybook.retrieval.index.passage_query import PassageQuery
from openplaybook.retrieval.ranking.boosts import boosted

if TYPE_CHECKING:
    from tantivy import Index, Query, Searcher

_MOST_BOOSTED = 200
"""Hits that boosts move, the best before they do."""
_MOST_FILTERS = 256
"""Filters of which it is remembered how much they let through."""
_LOOKED_AT = 2_000
"""Passages that match and are looked at one by one to count their documents."""
_COUNTED_EXACTLY = 50_000
"""Passages of an index in which the documents that match are counted; in a larger one they are estimated."""


class IndexView:
    """An index as it was after a commit."""

    def __init__(self, index: "Index") -> None:
        self.schema = index.schema
        self.searcher: Searcher = index.searcher()
        self.passages: int = self.searcher.num_docs
        self._parts: dict[FilterNode, float] = {}
        self.fields = tuple(name for name in SEARCHED if name == "text" or self.searcher.doc_freq(FILLED, name))
        """Those that have words in some passage."""
        by_count = sorted(self.searcher.terms_with_prefix(LANGUAGE, ""), key=lambda pair: (-pair[1], pair[0]))
        self.languages = tuple(language for language, _ in by_count)
        self._language_counts = dict(by_count)

    def share_of(self, languages: Collection[str]) -> float:
        """Which part of the passages is in some languages, from 0 to 1."""
        known = sum(self._language_counts.values())
        return sum(self._language_counts.get(language, 0) for language in languages) / known if known else 0.0

    @cached_property
    def documents(self) -> int:
        """How many documents the passages are of: each has one first passage."""
        return self.count(self.first_passages())

    def first_passages(self) -> "Query":
        """What finds each document once."""
        from tantivy import Query

        return Query.term_query(self.schema, PASSAGE, 0)

    def count(self, query: "Query") -> int:
        """Passages that match."""
        # The attribute is there, and missing in what the library says of its types.
        return cast(int, getattr(self.searcher.search(query, 1, count=True), "count"))  # noqa: B009

    def part_let_through(self, filter_: FilterNode, translation: FilterTranslation) -> float:
        """About which part of the passages a filter lets through, from 0 to 1; looked at once."""
        part = self._parts.get(filter_)
        if part is None:
            if len(self._parts) >= _MOST_FILTERS:
                self._parts.clear()
            part = self._parts[filter_] = translation.share(self.searcher, self.schema)
        return part

    def count_documents(self, query: "Query") -> int:
        """Documents of the passages that match, with an error of some per cent where these are many."""
        passages = self.count(query)
        if self.documents == self.passages:
            return passages
        if passages <= _LOOKED_AT:
            found = self.searcher.search(query, _LOOKED_AT, count=False).hits
            return len(set(self.searcher.fast_field_values(DOCUMENT, [address for _, address in found])))
        return min(round(self.searcher.cardinality(query, DOCUMENT)), passages, self.documents)


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
        selection = self._selection(most_per_document=0, is_by_id=True)
        hits = tuple(each.hit for each in selection.best(query, request.limit, request.offset))
        # Each document has one first passage.
        return SearchResults(hits, self._view.count(query), self._told(selection))

    def _by_words(self) -> SearchResults:
        request, view = self._request, self._view
        words = asked_words(request.text, request.language, view.languages, view.fields, view.searcher)
        asked = PassageQuery(view.schema, words, view.passages, is_narrowed=self._is_narrowed)
        if asked.is_empty and not self._near:
            return SearchResults((), 0)
        selection = self._selection(most_per_document=request.most_per_document, is_by_id=False)
        query = self._narrowed(asked.query())
        candidates = self._best(selection, query)
        hits = tuple(each.hit for each in candidates)
        if request.explain:
            hits = tuple(replace(each.hit, matched=asked.matched(view.searcher, each.address)) for each in candidates)
        total = self._count(query, words, hits)
        return SearchResults(hits, total, self._told(selection), word_counts(words, view.passages))

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

    def _selection(self, *, most_per_document: int, is_by_id: bool) -> HitSelection:
        if self._view.documents == self._view.passages:
            # Then no more passages have to be found than are shown.
            most_per_document = 0
        return HitSelection(
            self._view.searcher, most_per_document=most_per_document, test=self._test, is_by_id=is_by_id
        )

    @property
    def _is_narrowed(self) -> bool:
        return self._filter is not None and self._filter.query is not None

    def _narrowed(self, query: "Query") -> "Query":
        return query if self._filter is None else self._filter.narrowed(query)

    def _count(self, query: "Query", words: Sequence[AskedWord], hits: Sequence[SearchHit]) -> int:
        """Documents that match; those that the engine cannot test are taken to match."""
        view, request = self._view, self._request
        if hits and not request.offset and len(hits) < request.limit:
            return len({hit.document for hit in hits})
        if view.passages <= _COUNTED_EXACTLY:
            # Those that are near need not have the words.
            return max(request.offset + len({hit.document for hit in hits}), view.count_documents(query))
        # As if each word stood in passages that have nothing to do with those of another.
        without = math.prod(1 - min(word.passages / view.passages, 1) for word in words if not word.is_stop_word)
        narrowed = 1.0
        if self._filter is not None and request.filter is not None:
            narrowed = view.part_let_through(request.filter, self._filter)
        return max(request.offset + len(hits), round((1 - without) * narrowed * view.documents))

    def _told(self, selection: HitSelection) -> tuple[str, ...]:
        if selection.is_cut:
            self._notes.append("the filter let few passages through: not all that have the words were looked at")
        return tuple(self._notes)
