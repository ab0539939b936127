"""Why a passage was found: the words of the request that it has, and what each adds to its score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import as_object, loads
from openplaybook.retrieval.base import MatchedTerm

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher


def matched_terms(
    clauses: "Sequence[tuple[str, str, Query]]", searcher: "Searcher", address: "DocAddress"
) -> tuple[MatchedTerm, ...]:
    """Clauses (word as written, field, query) that a passage meets, heaviest first; those of one word in one field are
    one."""
    weights: dict[tuple[str, str], float] = {}
    for word, field, query in clauses:
        weight = _weight(query, searcher, address)
        if weight > 0:
            weights[word, field] = weights.get((word, field), 0.0) + weight
    found = [MatchedTerm(word, field, weight) for (word, field), weight in weights.items()]
    return tuple(sorted(found, key=lambda term: (-term.weight, term.term, term.field)))


def _weight(query: "Query", searcher: "Searcher", address: "DocAddress") -> float:
    try:
        explained = query.explain(searcher, address).to_json()
    except ValueError:
        # So the engine says that the passage does not meet the query.
        return 0.0
    value = as_object(loads(explained)).get("value")
    return float(value) if isinstance(value, (int, float)) else 0.0
