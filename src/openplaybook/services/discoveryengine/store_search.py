"""Search by a serving config of a store: whatever it is called, it is the store's only one."""

from functools import partial

from openplaybook.retrieval.base import StoreFacts, StoreSearch
from openplaybook.retrieval.errors import InvalidFilter
from openplaybook.services.discoveryengine.search_requests import asked_search
from openplaybook.services.discoveryengine.search_results import response_json
from openplaybook.services.discoveryengine.store_names import name_within
from openplaybook.services.errors import invalid, not_found, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

SERVING_CONFIG = "servingConfigs/{serving_config}"
"""Behind the name of a store."""

RESULTS = Lane("results of searches", threads=1, waiting=1_000, seconds=30)
"""Where sentences are chosen from what was found."""


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
            found = await self._search.engine.search(facts.name, asked.request)
        except InvalidFilter as error:
            raise invalid(("filter", str(error))) from error
        write = partial(response_json, found, asked, facts, explains=request.explain)
        try:
            response = await RESULTS.run(write) if asked.answers else write()
        except WorkError as error:
            raise to_rpc_error(error) from error
        return self._parts.api.codec.from_json(response, self._parts.discovery("SearchResponse"))


async def served_store(search: StoreSearch, serving_config: str) -> StoreFacts:
    """The store that a serving config is of. Raises `InvalidName` and NOT_FOUND."""
    name = name_within(serving_config, SERVING_CONFIG, "serving_config").store
    facts = await search.directory.facts(name)
    if facts is None:
        raise not_found("Data store", name)
    return facts
