"""What the engine holds of a store ends with the store: also what still comes in while that is deleted."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from openplaybook.retrieval.base import AdoptingEngine, SearchEngine
from openplaybook.services.discoveryengine.store_readings import StoreReadings


async def drop_contents(engine: SearchEngine, store: str) -> None:
    """Delete the documents of a store, but for those that are not this server's to delete."""
    if not isinstance(engine, AdoptingEngine):
        await engine.drop(store)


async def drop_remains(engine: SearchEngine, store: str) -> None:
    """Before a store begins: delete what one of its name has left that was deleted while documents still came in."""
    if not isinstance(engine, AdoptingEngine) and (await engine.statistics(store)).documents:
        await engine.drop(store)


async def drop_what_is_left(engine: SearchEngine, stores: StoreReadings, store: str) -> None:
    """Delete the documents of a store that there is no more. One of that name that is new is left alone."""
    async with stores.beginning:
        if await stores.facts(store) is None:
            await drop_contents(engine, store)


@asynccontextmanager
async def filling(engine: SearchEngine, stores: StoreReadings, store: str) -> AsyncGenerator[None]:
    """A store is filled in the block. What came in after it was deleted does not stay: nobody could delete it."""
    try:
        yield
    finally:
        if await stores.facts(store) is None:
            await drop_what_is_left(engine, stores, store)
