"""Translates filters into clauses of the query language, over what `document_entry` writes for them.

All but distances are translated exactly. The engine rounds coordinates, so that near the rim it finds other places
than the filter lets through: there the clause finds a little more, and the filter is left to be tested on the hits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.errors import InvalidSearchFilter
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
from openplaybook.retrieval.index.metadata_fields import boolean_term, number_column, text_term

_NONE: Final[JsonObject] = {"match_none": {}}
_BOOLEANS: Final = {"true": True, "false": False}
_MOST_DEPTH: Final = 20
"""Of conditions within each other; the engine takes queries of 30 levels."""
_WIDER, _WIDER_METRES = 1.001, 1
"""By how much more is asked for than a distance."""
_HALF_ROUND: Final = 20_100_000
"""Metres; nothing on earth is farther away."""
_TO_ESCAPE: Final = str.maketrans({"\\": "\\\\", "?": "\\?"})


@dataclass(frozen=True, slots=True)
class FilterClause:
    """Documents are let through that match the clause and meet the residual."""

    clause: JsonObject | None
    """None where the engine cannot narrow the search."""
    residual: FilterNode | None
    """None where the clause alone says it."""


def filter_clause(node: FilterNode) -> FilterClause:
    """The clause of a filter. Raises `InvalidSearchFilter` for one that is nested more deeply than the engine takes."""
    if _depth(node) > _MOST_DEPTH:
        raise InvalidSearchFilter(f"the search engine takes conditions within each other up to {_MOST_DEPTH} levels", 0)
    return _part(node)


def _part(node: FilterNode) -> FilterClause:
    match node:
        case Conjunction(operands):
            return _conjunction(operands)
        case Exclusion():
            return _conjunction((node,))
        case Disjunction(operands):
            return _disjunction(node, operands)
        case AddressDistance():
            return FilterClause(None, node)
        case GeoDistance():
            return FilterClause(_around(node), node)
        case SiteMatch(pattern):
            return FilterClause(_site(site_pattern(pattern)), None)
        case AnyOf(field, texts):
            return FilterClause({"terms": {"terms": [text_term(field, text) for text in texts]}}, None)
        case TextComparison():
            return FilterClause(_text_comparison(node), None)
        case NumberComparison(field, comparison, value):
            return FilterClause(_number(field, _range_around(comparison, value, value)), None)
        case InRange(field, lower, upper):
            low = {("gte" if lower.is_inclusive else "gt"): lower.value} if lower else {}
            high = {("lte" if upper.is_inclusive else "lt"): upper.value} if upper else {}
            return FilterClause(_number(field, {**low, **high}), None)


def _conjunction(operands: Sequence[FilterNode]) -> FilterClause:
    let_through: list[JsonObject] = []
    left_out: list[JsonObject] = []
    residuals: list[FilterNode] = []
    for item in operands:
        is_negated = isinstance(item, Exclusion)
        part = _part(item.operand if is_negated else item)
        if part.residual is not None:
            residuals.append(item if is_negated else part.residual)
        # What is more than the operand cannot be taken away for its negation.
        if part.clause is not None and not (is_negated and part.residual is not None):
            (left_out if is_negated else let_through).append(part.clause)
    parts = {"filter": let_through, "must_not": left_out}
    clauses = {name: clauses for name, clauses in parts.items() if clauses}
    residual = Conjunction(tuple(residuals)) if len(residuals) > 1 else next(iter(residuals), None)
    return FilterClause({"bool": clauses} if clauses else None, residual)


def _disjunction(node: Disjunction, operands: Sequence[FilterNode]) -> FilterClause:
    parts = [_part(item) for item in operands]
    clauses = [part.clause for part in parts if part.clause is not None]
    is_exact = all(part.residual is None for part in parts)
    union: JsonObject = {"bool": {"should": clauses, "minimum_should_match": 1}}
    return FilterClause(union if len(clauses) == len(parts) else None, None if is_exact else node)


def _text_comparison(node: TextComparison) -> JsonObject:
    span = time_span(node.text)
    if span is not None:
        return _number(node.field, _range_around(node.comparison, float(span.first), float(span.last)))
    if node.comparison is not Relation.EQUAL:
        return _NONE
    terms = [text_term(node.field, node.text)]
    if node.text in _BOOLEANS:
        terms.append(boolean_term(node.field, value=_BOOLEANS[node.text]))
    return {"terms": {"terms": terms}}


def _number(field: str, bounds: dict[str, float]) -> JsonObject:
    """Documents with a number in the field that is within bounds, all numbers where there are none."""
    # Zero with a sign is another number to the engine.
    within = {"range": {"numbers.value": {name: value + 0.0 for name, value in bounds.items()}}}
    asked: list[JsonObject] = [{"term": {"numbers.path": {"value": number_column(field)}}}]
    if bounds:
        asked.append(within)
    return {"nested": {"path": "numbers", "query": {"bool": {"filter": asked}}}}


def _range_around(comparison: Relation, first: float, last: float) -> dict[str, float]:
    """The bounds of a comparison with all numbers from the first to the last."""
    match comparison:
        case Relation.LESS:
            return {"lt": first}
        case Relation.AT_MOST:
            return {"lte": last}
        case Relation.GREATER:
            return {"gt": last}
        case Relation.AT_LEAST:
            return {"gte": first}
        case Relation.EQUAL:
            return {"gte": first, "lte": last}


def _around(node: GeoDistance) -> JsonObject:
    distance: JsonObject = {
        "distance": f"{math.ceil(min(node.metres * _WIDER + _WIDER_METRES, _HALF_ROUND))}m",
        "places.point": {"lat": node.latitude, "lon": node.longitude},
    }
    asked: list[JsonObject] = [
        {"term": {"places.path": {"value": number_column(node.field)}}},
        {"geo_distance": distance},
    ]
    return {"nested": {"path": "places", "query": {"bool": {"filter": asked}}}}


def _site(pattern: str) -> JsonObject:
    """Addresses that fit a pattern, a star in which means to the engine what it means to us."""
    start, star, rest = pattern.partition(WILDCARD)
    if not star:
        return {"term": {"address": {"value": pattern}}}
    if not rest:
        return {"prefix": {"address": {"value": start}}}
    return {"wildcard": {"address": {"value": pattern.translate(_TO_ESCAPE)}}}


def _depth(node: FilterNode) -> int:
    deepest, left = 0, [(node, 1)]
    while left:
        inner, depth = left.pop()
        deepest = max(deepest, depth)
        match inner:
            case Exclusion(operand):
                left.append((operand, depth + 1))
            case Conjunction(operands) | Disjunction(operands):
                left.extend((each, depth + 1) for each in operands)
            case _:
                pass
    return deepest
