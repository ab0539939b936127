"""All that matches a search, for what looks at more than a page: the order by a field, and facets."""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import rough_size
from openplaybook.retrieval.base import SearchEngine, SearchHit, SearchRequest
from openplaybook.services.errors import invalid

MOST_COLLECTED = 2_000
"""Hits."""
MOST_BYTES = 64 * 1024 * 1024
"""Of their texts and data, about."""

_AT_ONCE = 100


async def every_hit(engine: SearchEngine, store: str, request: SearchRequest, field: str) -> Sequence[SearchHit]:
    """Everything that a search finds, best first, whatever page it asks for; `field` is what needs that.

    Raises INVALID_ARGUMENT where it is too much, and what the engine raises.
    """
    found: dict[tuple[str, int], SearchHit] = {}
    held = 0
    for offset in range(0, MOST_COLLECTED + 1, _AT_ONCE):
        results = await engine.search(store, replace(request, limit=_AT_ONCE, offset=offset))
        for hit in results.hits:
            found[hit.document, hit.passage] = hit
            held += len(hit.text) + rough_size(hit.data, MOST_BYTES)
        if len(found) > MOST_COLLECTED or held > MOST_BYTES:
            break
        if len(results.hits) < _AT_ONCE:
            return [*found.values()]
    raise invalid(
        (field, f"looks at no more than {MOST_COLLECTED:,} results, which is fewer than match; narrow filter or query")
    )
