"""The sites of a website store. Creating one crawls it: the operation is done when its pages are in the store."""

from collections.abc import Sequence
from functools import partial

from openplaybook.resources.field_behavior import check_required
from openplaybook.resources.names import TARGET_SITES
from openplaybook.retrieval.base import SearchEngine, StoreType
from openplaybook.retrieval.crawl.page_urls import canonical_url
from openplaybook.retrieval.crawl.url_patterns import MOST_PATTERNS, UrlPattern
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.site_import import delete_pages_outside
from openplaybook.services.discoveryengine.site_crawls import (
    INCLUDE,
    PENDING,
    SUCCEEDED,
    CrawlTask,
    SiteCrawls,
    pattern_of,
    site_name,
)
from openplaybook.services.discoveryengine.store_names import name_within
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import TARGET_SITE
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.errors import RecordExists
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

ENGINE = "siteSearchEngine"
"""Behind the name of a store."""
MOST_AT_ONCE = 20
"""Sites that one request creates."""

_SITE = f"{ENGINE}/targetSites/{{target_site}}"


class TargetSites(ResourceService):
    """Create, get, list, update and delete sites; crawl pages anew."""

    def __init__(self, parts: ServiceParts, engine: SearchEngine, stores: StoredStores, crawls: SiteCrawls) -> None:
        super().__init__(TARGET_SITE, parts, None)
        self._engine = engine
        self._stores = stores
        self._crawls = crawls

    async def engine(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The site search engine of a store, which has no settings."""
        store = await self._store_of(request.name, "name")
        return self.parts.discovery("SiteSearchEngine", name=f"{store}/{ENGINE}")

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a site and begin to crawl it."""
        store = await self._store_of(request.parent, "parent")
        [site] = await self._stored(store, [request.target_site], context)
        return await self._begin(store, [site], "CreateTargetSiteMetadata", context, is_batch=False)

    async def create_many(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store several sites and begin to crawl them."""
        store = await self._store_of(request.parent, "parent")
        if not 0 < len(request.requests) <= MOST_AT_ONCE:
            raise invalid(("requests", f"are {len(request.requests)}; 1 to {MOST_AT_ONCE} can be given"))
        sites = await self._stored(store, [each.target_site for each in request.requests], context)
        return await self._begin(store, sites, "BatchCreateTargetSiteMetadata", context, is_batch=True)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The site of that name."""
        request.name = _whole(request.name)
        return await super().get(request, context)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a store's sites."""
        request.parent = f"{await self._store_of(request.parent, 'parent')}/{ENGINE}"
        return await super().list(request, context)

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Include or exclude what a site names, as a page or with all below it, and crawl; its pattern stays."""
        name = name_within(request.target_site.name, _SITE, "target_site.name")
        store = await self._store_of(f"{name.store}/{ENGINE}", "target_site.name")
        stored = await self.records.read(f"{store}/{_named(name.id)}")
        site = self.records.new()
        site.CopyFrom(stored.message)
        given = request.target_site.provided_uri_pattern
        if given and given != site.provided_uri_pattern:
            raise invalid(("target_site.provided_uri_pattern", "cannot change; create another target site"))
        site.type = request.target_site.type or INCLUDE
        site.exact_match = request.target_site.exact_match
        self._settled(site)
        for other in await self.records.all(f"{store}/{ENGINE}"):
            is_same = (other.type, other.generated_uri_pattern) == (site.type, site.generated_uri_pattern)
            if is_same and other.name != site.name:
                raise RecordExists(other.name)
        await self.parts.store.apply([await self.records.replacement(stored.record, site)])
        return await self._begin(store, [site], "UpdateTargetSiteMetadata", context, is_batch=False)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget a site, and take the pages out of the store that belong to no other one."""
        request.name = _whole(request.name)
        await self.remove(request)
        parent = TARGET_SITES.parse(request.name).parent
        work = partial(self._taken_out, parent.removesuffix(f"/{ENGINE}"))
        metadata = self.parts.discovery("DeleteTargetSiteMetadata")
        return await self.parts.operations.start(context, parent, work, metadata=metadata)

    async def recrawl(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Take some pages of the sites anew."""
        check_required(request, None)
        if len(request.uris) > MOST_PATTERNS:
            raise invalid(("uris", f"are {len(request.uris)}; 1 to {MOST_PATTERNS} can be given"))
        store = await self._store_of(request.site_search_engine, "site_search_engine")
        patterns, _ = await self._crawls.patterns(store)
        urls = [canonical_url(uri) for uri in request.uris]
        wrong = [uri for uri, url in zip(request.uris, urls, strict=True) if not url]
        outside = [url for url in urls if url and not patterns.allows(url)]
        taken = tuple(dict.fromkeys(url for url in urls if url and patterns.allows(url)))
        if not taken:
            raise invalid(("uris", "name no page of the store's sites"))
        metadata = self.parts.discovery(
            "RecrawlUrisMetadata",
            invalid_uris=wrong,
            invalid_uris_count=len(wrong),
            uris_not_matching_target_sites=outside,
            uris_not_matching_target_sites_count=len(outside),
            valid_uris_count=len(taken),
        )
        return await self._crawls.start(CrawlTask(store, (), taken), metadata, context)

    async def _stored(self, store: str, sites: Sequence[ApiMessage], context: RpcContext) -> Sequence[ApiMessage]:
        """Store new sites, all of them or none. Raises `RecordExists`, INVALID_ARGUMENT."""
        for site in sites:
            check_required(site, None, prefix="target_site.")
            site.type = site.type or INCLUDE
            pattern = self._settled(site)
            site.name = site_name(store, pattern, site.type)
        puts = [await self.records.insertion(site) for site in sites]
        await self.parts.store.apply(puts)
        return [*sites]

    def _settled(self, site: ApiMessage) -> UrlPattern:
        """The pattern of a site, which is to be crawled if it is included. Raises INVALID_ARGUMENT."""
        try:
            pattern = pattern_of(site)
        except InvalidSource as error:
            raise invalid(("target_site.provided_uri_pattern", str(error))) from error
        site.generated_uri_pattern = pattern.generated
        site.indexing_status = PENDING if site.type == INCLUDE else SUCCEEDED
        site.update_time.FromMicroseconds(self.parts.now_us())
        return pattern

    async def _begin(
        self, store: str, sites: Sequence[ApiMessage], metadata: str, context: RpcContext, *, is_batch: bool
    ) -> ApiMessage:
        names = tuple(site.name for site in sites)
        task = CrawlTask(store, names, is_batch=is_batch)
        return await self._crawls.start(task, self.parts.discovery(metadata), context)

    async def _taken_out(self, store: str) -> FinishedWork:
        patterns, _ = await self._crawls.patterns(store)
        await delete_pages_outside(self._engine, store, patterns)
        return FinishedWork(self.parts.empty())

    async def _store_of(self, text: str, field: str) -> str:
        """The store of a site search engine. Raises `InvalidName`, NOT_FOUND, FAILED_PRECONDITION."""
        store = name_within(text, ENGINE, field).store
        facts = await self._stores.existing(store)
        if facts.type is not StoreType.PUBLIC_WEB:
            raise precondition("NO_WEBSITE_STORE", f"{store} is not a store of websites (PUBLIC_WEBSITE)")
        return store


def _whole(text: str) -> str:
    name = name_within(text, _SITE)
    return f"{name.store}/{_named(name.id)}"


def _named(id: str) -> str:
    return f"{ENGINE}/targetSites/{id}"
