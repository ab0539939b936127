"""Catalogs to be opened, documents to be put, and programs that put them."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import openplaybook
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.base import MOST_TOMBSTONES, CatalogQuota, DocumentChange
from openplaybook.retrieval.catalog.postgres import PostgresCatalog
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.storage.postgres.database_address import read_address

STORE = "projects/p/locations/l/collections/default_collection/dataStores/one"
OTHER = "projects/p/locations/l/collections/default_collection/dataStores/two"
ELSEWHERE = "projects/q/locations/l/collections/default_collection/dataStores/one"

_PROGRAM = Path(__file__).with_name("put_until_killed.py")

OpenedCatalog = SqliteCatalog | PostgresCatalog


@dataclass(frozen=True, slots=True)
class Place:
    """Of a catalog: `sqlite` and a path, or `postgres` and a URL."""

    kind: str
    where: str


class Opener:
    """Opens catalogs at a place."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.opened: list[OpenedCatalog] = []

    async def __call__(
        self, quota: CatalogQuota | None = None, *, most_tombstones: int = MOST_TOMBSTONES
    ) -> OpenedCatalog:
        """One more, open."""
        where = self._place.where
        if self._place.kind == "sqlite":
            catalog = SqliteCatalog(Path(where), quota=quota, most_tombstones=most_tombstones)
        else:
            catalog = PostgresCatalog(read_address(where), quota=quota, most_tombstones=most_tombstones)
        await catalog.open()
        self.opened.append(catalog)
        return catalog


def document(id: str, text: str = "Some words.", *, language: str = "", digest: str = "") -> StoreDocument:
    return StoreDocument(id, f"Title of {id}", "", (Passage(text),), {"n": 1}, language=language, digest=digest)


def documents(*ids: str) -> Sequence[StoreDocument]:
    return [document(id) for id in ids]


async def all_ids(catalog: OpenedCatalog, store: str = STORE, *, limit: int = 100) -> Sequence[str]:
    """Ids of all documents, page by page."""
    ids: list[str] = []
    after = ""
    while True:
        page = await catalog.page(store, after=after, limit=limit)
        ids += [each.id for each in page.documents]
        if not page.next_after:
            return ids
        assert page.next_after == ids[-1]
        after = page.next_after


async def all_changes(catalog: OpenedCatalog, store: str = STORE, *, limit: int = 1000) -> Sequence[DocumentChange]:
    """All changes that are known, piece by piece."""
    found: list[DocumentChange] = []
    while some := await catalog.changes(store, found[-1].sequence if found else 0, limit=limit):
        assert len(some) <= limit
        found += some
    return found


async def putting(place: Place, prefix: str, batches: int) -> Process:
    """A program that puts so many batches (`put_until_killed.py`)."""
    source = str(Path(openplaybook.__file__).parents[1])
    root = str(Path(__file__).parents[4])
    return await asyncio.create_subprocess_exec(
        sys.executable,
        _PROGRAM,
        place.kind,
        place.where,
        prefix,
        str(batches),
        env={**os.environ, "PYTHONPATH": os.pathsep.join((source, root))},
        stdout=PIPE,
    )
