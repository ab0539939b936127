"""Crawls of a small site into a store."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import as_object
from openplaybook.retrieval.base import StoreFacts, StoreType
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners
from openplaybook.retrieval.crawl.frontier import Frontier
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns, url_pattern
from openplaybook.retrieval.ingestion.import_progress import ImportProgress
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.ingestion.site_import import PAGE, SiteImport
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.memory_engine import MemoryEngine

STORE = "projects/p/locations/global/collections/c/dataStores/d"
READING = StoreReading(StoreFacts(STORE, "D", StoreType.PUBLIC_WEB))
PAGE_TEXT = b"<html><body><main><p>The lamp is switched on with the red lever on the left.</p></main></body></html>"


@dataclass
class Site:
    """One page, whose edition is told apart by a tag although its text stays what it is."""

    tag: str = '"1"'

    def __call__(self, received: Received) -> bytes:
        if received.target != "/lamp":
            return answer(b"gone", "404 Not Found", "text/plain")
        if received.header("If-None-Match") == self.tag:
            return answer(b"", "304 Not Modified", ETag=self.tag)
        return answer(PAGE_TEXT, content_type="text/html; charset=utf-8", ETag=self.tag)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
async def peer(site: Site) -> AsyncIterator[HttpPeer]:
    async with http_peer(site) as peer:
        yield peer


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    yield transport
    await transport.aclose()


async def crawled(engine: MemoryEngine, peer: HttpPeer, transport: HttpTransport) -> ImportProgress:
    async def report(progress: ImportProgress, frontier: Frontier | None) -> None: ...

    run = SiteImport(engine, STORE, READING, transport, CrawlLimits(), CrawlManners(delay_s=0.0))
    patterns = UrlPatterns((url_pattern(f"127.0.0.1:{peer.port}/*"),))
    return await run.run([f"{peer.url}/lamp"], patterns, ImportProgress(), None, report)


async def test_what_the_next_visit_of_an_unchanged_page_needs_is_kept(
    peer: HttpPeer, site: Site, transport: HttpTransport
) -> None:
    engine = MemoryEngine()
    assert (await crawled(engine, peer, transport)).put == 1
    [first] = engine.stores[STORE].values()
    site.tag = '"2"'
    assert (await crawled(engine, peer, transport)).unchanged == 1
    [second] = engine.stores[STORE].values()
    assert as_object(second.source[PAGE])["etag"] == '"2"'
    assert (second.passages, second.digest) == (first.passages, first.digest)
    assert second.source["content"] == first.source["content"]


async def test_a_page_that_is_wholly_as_it_was_is_not_written_again(peer: HttpPeer, transport: HttpTransport) -> None:
    engine = MemoryEngine()
    await crawled(engine, peer, transport)
    assert (await crawled(engine, peer, transport)).unchanged == 1
    assert len(engine.puts) == 1
