"""The engine of data stores: opened when one is first used, so that a server without any pays nothing for it."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module

from openplaybook.egress.base import Transport
from openplaybook.encoders.base import Embedder
from openplaybook.encoders.errors import EncoderUnusable
from openplaybook.retrieval.base import (
    DocumentPage,
    SearchEngine,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory

EMBEDDED = "embedded"
"""The setting of the engine that is part of the server."""
_AUTOMATIC = "auto"
_ENGINE = "openplaybook.retrieval.embedded_engine"


class LateEngine:
    """A `SearchEngine` that is opened with its first call."""

    def __init__(self, open_: Callable[[], Awaitable[SearchEngine]]) -> None:
        self._open = open_
        self._engine: SearchEngine | None = None
        self._opening = asyncio.Lock()

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """As the port says; so do all others."""
        await (await self._opened()).put(store, documents)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away."""
        return await (await self._opened()).delete(store, ids)

    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document."""
        return await (await self._opened()).get(store, id)

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id."""
        return await (await self._opened()).page(store, after=after, limit=limit)

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests by id."""
        return await (await self._opened()).digests(store, ids)

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """What matches."""
        return await (await self._opened()).search(store, request)

    async def settle(self, store: str) -> None:
        """Wait until what was put is found."""
        await (await self._opened()).settle(store)

    async def statistics(self, store: str) -> StoreStatistics:
        """How much the store holds."""
        return await (await self._opened()).statistics(store)

    async def drop(self, store: str) -> None:
        """Delete all documents of a store."""
        await (await self._opened()).drop(store)

    async def close(self) -> None:
        """Close the engine, if it was opened."""
        if self._engine is not None:
            await self._engine.close()

    async def _opened(self) -> SearchEngine:
        if self._engine is None:
            async with self._opening:
                self._engine = self._engine or await self._open()
        return self._engine


def engine_of(settings: Settings, directory: DataDirectory, way_out: Transport) -> SearchEngine:
    """The engine of the settings; `way_out` leads to services of the operator's own. Raises `SettingsError`."""
    if settings.search_engine == EMBEDDED:
        return embedded_engine(settings, directory, _embedder(settings.embeddings, way_out))
    # Here, since few servers have another engine than their own.
    from openplaybook.credentials.identity.google_tokens import OwnGoogleAccess
    from openplaybook.retrieval.remote_engine import remote_engine

    try:
        return remote_engine(settings.search_engine, way_out, OwnGoogleAccess)
    except ValueError as error:
        raise SettingsError(f"search_engine: {error}") from error


def _embedder(specification: str, way_out: Transport) -> Callable[[], Embedder | None]:
    """Makes what stores are searched by besides words. Raises `SettingsError` where that cannot be had."""

    def made() -> Embedder | None:
        # With the first store alone: most servers have none, and most of those that have search by words.
        from openplaybook.encoders.encoder_registry import create_embedder

        return create_embedder(specification, os.environ, lambda: way_out)

    if specification != _AUTOMATIC:
        try:
            made()
        except EncoderUnusable as error:
            raise SettingsError(f"embeddings: {error}") from error
    return made


def embedded_engine(
    settings: Settings, directory: DataDirectory, embedder: Callable[[], Embedder | None] = lambda: None
) -> LateEngine:
    """The engine that is part of the server, over a file of the data directory, or over the database that servers
    share. `embedder` makes what stores are searched by besides words, None where that is nothing."""

    async def opened() -> SearchEngine:
        # In a thread: it brings native code, and the loop goes on answering.
        await asyncio.to_thread(import_module, _ENGINE)
        from openplaybook.retrieval.catalog.base import CatalogQuota
        from openplaybook.retrieval.embedded_engine import EmbeddedEngine

        # First: where it cannot be had, nothing is left open.
        meaning = embedder()
        quota = CatalogQuota(documents=settings.store_documents, bytes=settings.store_bytes)
        folder = settings.store_indexes or directory.path / "indexes"
        if settings.database_url:
            from openplaybook.retrieval.catalog.postgres import PostgresCatalog
            from openplaybook.storage.postgres.database_address import read_address

            shared = PostgresCatalog(read_address(settings.database_url), quota=quota)
            await shared.open()
            return EmbeddedEngine(shared, folder, embedder=meaning)
        from openplaybook.retrieval.catalog.sqlite import SqliteCatalog

        catalog = SqliteCatalog(directory.documents, quota=quota)
        await catalog.open()
        return EmbeddedEngine(catalog, folder, embedder=meaning)

    return LateEngine(opened)
