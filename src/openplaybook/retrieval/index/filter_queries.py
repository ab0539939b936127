"""Translates filters into queries of the index, over the fields of `metadata_fields`.

Most filters are translated exactly. For distances and some patterns of sites, the query finds more than the filter lets
through, and what is left to be tested on the data of the hits is handed back: the residual.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, cast

from openplaybook.retrieval.filters.moments import time_span
from openplaybook.retrieval.filters.site_patterns import WILDCARD, site_pattern
from openplaybook.retrieval.filters.syntax import (
    AddressDistance,
    AnyOf,
    Conjunction,
    Disjunction,
    Exclusion,
    FilterNode,
    GeoDistance,
    InRange,
    NumberComparison,
    Relation,
    SiteMatch,
    TextComparison,
)
from openplaybook.retrieval.index.metadata_fields import (
    LARGEST_CODE,
    MAX_SITE_FOLDERS,
    NUMBERS,
    SAMPLE_TERM,
    TERMS,
    boolean_term,
    folder_term,
    number_code,
    number_column,
    text_term,
)

if TYPE_CHECKING:
    import tantivy

_MOST_CLAUSES: Final = 3
"""Terms of a union that are read one beside the other; more are looked up as a set."""
_MOST_ALTERNATIVES: Final = 4
"""Of a filter that is taken apart for speed."""
_LEAST_SAMPLE: Final = 200
"""Passages of the sample from which on it tells anything."""
_BOOLEANS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class FilterTranslation:
    """What a filter is for the index: documents are let through that match the query and meet the residual."""

    query: "tantivy.Query | None"
    """Adds nothing to the score; None where the index cannot narrow the search."""
    residual: FilterNode | None
    """None where the query alone says it."""
    alternatives: "tuple[tantivy.Query, ...]" = ()
    """Queries of which one matches whenever `query` does, where these are faster; else empty."""

    def narrowed(self, query: "tantivy.Query") -> "tantivy.Query":
        """A query, with its scores, for what the filter's query lets through as well."""
        from tantivy import Occur, Query

        if self.query is None:
            return query
        both = [
            Query.boolean_query([(Occur.Must, query), (Occur.Must, each)])
            for each in self.alternatives or (self.query,)
        ]
        # A union within a conjunction is read whole, and one of conjunctions only where the query leads.
        return Query.disjunction_max_query(both) if len(both) > 1 else both[0]

    def share(self, searcher: "tantivy.Searcher", schema: "tantivy.Schema") -> float:
        """About which part of the passages the query lets through, 0 to 1; counted where there are few."""
        from tantivy import Query

        if self.query is None or not searcher.num_docs:
            return 1.0
        sample = Query.term_query(schema, TERMS, SAMPLE_TERM, "basic")
        size = searcher.doc_freq(TERMS, SAMPLE_TERM)
        if size < _LEAST_SAMPLE:
            return _count(searcher, self.query) / searcher.num_docs
        return min(1.0, _count(searcher, self.narrowed(sample)) / size)


def translated(node: FilterNode, schema: "tantivy.Schema") -> FilterTranslation:
    """The query of a filter, for a schema with the fields of `add_metadata_fields`."""
    # It loads a native library, which a server without data stores never needs.
    from tantivy import Query

    translator = _Translator(schema)
    part = translator.part(node)
    if part.query is None:
        return part
    scoreless = Query.const_score_query(part.query, 0.0)
    nodes = _alternatives(node) if part.residual is None else ()
    if not 1 < len(nodes) <= _MOST_ALTERNATIVES:
        return FilterTranslation(scoreless, part.residual)
    queries = [translator.part(each).query for each in nodes]
    return FilterTranslation(scoreless, None, tuple(Query.const_score_query(each, 0.0) for each in queries if each))


class _Translator:
    def __init__(self, schema: "tantivy.Schema") -> None:
        import tantivy

        self._schema = schema
        self._query = tantivy.Query
        self._must, self._should = tantivy.Occur.Must, tantivy.Occur.Should
        self._must_not = tantivy.Occur.MustNot
        self._new_index = tantivy.Index
        self._parser: tantivy.Index | None = None

    def part(self, node: FilterNode) -> FilterTranslation:
        """A filter or a part of one."""
        match node:
            case Conjunction(operands):
                return self._conjunction(operands)
            case Disjunction(operands):
                return self._disjunction(node, operands)
            case Exclusion():
                return self._conjunction((node,))
            case GeoDistance() | AddressDistance():
                return FilterTranslation(None, node)
            case SiteMatch():
                return self._site_match(node)
            case AnyOf():
                return FilterTranslation(self._terms(_terms_of(node)), None)
            case TextComparison():
                return FilterTranslation(self._text_comparison(node), None)
            case InRange() | NumberComparison():
                return FilterTranslation(self._codes(node.field, *_range_of(node)), None)

    def _conjunction(self, operands: Sequence[FilterNode]) -> FilterTranslation:
        clauses: list[tuple[tantivy.Occur, tantivy.Query]] = []
        residuals: list[FilterNode] = []
        for item in operands:
            is_negated = isinstance(item, Exclusion)
            part = self.part(item.operand if is_negated else item)
            if part.residual is not None:
                residuals.append(item if is_negated else part.residual)
            # What is more than the operand cannot be taken away for its negation.
            if part.query is not None and not (is_negated and part.residual):
                clauses.append((self._must_not if is_negated else self._must, part.query))
        return FilterTranslation(self._all_of(clauses), _conjoined(residuals))

    def _all_of(self, clauses: "list[tuple[tantivy.Occur, tantivy.Query]]") -> "tantivy.Query | None":
        if not clauses:
            return None
        if all(occur is self._must_not for occur, _ in clauses):
            clauses = [(self._must, self._query.all_query()), *clauses]
        return clauses[0][1] if len(clauses) == 1 else self._query.boolean_query(clauses)

    def _disjunction(self, node: Disjunction, operands: Sequence[FilterNode]) -> FilterTranslation:
        if any(isinstance(item, Exclusion) for item in operands):
            # A union with nearly all documents is read whole; as what is left out, only where another clause asks.
            return self._conjunction((Exclusion(Conjunction(tuple(map(_complement, operands)))),))
        terms = [term for item in operands for term in _terms_of(item)]
        parts = [self.part(item) for item in operands if not _terms_of(item)]
        if terms:
            parts.append(FilterTranslation(self._terms(terms), None))
        queries = [part.query for part in parts if part.query is not None]
        query = self._query.boolean_query([(self._should, query) for query in queries])
        is_exact = all(part.residual is None for part in parts)
        return FilterTranslation(query if len(queries) == len(parts) else None, None if is_exact else node)

    def _site_match(self, node: SiteMatch) -> FilterTranslation:
        pattern = site_pattern(node.pattern)
        start = pattern.partition(WILDCARD)[0]
        folders = start.split("/")[:-1][:MAX_SITE_FOLDERS]
        folder = "".join(f"{part}/" for part in folders)
        query = self._terms([folder_term(folder)]) if folder else None
        return FilterTranslation(query, None if folder and pattern == folder + WILDCARD else node)

    def _text_comparison(self, node: TextComparison) -> "tantivy.Query":
        span = time_span(node.text)
        if span is not None:
            return self._codes(node.field, *_range_around(node.comparison, float(span.first), float(span.last)))
        if node.comparison is not Relation.EQUAL:
            return self._query.empty_query()
        return self._terms(_terms_of(node))

    def _terms(self, terms: list[str]) -> "tantivy.Query":
        if len(terms) > _MOST_CLAUSES:
            return self._query.term_set_query(self._schema, TERMS, terms)
        queries = [self._query.term_query(self._schema, TERMS, term, "basic") for term in terms]
        if len(queries) == 1:
            return queries[0]
        return self._query.boolean_query([(self._should, query) for query in queries])

    def _codes(self, field: str, lower: int, upper: int) -> "tantivy.Query":
        """Documents with a number between two codes, both included."""
        if lower > upper:
            return self._query.empty_query()
        # Only the engine's own language can ask for a range within a member of a JSON field.
        if self._parser is None:
            self._parser = self._new_index(self._schema)
        return self._parser.parse_query(f"{NUMBERS}.{number_column(field)}:[{lower} TO {upper}]", [NUMBERS])


def _terms_of(node: FilterNode) -> list[str]:
    """Terms of which a document has to have one; empty for a condition that asks for something else."""
    match node:
        case AnyOf(field, texts):
            return [text_term(field, text) for text in texts]
        case TextComparison(field, Relation.EQUAL, text) if time_span(text) is None:
            booleans = [boolean_term(field, value=_BOOLEANS[text])] if text in _BOOLEANS else []
            return [text_term(field, text), *booleans]
        case _:
            return []


def _alternatives(node: FilterNode, *, is_negated: bool = False) -> Sequence[FilterNode]:
    """Filters without a union that a set of terms does not say, of which one has to be met (disjunctive normal form);
    itself where there would be too many."""
    itself = [Exclusion(node) if is_negated else node]
    match node:
        case Exclusion(operand):
            return _alternatives(operand, is_negated=not is_negated)
        case Conjunction(operands) | Disjunction(operands):
            if not is_negated and isinstance(node, Disjunction) and all(map(_terms_of, operands)):
                return itself
            parts = [_alternatives(item, is_negated=is_negated) for item in operands]
            if isinstance(node, Disjunction) is not is_negated:
                found = [each for part in parts for each in part]
            elif math.prod(map(len, parts)) <= _MOST_ALTERNATIVES:
                found = [Conjunction(each) for each in product(*parts)]
            else:
                return itself
            return found if len(found) <= _MOST_ALTERNATIVES else itself
        case _:
            return itself


def _count(searcher: "tantivy.Searcher", query: "tantivy.Query") -> int:
    # The attribute is there, and missing in what the library says of its types.
    return cast(int, getattr(searcher.search(query, 1, count=True), "count"))  # noqa: B009


def _complement(node: FilterNode) -> FilterNode:
    return node.operand if isinstance(node, Exclusion) else Exclusion(node)


def _conjoined(nodes: Sequence[FilterNode]) -> FilterNode | None:
    if len(nodes) > 1:
        return Conjunction(tuple(nodes))
    return nodes[0] if nodes else None


def _range_of(node: InRange | NumberComparison) -> tuple[int, int]:
    """Smallest and largest code that meet a condition; the first is larger where none does."""
    if isinstance(node, NumberComparison):
        return _range_around(node.comparison, node.value, node.value)
    lower, upper = -LARGEST_CODE, LARGEST_CODE
    if node.lower is not None:
        lower = number_code(node.lower.value) + (not node.lower.is_inclusive)
    if node.upper is not None:
        upper = number_code(node.upper.value) - (not node.upper.is_inclusive)
    return lower, upper


def _range_around(comparison: Relation, first: float, last: float) -> tuple[int, int]:
    """The same for a comparison with all numbers from the first to the last."""
    match comparison:
        case Relation.LESS:
            return -LARGEST_CODE, number_code(first) - 1
        case Relation.AT_MOST:
            return -LARGEST_CODE, number_code(last)
        case Relation.GREATER:
            return number_code(last) + 1, LARGEST_CODE
        case Relation.AT_LEAST:
            return number_code(first), LARGEST_CODE
        case Relation.EQUAL:
            return number_code(first), number_code(last)
