"""An index as it was after a commit: what searches read, and what they have learnt of it."""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, cast

from openplaybook.retrieval.index.filter_memory import FilterMemory
from openplaybook.retrieval.index.passage_entry import DOCUMENT, FILLED, LANGUAGE, PASSAGE, SEARCHED

if TYPE_CHECKING:
    from tantivy import Index, Query, Searcher

_LOOKED_AT = 2_000
"""Passages that match and are looked at one by one to count their documents."""


class IndexView:
    """An index as it was after a commit."""

    def __init__(self, index: "Index") -> None:
        self.schema = index.schema
        self.searcher: Searcher = index.searcher()
        self.passages: int = self.searcher.num_docs
        self.filters = FilterMemory(self.schema, self.searcher)
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

    def count_documents(self, query: "Query") -> int:
        """Documents of the passages that match, with an error of some per cent where these are many."""
        passages = self.count(query)
        if self.documents == self.passages:
            return passages
        if passages <= _LOOKED_AT:
            found = self.searcher.search(query, _LOOKED_AT, count=False).hits
            return len(set(self.searcher.fast_field_values(DOCUMENT, [address for _, address in found])))
        return min(round(self.searcher.cardinality(query, DOCUMENT)), passages, self.documents)
