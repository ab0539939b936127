"""Processes that share a catalog in PostgreSQL derive an index each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.retrieval.base import SearchRequest
from openplaybook.retrieval.catalog.postgres import PostgresCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.followed_store import STORE, all_found, document, found
from tests.kit.postgres import running_cluster


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with running_cluster() as cluster:
        yield cluster.url()


async def _opened(database: str, folder: Path) -> EmbeddedEngine:
    catalog = PostgresCatalog(read_address(database))
    await catalog.open()
    return EmbeddedEngine(catalog, folder)


async def test_what_one_replica_puts_deletes_and_drops_the_other_finds_so(database: str, tmp_path: Path) -> None:
    one, other = await _opened(database, tmp_path / "one"), await _opened(database, tmp_path / "other")
    await one.put(STORE, [document(f"d{n}", "apple") for n in range(1500)])
    await all_found(other, 1500)
    await other.put(STORE, [document("d7", "pear")])
    await other.delete(STORE, ["d8"])
    await found(one, SearchRequest("pear"), ["d7"])
    await all_found(one, 1499)
    await one.drop(STORE)
    await all_found(other, 0)
    await one.close()
    await other.close()
