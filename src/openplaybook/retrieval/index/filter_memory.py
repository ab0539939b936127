"""What an index, as it was after a commit, has learnt of the filters that it was asked with.

A filter beside words costs the engine its short cuts: it reads every passage that has a word. Where a filter comes
again, its passages are remembered as bits, and the best of them are taken from a search without it (compare Lucene's
`LRUQueryCache`).
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.retrieval.index.filter_queries import FilterTranslation

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Schema, Searcher

_MOST_FILTERS: Final = 256
"""Filters that a view knows at once."""
_FROM: Final = 50_000
"""Passages of an index from which on it is worth while; in smaller ones any search is fast."""
_LEAST_PART: Final = 0.02
"""Of the passages. Where a filter lets fewer through, the engine is fast with it, and slow to get past the others."""
_MOST_PASSAGES: Final = 500_000
"""That are remembered: those that a filter lets through, or those that it does not, whichever are fewer."""
_USES: Final = 2
_PASSAGES_A_USE: Final = 25_000
"""A filter is remembered after some uses, more where it is more to remember: writing that down costs as much."""
_READ: Final = 50_000
"""Passages that are read at once."""


class Admission:
    """The passages of one view that a filter lets through."""

    def __init__(self, segments: Sequence[bytes], part: float, *, is_complement: bool) -> None:
        """Bits of each segment, eight passages a byte, the first in the lowest: those that are let through, or with
        `is_complement` those that are not."""
        self._segments = segments
        self._is_complement = is_complement
        self.part = part
        """About which part of all passages these are, from 0 to 1."""

    def among(self, found: "Sequence[tuple[float, DocAddress]]") -> "Iterator[tuple[float, DocAddress]]":
        """Those of found passages that are let through, in their order; as many are looked at as are taken."""
        segments, is_complement = self._segments, self._is_complement
        for each in found:
            address = each[1]
            bits, at = segments[address.segment_ord], address.doc
            is_noted = at >> 3 < len(bits) and bits[at >> 3] >> (at & 7) & 1
            if bool(is_noted) is not is_complement:
                yield each


class KnownFilter:
    """One filter in one view."""

    def __init__(
        self, schema: "Schema", searcher: "Searcher", translation: FilterTranslation, *, from_passages: int
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._translation = translation
        self._from_passages = from_passages
        self._uses = 0

    @cached_property
    def part(self) -> float:
        """About which part of the passages the filter lets through, from 0 to 1."""
        return self._translation.share(self._searcher, self._schema)

    def admission(self) -> Admission | None:
        """The passages that it lets through; None where they are not worth remembering, or not yet."""
        self._uses += 1
        return self._admission if self._is_worth_while() else None

    def _is_worth_while(self) -> bool:
        passages = self._searcher.num_docs
        if self._translation.query is None or self._translation.residual or passages < self._from_passages:
            return False
        if self.part < _LEAST_PART:
            return False
        noted = min(self.part, 1 - self.part) * passages
        return noted <= _MOST_PASSAGES and self._uses > _USES + noted / _PASSAGES_A_USE

    @cached_property
    def _admission(self) -> Admission:
        from tantivy import Occur, Query

        query = self._translation.query
        assert query is not None
        if is_complement := self.part > 0.5:
            query = Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, query)])
        return Admission(self._bits(query), self.part, is_complement=is_complement)

    def _bits(self, query: "Query") -> Sequence[bytes]:
        segments = [bytearray() for _ in range(self._searcher.num_segments)]
        offset = 0
        while True:
            # In parts: each address is an object.
            hits = self._searcher.search(query, _READ, count=False, offset=offset).hits
            for _, address in hits:
                bits, at = segments[address.segment_ord], address.doc
                if at >> 3 >= len(bits):
                    bits.extend(bytes(len(bits) + (at >> 3) + 1))
                bits[at >> 3] |= 1 << (at & 7)
            if len(hits) < _READ:
                return [bytes(bits) for bits in segments]
            offset += _READ


class FilterMemory:
    """The filters of one view, those that were not used for longest forgotten."""

    def __init__(self, schema: "Schema", searcher: "Searcher", *, from_passages: int = _FROM) -> None:
        """Passages are remembered in an index of at least `from_passages`."""
        self._schema = schema
        self._searcher = searcher
        self._from_passages = from_passages
        self._known: OrderedDict[FilterNode, KnownFilter] = OrderedDict()
        self._changing = threading.Lock()

    def of(self, filter_: FilterNode, translation: FilterTranslation) -> KnownFilter:
        """What is known of a filter, whose translation is given."""
        with self._changing:
            known = self._known.pop(filter_, None)
            if known is None:
                known = KnownFilter(self._schema, self._searcher, translation, from_passages=self._from_passages)
            self._known[filter_] = known
            if len(self._known) > _MOST_FILTERS:
                self._known.popitem(last=False)
            return known
