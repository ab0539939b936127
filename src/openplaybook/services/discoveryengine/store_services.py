"""The services of the Discovery Engine, put together: each RPC with its handler."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from openplaybook.egress.base import Transport
from openplaybook.retrieval.base import StoreSearch
from openplaybook.retrieval.crawl.base import CrawlManners
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.services.discoveryengine.data_stores import DELETION, DataStores
from openplaybook.services.discoveryengine.document_imports import IMPORT, DocumentImports
from openplaybook.services.discoveryengine.documents import Documents
from openplaybook.services.discoveryengine.grounding_checks import GroundingChecks
from openplaybook.services.discoveryengine.import_requests import content_of
from openplaybook.services.discoveryengine.schemas import StoreSchemas
from openplaybook.services.discoveryengine.site_crawls import CRAWL, SiteCrawls
from openplaybook.services.discoveryengine.site_refreshes import SiteRefreshes
from openplaybook.services.discoveryengine.store_answers import StoreAnswers
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.discoveryengine.store_search import StoreSearches
from openplaybook.services.discoveryengine.target_sites import TargetSites
from openplaybook.services.errors import translated
from openplaybook.services.operation_notes import UnfinishedWork, WaitingLimits
from openplaybook.services.operations import FinishedWork, OperationRunner, Work
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.registry import UnaryHandler

_LOG = logging.getLogger("openplaybook.operations")

Resumption: TypeAlias = Callable[[UnfinishedWork], Awaitable[bool]]
"""Goes on with work; False where another server does. Raises `InvalidSource` where it cannot be gone on with."""


class UnfinishedOperations:
    """Knows who goes on with what."""

    def __init__(self, operations: OperationRunner, resumptions: Mapping[str, Resumption]) -> None:
        """`resumptions` by the kind that notes have."""
        self._operations = operations
        self._resumptions = resumptions

    async def resume(self) -> None:
        """Take up all work that no server does. Raises `StoreError`."""
        for unfinished in await self._operations.notes.all():
            resumption = self._resumptions.get(str(unfinished.note.get("kind")))
            try:
                if resumption is None:
                    raise InvalidSource(f"nobody goes on with work of the kind {unfinished.note.get('kind')!r}")
                is_taken = await resumption(unfinished)
            except (InvalidSource, KeyError, ValueError, TypeError) as error:
                is_taken = await self._operations.resume(unfinished.operation, _given_up(error), "v1")
            if is_taken:
                _LOG.info("goes on", extra={"operation": unfinished.operation})


def _given_up(error: Exception) -> Work:
    async def work() -> FinishedWork:
        raise RpcError(Code.ABORTED, f"The server stopped during this operation and cannot go on with it: {error}")

    return work


@dataclass(frozen=True, slots=True)
class StoreServices:
    """All of them."""

    handlers: Mapping[str, UnaryHandler]
    """By the names of their RPCs, without the package."""
    unfinished: UnfinishedOperations
    refreshes: SiteRefreshes


def make_services(
    parts: ServiceParts, search: StoreSearch, transport: Transport, waiting: WaitingLimits, *, delay_s: float
) -> StoreServices:
    """Stores, what fills them, and what asks them; imports wait within limits.

    `transport` takes the crawler to websites, where it waits `delay_s` between two requests to one of them.
    """
    engine, directory = search.engine, StoreReadings(parts.store)
    stores = DataStores(parts, engine, directory)
    documents = Documents(parts, engine, directory, partial(content_of, parts.buckets))
    imports = DocumentImports(parts, engine, directory, waiting)
    manners = CrawlManners(delay_s=delay_s)
    crawls = SiteCrawls(parts, engine, directory, transport, manners=manners)
    sites = TargetSites(parts, engine, directory, crawls)
    schemas = StoreSchemas(parts, engine, directory)
    searches = StoreSearches(parts, search)
    handlers: Mapping[str, UnaryHandler] = {
        "DataStoreService.CreateDataStore": stores.create,
        "DataStoreService.GetDataStore": stores.get,
        "DataStoreService.ListDataStores": stores.list,
        "DataStoreService.UpdateDataStore": stores.update,
        "DataStoreService.DeleteDataStore": stores.delete,
        "DocumentService.CreateDocument": documents.create,
        "DocumentService.GetDocument": documents.get,
        "DocumentService.ListDocuments": documents.list,
        "DocumentService.UpdateDocument": documents.update,
        "DocumentService.DeleteDocument": documents.delete,
        "ListDocumentChunks": documents.chunks,
        "DocumentService.ImportDocuments": imports.import_,
        "DocumentService.PurgeDocuments": imports.purge,
        "SchemaService.GetSchema": schemas.get,
        "SchemaService.ListSchemas": schemas.list,
        "SiteSearchEngineService.GetSiteSearchEngine": sites.engine,
        "SiteSearchEngineService.CreateTargetSite": sites.create,
        "SiteSearchEngineService.BatchCreateTargetSites": sites.create_many,
        "SiteSearchEngineService.GetTargetSite": sites.get,
        "SiteSearchEngineService.ListTargetSites": sites.list,
        "SiteSearchEngineService.UpdateTargetSite": sites.update,
        "SiteSearchEngineService.DeleteTargetSite": sites.delete,
        "SiteSearchEngineService.RecrawlUris": sites.recrawl,
        "SearchService.Search": searches.search,
        "SearchService.SearchLite": searches.search,
        "ConversationalSearchService.AnswerQuery": StoreAnswers(parts, search).answer,
        "GroundedGenerationService.CheckGrounding": GroundingChecks(parts).check,
    }
    resumptions = {DELETION: stores.resume, IMPORT: imports.resume, CRAWL: crawls.resume}
    translations = {rpc: translated(handler) for rpc, handler in handlers.items()}
    return StoreServices(
        translations, UnfinishedOperations(parts.operations, resumptions), SiteRefreshes(parts, crawls)
    )
