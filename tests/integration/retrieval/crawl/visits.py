"""What tests of whole crawls share: a site that runs, how it is crawled, and what came of it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState
from openplaybook.retrieval.crawl.crawl_events import CrawlEvent, PageFetched, PageGone, PageSkipped, PageUnchanged
from openplaybook.retrieval.crawl.crawler import CrawlTime, crawl
from openplaybook.retrieval.crawl.frontier import Frontier
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns, url_pattern
from tests.kit.egress import Names
from tests.kit.http_peer import http_peer
from tests.kit.trap_site import TrapSite, word

HOST = "site.example"
HONEST = frozenset({"/", *(f"/docs/{word(number)}" for number in range(40))})
"""Paths of an honest site of forty documents."""
LIMITS = CrawlLimits(page_bytes=100_000, page_s=1.5, depth=60, shape_pages=30, path_queries=10)
MANNERS = CrawlManners(contact="https://crawler.example/about")


@dataclass
class QuickTime:
    """A clock that goes on by sleeping alone."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Visit:
    """A site that runs, and how it is crawled."""

    site: TrapSite
    port: int
    transport: HttpTransport
    time: QuickTime = field(default_factory=QuickTime)
    included: tuple[str, ...] = ("internal.example/*",)
    excluded: tuple[str, ...] = ("/excluded/*",)

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def times(self) -> CrawlTime:
        return CrawlTime(self.time.clock, self.time.sleep)

    def patterns(self) -> UrlPatterns:
        include = (url_pattern(f"{HOST}:{self.port}/*"), *map(url_pattern, self.included))
        return UrlPatterns(include, tuple(url_pattern(f"{HOST}:{self.port}{path}") for path in self.excluded))

    async def crawl(
        self,
        known: Mapping[str, PageState] | None = None,
        limits: CrawlLimits = LIMITS,
        manners: CrawlManners = MANNERS,
        frontier: Frontier | None = None,
        seeds: Sequence[str] = ("/",),
    ) -> list[CrawlEvent]:
        events = crawl(
            [self.origin + seed for seed in seeds],
            self.patterns(),
            known or {},
            self.transport,
            limits=limits,
            manners=manners,
            frontier=frontier,
            times=self.times,
        )
        async with aclosing(events):
            return [event async for event in events]

    def path(self, url: str) -> str:
        return url.removeprefix(self.origin)


@asynccontextmanager
async def visit(site: TrapSite) -> AsyncGenerator[Visit]:
    hosts = [HOST, *(f"{letter}.{HOST}" for letter in "abcdefghij")]
    names = Names({**{host: [("127.0.0.1",)] for host in hosts}, "internal.example": [("10.0.0.1",)]})
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), names)
    async with http_peer(site) as peer:
        yield Visit(site, peer.port, transport)
    await transport.aclose()


def fetched(running: Visit, events: Sequence[object]) -> set[str]:
    return {running.path(event.url) for event in events if isinstance(event, PageFetched)}


def skipped(running: Visit, events: Sequence[object]) -> dict[str, str]:
    return {running.path(event.url): event.reason.name for event in events if isinstance(event, PageSkipped)}


def states(events: Sequence[object]) -> dict[str, PageState]:
    return {event.url: event.state for event in events if isinstance(event, PageFetched | PageUnchanged)}


def gone(running: Visit, events: Sequence[object]) -> dict[str, str]:
    return {running.path(event.url): event.reason.name for event in events if isinstance(event, PageGone)}
