"""Websites are crawled again when their time has come, so that stores have what the sites have now."""

from openplaybook.jsonvalues import as_object, loads
from openplaybook.resources.names import TARGET_SITES
from openplaybook.retrieval.base import StoreType
from openplaybook.services.collection import Collection
from openplaybook.services.discoveryengine.site_crawls import CRAWL, EXCLUDE, PENDING, CrawlTask, SiteCrawls
from openplaybook.services.discoveryengine.stored_stores import every_store, facts_of
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import DISCOVERY, TARGET_SITE
from openplaybook.storage.base import Put
from openplaybook.storage.errors import RecordNotFound, VersionMismatch
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

_CONTEXT = RpcContext(f"{DISCOVERY}SiteSearchEngineService.CreateTargetSite", "v1", "grpc")


class SiteRefreshes:
    """Begins crawls that are due. Of several servers one begins each."""

    def __init__(self, parts: ServiceParts, crawls: SiteCrawls) -> None:
        self._parts = parts
        self._crawls = crawls
        self._sites = Collection(TARGET_SITE, parts)

    async def begin_due(self, after_s: int) -> list[str]:
        """Begin to crawl the sites of stores that were crawled last before so many seconds; names of the operations.

        A store that is being crawled waits for its next time. Raises `StoreError`.
        """
        begun: list[str] = []
        unfinished = [each.note for each in await self._parts.operations.notes.all()]
        # A newer server among these may write another form of notes, which says nothing here.
        crawled = {as_object(note.get("task")).get("store") for note in unfinished if note.get("kind") == CRAWL}
        for record in await every_store(self._parts.store):
            document = as_object(loads(record.body))
            is_off = as_object(document.get("advancedSiteSearchConfig")).get("disableAutomaticRefresh") is True
            if facts_of(document).type is StoreType.PUBLIC_WEB and not is_off and record.name not in crawled:
                begun += await self._begin(record.name, self._parts.now_us() - after_s * 1_000_000)
        return begun

    async def _begin(self, store: str, before_us: int) -> list[str]:
        sites = [site for site in await self._sites.all(f"{store}/siteSearchEngine") if site.type != EXCLUDE]
        if not sites or max(_crawled_us(site) for site in sites) >= before_us:
            return []
        names = tuple(str(TARGET_SITES.parse(site.name)) for site in sites)
        if not await self._claimed(names, before_us):
            return []
        metadata = self._parts.discovery("BatchCreateTargetSiteMetadata")
        operation = await self._crawls.start(CrawlTask(store, names, is_batch=True), metadata, _CONTEXT)
        return [operation.name]

    async def _claimed(self, names: tuple[str, ...], before_us: int) -> bool:
        """Whether this server is the one that begins; not where another has begun since it was looked."""
        changes: list[Put] = []
        try:
            for name in names:
                stored = await self._sites.read(name)
                if _crawled_us(stored.message) >= before_us:
                    return False
                site = self._sites.new()
                site.CopyFrom(stored.message)
                site.indexing_status = PENDING
                site.update_time.FromMicroseconds(self._parts.now_us())
                changes.append(await self._sites.replacement(stored.record, site))
            await self._parts.store.apply(changes)
        except (VersionMismatch, RecordNotFound):
            return False
        except RpcError as error:
            if error.code is not Code.NOT_FOUND:
                raise
            # It was deleted meanwhile.
            return False
        return True


def _crawled_us(site: ApiMessage) -> int:
    """When the crawl of a site began or ended last."""
    return site.update_time.ToMicroseconds()
