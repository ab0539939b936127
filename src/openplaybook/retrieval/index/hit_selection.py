"""Takes hits from a query of the engine until there are as many as asked for: a few of each document, and those only
that meet what the engine could not test."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchHit
from openplaybook.retrieval.index.filter_memory import Admission
from openplaybook.retrieval.index.passage_entry import CONTENT, DOCUMENT, ID, hit_of

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

_FIRST_FETCH = 32
_GROWTH = 4
MOST_FETCHED = 20_000
"""Passages that are looked at for one request; what lies behind them is not found."""
_MOST_PASSED = 4_000
"""The same where a search without a filter is gone through: beyond that, one with the filter is faster."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found, with its place in the index."""

    hit: SearchHit
    address: "DocAddress"


class HitSelection:
    """Reads the best passages of a query, in order."""

    def __init__(
        self,
        searcher: "Searcher",
        *,
        most_per_document: int,
        test: Callable[[JsonObject, str], bool] | None = None,
        admission: Admission | None = None,
        is_by_id: bool = False,
    ) -> None:
        """`test` is asked of a hit's data and uri, after `admission` of where it is; `is_by_id` orders by document in
        place of score."""
        self._searcher = searcher
        self._most_per_document = most_per_document
        self._test = test
        self._admission = admission
        self._is_by_id = is_by_id
        self.is_cut = False
        """Whether there were more passages than are looked at."""

    def best(self, query: "Query", wanted: int, offset: int = 0) -> Sequence[FoundPassage]:
        """As many as wanted after leaving out the first, best first; fewer where there are no more."""
        if not self._most_per_document and self._test is None and self._admission is None:
            return [self._read(score, address) for score, address in self._found(query, wanted, offset)]
        needed = offset + wanted
        part, most = (1.0, MOST_FETCHED) if self._admission is None else (self._admission.part, _MOST_PASSED)
        fetch = min(max(_FIRST_FETCH, round(needed * 2 / part)), most)
        while True:
            found = self._found(query, fetch)
            # Without a test, only those that are shown are read.
            chosen = self._chosen(found, needed)
            if len(chosen) >= needed or len(found) < fetch or fetch >= most:
                self.is_cut = len(found) >= most and len(chosen) < needed
                return [self._read(score, address) for score, address in chosen[offset:needed]]
            fetch = min(fetch * _GROWTH, most)

    def _found(self, query: "Query", limit: int, offset: int = 0) -> "Sequence[tuple[float, DocAddress]]":
        from tantivy import Order

        if not self._is_by_id:
            return self._searcher.search(query, limit, count=False, offset=offset).hits
        ordered = self._searcher.search(
            query, limit, count=False, offset=offset, order_by_field=ID, order=Order.Asc
        ).hits
        return [(0.0, address) for _, address in ordered]

    def _chosen(self, found: "Sequence[tuple[float, DocAddress]]", needed: int) -> "Sequence[tuple[float, DocAddress]]":
        if self._admission is not None:
            passed = self._admission.among(found)
            if not self._most_per_document and self._test is None:
                return [*islice(passed, needed)]
            found = [*passed]
        documents = self._searcher.fast_field_values(DOCUMENT, [address for _, address in found])
        taken: Counter[object] = Counter()
        chosen: list[tuple[float, DocAddress]] = []
        for document, (score, address) in zip(documents, found, strict=True):
            if self._most_per_document and taken[document] >= self._most_per_document:
                continue
            if self._test is not None:
                hit = self._read(score, address).hit
                if not self._test(hit.data, hit.uri):
                    continue
            taken[document] += 1
            chosen.append((score, address))
            if len(chosen) >= needed:
                break
        return chosen

    def _read(self, score: float, address: "DocAddress") -> FoundPassage:
        content: bytes = self._searcher.doc(address)[CONTENT][0]
        return FoundPassage(hit_of(content, score), address)
