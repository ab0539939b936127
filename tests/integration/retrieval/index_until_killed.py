"""Puts batches of documents through the embedded engine, and prints the number of each batch once it was acknowledged.

Arguments: a folder for catalog and indexes, and the number of the first batch. The documents of batch N have the ids
`N-0`, `N-1`, …, and the word `batchN` in each of their passages.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from openplaybook.encoders.base import Embedder
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from tests.kit.followed_store import STORE

BATCH = 40
PASSAGES = 3


async def opened(place: Path, embedder: Embedder | None = None) -> EmbeddedEngine:
    """An engine on a catalog and indexes in a folder."""
    catalog = SqliteCatalog(place / "catalog.db")
    await catalog.open()
    return EmbeddedEngine(catalog, place / "indexes", embedder=embedder)


def batch(number: int) -> list[StoreDocument]:
    passages = tuple(Passage(f"batch{number} part {at} " + "word " * 30) for at in range(PASSAGES))
    return [StoreDocument(f"{number}-{n}", "", "", passages, language="en") for n in range(BATCH)]


async def main() -> None:
    place, first = sys.argv[1:]
    engine = await opened(Path(place))
    for number in itertools.count(int(first)):
        await engine.put(STORE, batch(number))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
