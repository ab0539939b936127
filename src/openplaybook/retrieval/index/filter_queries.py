"""Translates filters into queries of the index, over the fields of `metadata_fields`.

Most filters are translated exactly. For distances and some patterns of sites, the query finds more than the filter lets
through, and what is left to be tested on the data of the hits is handed back: the residual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from openplaybook.retrieval.filters.moments import time_span
from openplaybook.retrieval.filters.site_patterns import WILDCARD, site_pattern
from openplaybook.retrieval.filters.syntax import (
    AddressDistance,
    AnyOf,
    Comparison,
    Conjunction,
    Disjunction,
    FilterNode,
    GeoDistance,
    InRange,
    Negation,
    NumberComparison,
    SiteMatch,
    TextComparison,
)
from openplaybook.retrieval.index.metadata_fields import (
    LARGEST_CODE,
    MAX_SITE_FOLDERS,
    NUMBERS,
    TERMS,
    boolean_term,
    folder_term,
    number_code,
    number_column,
    text_term,
)

if TYPE_CHECKING:
    import tantivy

_MOST_CLAUSES: Final = 16
"""Terms of a union that are read one beside the other; more are looked up as a set."""
_BOOLEANS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class FilterTranslation:
    """What a filter is for the index: documents are let through that match the query and meet the residual."""

    query: "tantivy.Query | None"
    """Adds nothing to the score; None where the index cannot narrow the search."""
    residual: FilterNode | None
    """None where the query alone says it."""


def translated(node: FilterNode, schema: "tantivy.Schema") -> FilterTranslation:
    """The query of a filter, for a schema with the fields of `add_metadata_fields`."""
    # It loads a native library, which a server without data stores never needs.
    from tantivy import Query

    part = _Translator(schema).part(node)
    scoreless = None if part.query is None else Query.const_score_query(part.query, 0.0)
    return FilterTranslation(scoreless, part.residual)


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
            case Negation():
                return self._conjunction((node,))
            case GeoDistance() | AddressDistance():
                return FilterTranslation(None, node)
            case SiteMatch():
                return self._site_match(node)
            case AnyOf(field, texts):
                return FilterTranslation(self._terms([text_term(field, text) for text in texts]), None)
            case TextComparison():
                return FilterTranslation(self._text_comparison(node), None)
            case InRange() | NumberComparison():
                return FilterTranslation(self._codes(node.field, *_range_of(node)), None)

    def _conjunction(self, operands: Sequence[FilterNode]) -> FilterTranslation:
        clauses: list[tuple[tantivy.Occur, tantivy.Query]] = []
        residuals: list[FilterNode] = []
        for item in operands:
            is_negated = isinstance(item, Negation)
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
        if any(isinstance(item, Negation) for item in operands):
            # A union with nearly all documents is read whole; as what is left out, only where another clause asks.
            return self._conjunction((Negation(Conjunction(tuple(map(_complement, operands)))),))
        parts = [self.part(item) for item in operands]
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
        if node.comparison is not Comparison.EQUAL:
            return self._query.empty_query()
        terms = [text_term(node.field, node.text)]
        if node.text in _BOOLEANS:
            terms.append(boolean_term(node.field, value=_BOOLEANS[node.text]))
        return self._terms(terms)

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


def _complement(node: FilterNode) -> FilterNode:
    return node.operand if isinstance(node, Negation) else Negation(node)


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


def _range_around(comparison: Comparison, first: float, last: float) -> tuple[int, int]:
    """The same for a comparison with all numbers from the first to the last."""
    match comparison:
        case Comparison.LESS:
            return -LARGEST_CODE, number_code(first) - 1
        case Comparison.AT_MOST:
            return -LARGEST_CODE, number_code(last)
        case Comparison.GREATER:
            return number_code(last) + 1, LARGEST_CODE
        case Comparison.AT_LEAST:
            return number_code(first), LARGEST_CODE
        case Comparison.EQUAL:
            return number_code(first), number_code(last)
