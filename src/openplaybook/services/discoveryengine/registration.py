"""The RPCs of the Discovery Engine that are served. What answers them is imported and made with the first call.

A server without data stores has none of it in memory: not the readers of files, nor the crawler, nor the answers.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING

from openplaybook.egress.base import Transport
from openplaybook.retrieval.base import StoreSearch
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.services.discoveryengine.stored_stores import every_store
from openplaybook.services.operation_notes import WaitingLimits
from openplaybook.services.operations import SILENCE_S
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import DISCOVERY
from openplaybook.storage.errors import StoreError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry, UnaryHandler

if TYPE_CHECKING:
    from openplaybook.services.discoveryengine.store_services import StoreServices

_LOG = logging.getLogger("openplaybook.operations")
_LOOKS_PER_REFRESH = 10
"""So often is it looked for unfinished work before it is looked for sites that are due."""
_SERVICES = "openplaybook.services.discoveryengine.store_services"

SERVED = (
    "DataStoreService.CreateDataStore",
    "DataStoreService.GetDataStore",
    "DataStoreService.ListDataStores",
    "DataStoreService.UpdateDataStore",
    "DataStoreService.DeleteDataStore",
    "DocumentService.CreateDocument",
    "DocumentService.GetDocument",
    "DocumentService.ListDocuments",
    "DocumentService.UpdateDocument",
    "DocumentService.DeleteDocument",
    "DocumentService.ImportDocuments",
    "DocumentService.PurgeDocuments",
    "SchemaService.GetSchema",
    "SchemaService.ListSchemas",
    "SiteSearchEngineService.GetSiteSearchEngine",
    "SiteSearchEngineService.CreateTargetSite",
    "SiteSearchEngineService.BatchCreateTargetSites",
    "SiteSearchEngineService.GetTargetSite",
    "SiteSearchEngineService.ListTargetSites",
    "SiteSearchEngineService.UpdateTargetSite",
    "SiteSearchEngineService.DeleteTargetSite",
    "SiteSearchEngineService.RecrawlUris",
    "SearchService.Search",
    "SearchService.SearchLite",
    "ConversationalSearchService.AnswerQuery",
    "GroundedGenerationService.CheckGrounding",
)
"""RPCs, without their package."""
CHUNKS = "ListDocumentChunks"
"""One of our own service."""


@dataclass(frozen=True, slots=True)
class WebAccess:
    """How the crawler comes to websites."""

    transport: Transport
    """Judges addresses, and tries nothing again."""
    delay_s: float = 1.0
    """Between two requests to a site."""
    refresh_s: int | None = None
    """After which a site is crawled again; None: when it is asked for."""
    look_s: float = SILENCE_S
    """Between two looks for what is to be done."""


class LateStoreServices:
    """Makes the services when they are first asked for."""

    def __init__(
        self, parts: ServiceParts, search: StoreSearch, access: WebAccess, waiting: WaitingLimits | None = None
    ) -> None:
        """`waiting`: None is no limit."""
        self._waiting = waiting or WaitingLimits()
        self._parts = parts
        self._search = search
        self.access = access
        self._making: asyncio.Task[StoreServices] | None = None

    def register(self, registry: Registry) -> None:
        """Take the calls of all RPCs that are served."""
        for rpc in SERVED:
            registry.unary(DISCOVERY + rpc, self._handler(rpc))
        registry.unary(f"openplaybook.v1.OpenPlaybook.{CHUNKS}", self._handler(CHUNKS))

    @asynccontextmanager
    async def resuming(self, *, is_shared: bool) -> AsyncGenerator[None]:
        """Take up operations that a server left unfinished: at once, and where servers share a store now and then, in
        the block; and crawl sites again that are due. Raises `StoreError`."""
        await self._resume()
        task = asyncio.create_task(self._watch(is_shared=is_shared))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    def _handler(self, rpc: str) -> UnaryHandler:
        async def handle(request: ApiMessage, context: RpcContext) -> ApiMessage:
            services = await self._made()
            return await services.handlers[rpc](request, context)

        return handle

    async def _made(self) -> "StoreServices":
        if self._making is None or _has_failed(self._making):
            self._making = asyncio.create_task(self._make())
        # One caller that gives up must not take the services from the others.
        return await asyncio.shield(self._making)

    async def _make(self) -> "StoreServices":
        # In a thread: the loop goes on answering.
        await asyncio.to_thread(import_module, _SERVICES)
        from openplaybook.services.discoveryengine.store_services import make_services

        delay_s = self.access.delay_s
        return make_services(self._parts, self._search, self.access.transport, self._waiting, delay_s=delay_s)

    async def _resume(self) -> None:
        if await self._parts.operations.notes.all():
            await (await self._made()).unfinished.resume()

    async def _refresh(self) -> None:
        if self.access.refresh_s is not None and await every_store(self._parts.store):
            begun = await (await self._made()).refreshes.begin_due(self.access.refresh_s)
            for operation in begun:
                _LOG.info("a site is crawled again", extra={"operation": operation})

    async def _watch(self, *, is_shared: bool) -> None:
        for look in count(1):
            await asyncio.sleep(self.access.look_s)
            try:
                if is_shared:
                    await self._resume()
                if look % _LOOKS_PER_REFRESH == 0:
                    await self._refresh()
            except (StoreError, InvalidSource, RpcError) as error:
                # The next look meets the same store in a better state, or says so again.
                _LOG.warning("nothing was taken up this time", extra={"error": str(error)})


def _has_failed(task: "asyncio.Task[StoreServices]") -> bool:
    """Whether it is to be tried again: what it failed of, such as too little memory, may be over."""
    return task.done() and (task.cancelled() or task.exception() is not None)
