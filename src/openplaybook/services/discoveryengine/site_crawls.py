"""Crawls of a store's sites: operations that tell how far they are, and that outlive their server."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.names import TARGET_SITES, new_id
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners
from openplaybook.retrieval.crawl.frontier import Frontier, packed, unpacked
from openplaybook.retrieval.crawl.url_patterns import UrlPattern, UrlPatterns, page_pattern, url_pattern
from openplaybook.retrieval.ingestion.import_progress import ImportProgress, progress_from_json, progress_to_json
from openplaybook.retrieval.ingestion.site_import import SiteImport, delete_pages_outside
from openplaybook.retrieval.records.document_ids import id_of_uri
from openplaybook.services.collection import Collection
from openplaybook.services.discoveryengine.store_contents import filling
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.large_messages import done_aside
from openplaybook.services.operation_notes import UnfinishedWork
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import TARGET_SITE
from openplaybook.services.stored_records import retried
from openplaybook.storage.errors import RecordNotFound
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

CRAWL = "crawl_sites"
"""Kind of the note of a crawl."""
LONGEST_S = 14 * 60 * 60.0
"""How long a crawl may take; it ends itself before."""
INCLUDE, EXCLUDE = 1, 2
"""`TargetSite.Type`."""
PENDING, FAILED, SUCCEEDED = 1, 2, 3
"""`TargetSite.IndexingStatus`."""

_VERSION = "v1"
_LARGE = 1_000_000
"""Bytes of a frontier, as far as that is known: it is read and written in a thread."""
_AT_ONCE = 2
"""Crawls that run; others wait for them."""


@dataclass(frozen=True, slots=True)
class CrawlTask:
    """One crawl."""

    store: str
    sites: tuple[str, ...]
    """Names of the target sites that it was started for."""
    uris: tuple[str, ...] = ()
    """Pages that are taken anew; none: all pages of all sites."""
    is_batch: bool = False
    """Whether the operation results in a list of sites."""

    def to_json(self) -> JsonObject:
        """Its stored form."""
        sites, uris = list(self.sites), list(self.uris)
        return {"store": self.store, "sites": sites, "uris": uris, "isBatch": self.is_batch}


def crawl_task_of(stored: JsonObject) -> CrawlTask:
    """The crawl of its stored form."""
    sites, uris = (tuple(map(str, as_list(stored[name]))) for name in ("sites", "uris"))
    return CrawlTask(str(stored["store"]), sites, uris, bool(stored["isBatch"]))


class SiteCrawls:
    """Starts crawls and takes them up again."""

    def __init__(
        self,
        parts: ServiceParts,
        engine: SearchEngine,
        stores: StoreReadings,
        transport: Transport,
        limits: CrawlLimits | None = None,
        manners: CrawlManners | None = None,
    ) -> None:
        """`transport` judges addresses, and tries nothing again."""
        self._parts = parts
        self._engine = engine
        self._stores = stores
        self._transport = transport
        self._limits = limits or CrawlLimits()
        self._manners = manners or CrawlManners()
        self._sites = Collection(TARGET_SITE, parts)
        self._running = asyncio.Semaphore(_AT_ONCE)

    async def start(self, task: CrawlTask, metadata: ApiMessage, context: RpcContext) -> ApiMessage:
        """Begin a crawl; the operation."""
        operation, progress = new_id(), ImportProgress()
        parent = f"{task.store}/siteSearchEngine"
        work = partial(self._work, f"{parent}/operations/{operation}", task, progress, None)
        return await self._parts.operations.start(
            context,
            parent,
            work,
            metadata=metadata,
            id=operation,
            note=_note(task, progress, None),
            longest_s=LONGEST_S,
        )

    async def resume(self, unfinished: UnfinishedWork) -> bool:
        """Go on with a crawl that no server runs any more. Raises `InvalidSource` where a newer one began it."""
        # First, since it says by whom the note was written.
        progress = progress_from_json(as_object(unfinished.note["progress"]))
        task = crawl_task_of(as_object(unfinished.note["task"]))
        frontier = await done_aside(partial(unpacked, unfinished.note.get("frontier")), _LARGE)
        work = partial(self._work, unfinished.operation, task, progress, frontier)
        return await self._parts.operations.resume(unfinished.operation, work, _VERSION, longest_s=LONGEST_S)

    async def patterns(self, store: str) -> tuple[UrlPatterns, Sequence[str]]:
        """The sites of a store, and where to begin with them. Raises `InvalidSource`."""
        sites = await self._sites.all(f"{store}/siteSearchEngine")
        included = [site for site in sites if site.type != EXCLUDE]
        excluded = [pattern_of(site) for site in sites if site.type == EXCLUDE]
        patterns = UrlPatterns(tuple(map(pattern_of, included)), tuple(excluded))
        return patterns, list(dict.fromkeys(seed for site in included for seed in _seeds(site)))

    async def _work(
        self, operation: str, task: CrawlTask, progress: ImportProgress, frontier: Frontier | None
    ) -> FinishedWork:
        async with self._running:
            try:
                done = await self._crawled(operation, task, progress, frontier)
            except asyncio.CancelledError:
                raise
            except Exception:
                await self._settle(task.sites, FAILED)
                raise
        sites = await self._settle(task.sites, SUCCEEDED if done.succeeded or not done.failed else FAILED)
        if not done.succeeded and done.faults and task.sites:
            first = done.faults[0]
            raise RpcError(Code.FAILED_PRECONDITION, f"no page was taken; {first.where}: {first.message}")
        return FinishedWork(self._response(task, sites, done), _counts(done, task))

    async def _crawled(
        self, operation: str, task: CrawlTask, progress: ImportProgress, frontier: Frontier | None
    ) -> ImportProgress:
        reading = await self._stores.reading(task.store)
        patterns, seeds = await self.patterns(task.store)
        if task.uris:
            patterns = UrlPatterns(tuple(map(page_pattern, task.uris)))
            seeds = task.uris
        else:
            # Of sites that were narrowed, or deleted by a server that stopped in the midst of it.
            outside = await delete_pages_outside(self._engine, task.store, patterns)
            progress = replace(progress, deleted=progress.deleted + outside)
        latest = frontier

        async def report(progress: ImportProgress, moved: Frontier | None) -> None:
            nonlocal latest
            latest = moved or latest
            await self._stores.existing(task.store)
            write = partial(_note, task, progress, latest)
            note = await done_aside(write, _LARGE) if moved is not None else None
            await self._parts.operations.report(operation, _counts(progress, task, latest), note)

        run = SiteImport(self._engine, task.store, reading, self._transport, self._limits, self._manners)
        async with filling(self._engine, self._stores, task.store):
            return await run.run(seeds, patterns, progress, frontier, report, is_refresh=not task.uris)

    async def _settle(self, names: Sequence[str], status: int) -> list[ApiMessage]:
        """Say of sites how their crawl ended; those that there are still."""
        settled: list[ApiMessage] = []
        for name in names:

            async def write(name: str = name) -> ApiMessage:
                stored = await self._sites.read(name)
                site = self._sites.new()
                site.CopyFrom(stored.message)
                site.indexing_status = status
                site.update_time.FromMicroseconds(self._parts.now_us())
                await self._parts.store.apply([await self._sites.replacement(stored.record, site)])
                return site

            try:
                settled.append(await retried(write))
            except (RecordNotFound, RpcError) as error:
                if isinstance(error, RpcError) and error.code is not Code.NOT_FOUND:
                    raise
                # It was deleted meanwhile.
                continue
        return settled

    def _response(self, task: CrawlTask, sites: Sequence[ApiMessage], done: ImportProgress) -> ApiMessage:
        if task.uris:
            failed = [
                {"uri": fault.where, "failureReasons": [{"errorMessage": fault.message}]} for fault in done.faults
            ]
            response = self._parts.discovery("RecrawlUrisResponse", failed_uris=[fault.where for fault in done.faults])
            return self._parts.api.codec.from_json({"failureSamples": failed}, response)
        if task.is_batch:
            return self._parts.discovery("BatchCreateTargetSitesResponse", target_sites=sites)
        return sites[0] if sites else self._parts.empty()


def pattern_of(site: ApiMessage) -> UrlPattern:
    """The pattern of a target site. Raises `InvalidSource`."""
    return url_pattern(site.provided_uri_pattern, is_exact=site.exact_match)


def site_name(store: str, pattern: UrlPattern, kind: int) -> str:
    """The name of the target site of a pattern; there is one of each kind."""
    return str(TARGET_SITES.child(f"{store}/siteSearchEngine", id_of_uri(f"{kind} {pattern.generated}")))


def _seeds(site: ApiMessage) -> Sequence[str]:
    """Where to begin with a site. One that names a port and no scheme is no public one, and asked by http."""
    patterns = UrlPatterns((pattern_of(site),))
    has_port = urlsplit(f"//{patterns.include[0].generated}").port is not None
    is_plain = has_port and "://" not in site.provided_uri_pattern
    return [f"http://{seed.partition('://')[2]}" if is_plain else seed for seed in patterns.seeds()]


def _note(task: CrawlTask, progress: ImportProgress, frontier: Frontier | None) -> JsonObject:
    return {
        "kind": CRAWL,
        "task": task.to_json(),
        "progress": progress_to_json(progress),
        "frontier": packed(frontier) if frontier is not None else None,
    }


def _counts(progress: ImportProgress, task: CrawlTask, ahead: Frontier | None = None) -> JsonObject:
    """What the metadata say of it; of a crawl that goes on also how many pages it knows of and has not asked for."""
    if task.uris:
        return {"successCount": progress.succeeded}
    return {
        "successCount": progress.succeeded,
        "failureCount": progress.failed,
        "unchangedCount": progress.unchanged,
        "deletedCount": progress.deleted,
        "pendingCount": len(ahead.pending) if ahead is not None else 0,
    }
