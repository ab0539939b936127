"""Engines do the same: the embedded one and that of a cluster pass one list of behaviours."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.opensearch.cluster_address import ClusterAddress
from openplaybook.retrieval.opensearch.cluster_connection import ClusterConnection
from openplaybook.retrieval.opensearch.opensearch_engine import OpenSearchEngine
from tests.kit.elasticsearch_api import LEFT_OUT, elasticsearch_api
from tests.kit.engine_conformance import CONFORMANCE
from tests.kit.http_peer import Received, http_peer
from tests.kit.search_cluster.cluster import SearchCluster


@pytest.fixture(params=["embedded", "opensearch"])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SearchEngine]:
    async with AsyncExitStack() as stack:
        if request.param == "embedded":
            catalog = SqliteCatalog(tmp_path / "stores.db")
            await catalog.open()
            engine: SearchEngine = EmbeddedEngine(catalog, tmp_path / "indexes")
        else:
            peer = await stack.enter_async_context(http_peer(SearchCluster()))
            transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
            stack.push_async_callback(transport.aclose)
            engine = OpenSearchEngine(ClusterConnection(ClusterAddress(peer.url), transport))
        stack.push_async_callback(engine.close)
        yield engine


@pytest.mark.parametrize("behaviour", CONFORMANCE, ids=lambda each: each.__name__)
async def test_every_engine(engine: SearchEngine, behaviour: Callable[[SearchEngine], Awaitable[None]]) -> None:
    await behaviour(engine)


def test_requests_are_held_against_the_description_of_elasticsearch() -> None:
    api = elasticsearch_api()
    if api is None:
        pytest.skip(LEFT_OUT)
    headers, body = (("Content-Type", "application/json"),), b'{"query": {"match_all": {}}}'
    right = Received("POST", "/pets/_search", headers, body)
    wrong = Received("POST", "/pets/_search?nonsense=1", headers, body)
    assert (api.objections(right), api.objections(wrong)) == ([], ["/{index}/_search has no parameter nonsense"])
