"""Every implementation of the `Catalog` port, for the conformance tests."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from openplaybook.retrieval.catalog.postgres import PostgresCatalog
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.postgres import Cluster, running_cluster

from .kit import Opener, Place

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'openplaybook' AND tablename LIKE 'catalog_%'"
_KEPT = {"catalog_version", "catalog_counter"}


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests."""
    with running_cluster() as started:
        yield started


@pytest.fixture
def emptied(cluster: Cluster) -> str:
    """URL of a database with nothing in our tables, where there are any yet: to make them takes long."""
    names = [name for (name,) in cluster.sql(_TABLES) if name not in _KEPT]
    if names:
        cluster.sql("TRUNCATE " + ", ".join(f"openplaybook.{name}" for name in names))
        cluster.sql("UPDATE openplaybook.catalog_counter SET first = 0")
    return cluster.url()


@pytest.fixture(params=["postgres", "sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where the catalog is."""
    if request.param == "postgres":
        return Place("postgres", request.getfixturevalue("emptied"))
    return Place("sqlite", str(tmp_path / "stores.db"))


@pytest.fixture
async def open_catalog(place: Place) -> AsyncIterator[Opener]:
    """Opens one more catalog on the same data; the test's end closes it."""
    opener = Opener(place)
    yield opener
    for catalog in opener.opened:
        await catalog.close()


@pytest.fixture
async def catalog(open_catalog: Opener) -> SqliteCatalog | PostgresCatalog:
    return await open_catalog()


@pytest.fixture
def set_body(place: Place) -> Callable[[str, bytes], None]:
    """Replaces the stored body of the document of an id."""

    def replace(id: str, body: bytes) -> None:
        if place.kind == "sqlite":
            with closing(sqlite3.connect(place.where)) as connection, connection:
                connection.execute("UPDATE document SET body = ? WHERE id = ?", (body, id))
            return
        with psycopg.connect(read_address(place.where).conninfo) as connection:
            connection.execute("UPDATE openplaybook.catalog_document SET body = %s WHERE id = %s", (body, id.encode()))

    return replace
