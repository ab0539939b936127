"""Search by a serving config of a store: whatever it is called, it is the store's only one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, rough_size
from openplaybook.retrieval.answers.answer_settings import AnswerSettings
from openplaybook.retrieval.answers.base import AnswerRequest, AskedStore
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.base import (
    SearchEngine,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreFacts,
    StoreSearch,
)
from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.services.discoveryengine.facets import MOST_NARROWINGS, facet_json, without_keys
from openplaybook.services.discoveryengine.result_order import in_order
from openplaybook.services.discoveryengine.search_requests import AskedSearch, asked_search
from openplaybook.services.discoveryengine.search_results import response_json, summary_json
from openplaybook.services.discoveryengine.store_names import name_within
from openplaybook.services.errors import invalid, not_found, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

SERVING_CONFIG = "servingConfigs/{serving_config}"
"""Behind the name of a store."""

MOST_SOURCES = 10
"""Passages that a summary is made of."""
MOST_COLLECTED = 2_000
"""Hits that an order by fields, or facets, look at."""
MOST_COLLECTED_BYTES = 64 * 1024 * 1024
"""Of their texts and data, about."""
_COLLECTED_AT_ONCE = 100
RESULTS = Lane("results of searches", threads=1, waiting=1_000, seconds=30)
"""Where sentences and snippets are chosen from what was found."""


class StoreSearches:
    """Search, with its light form."""

    def __init__(self, parts: ServiceParts, search: StoreSearch) -> None:
        self._parts = parts
        self._search = search

    async def search(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What a store has for a query."""
        facts = await served_store(self._search, request.serving_config)
        asked = asked_search(request, facts, self._parts.api.codec)
        try:
            found = await self._found(asked, facts.name)
            facets = await self._facets(asked, facts.name)
        except InvalidSearchFilter as error:
            raise invalid(("filter", str(error))) from error
        write = partial(response_json, found, asked, facts, explains=request.explain)
        try:
            response = await RESULTS.run(write) if asked.answers or asked.has_snippets else write()
        except WorkError as error:
            raise to_rpc_error(error) from error
        if facets:
            response["facets"] = facets
        if request.content_search_spec.HasField("summary_spec"):
            spec = request.content_search_spec.summary_spec
            response["summary"] = await self._summary(asked, facts, spec)
        return self._parts.api.codec.from_json(response, self._parts.discovery("SearchResponse"))

    async def _found(self, asked: AskedSearch, store: str) -> SearchResults:
        """The page that is asked for."""
        engine, request = self._search.engine, asked.request
        if not asked.order:
            return await engine.search(store, request)
        hits = await _every_hit(engine, store, request, "order_by")
        ordered = await RESULTS.run(partial(in_order, hits, asked.order))
        return SearchResults(tuple(ordered[request.offset : request.offset + request.limit]), len(ordered))

    async def _facets(self, asked: AskedSearch, store: str) -> list[JsonValue]:
        """What is counted of all that matches; a search more for all facets that leave out the same conditions."""
        narrowings: dict[FilterNode | None, list[int]] = {}
        for at, facet in enumerate(asked.facets):
            narrowings.setdefault(without_keys(asked.request.filter, facet.excluded_keys), []).append(at)
        if len(narrowings) > MOST_NARROWINGS:
            message = f"leave out conditions of the filter in {len(narrowings)} ways; {MOST_NARROWINGS} are allowed"
            raise invalid(("facet_specs", message))
        counted: dict[int, JsonValue] = {}
        # What one of them finds is in memory at a time.
        for narrowed, places in narrowings.items():
            request = replace(asked.request, filter=narrowed, boosts=(), explain=False)
            hits = await _every_hit(self._search.engine, store, request, "facet_specs")
            for at in places:
                counted[at] = await RESULTS.run(partial(facet_json, asked.facets[at], hits))
        return [counted[at] for at in range(len(asked.facets))]

    async def _summary(self, asked: AskedSearch, facts: StoreFacts, spec: ApiMessage) -> JsonObject:
        """What the answer to the query is, extracted from what was found."""
        store = AskedStore(facts, asked.request.filter, tuple(asked.request.boosts))
        settings = AnswerSettings(sources=max(1, min(spec.summary_result_count, MOST_SOURCES)))
        query = AnswerRequest(asked.request.text, spec.language_code or asked.request.language or facts.language)
        found = await answer(query, [store], self._search.engine, settings)
        return summary_json(found, facts.name, has_citations=spec.include_citations)


async def served_store(search: StoreSearch, serving_config: str) -> StoreFacts:
    """The store that a serving config is of. Raises `InvalidName` and NOT_FOUND."""
    name = name_within(serving_config, SERVING_CONFIG, "serving_config").store
    facts = await search.directory.facts(name)
    if facts is None:
        raise not_found("Data store", name)
    return facts


async def _every_hit(engine: SearchEngine, store: str, request: SearchRequest, field: str) -> Sequence[SearchHit]:
    """Everything that a search finds, best first, whatever page it asks for; `field` is what needs that.

    Raises INVALID_ARGUMENT where it is too much, and what the engine raises.
    """
    found: dict[tuple[str, int], SearchHit] = {}
    held = 0
    for offset in range(0, MOST_COLLECTED + 1, _COLLECTED_AT_ONCE):
        results = await engine.search(store, replace(request, limit=_COLLECTED_AT_ONCE, offset=offset))
        for hit in results.hits:
            found[hit.document, hit.passage] = hit
            held += len(hit.text) + rough_size(hit.data, MOST_COLLECTED_BYTES)
        if len(found) > MOST_COLLECTED or held > MOST_COLLECTED_BYTES:
            break
        if len(results.hits) < _COLLECTED_AT_ONCE:
            return [*found.values()]
    raise invalid(
        (field, f"looks at no more than {MOST_COLLECTED:,} results, which is fewer than match; narrow filter or query")
    )
