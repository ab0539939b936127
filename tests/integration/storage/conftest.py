"""Every implementation of the `Store` port, for the conformance tests; another one joins by a line in `STORES`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from openplaybook.storage.base import BeginTurn, Store
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.storage.sqlite import SqliteStore
from tests.kit.postgres import Cluster, running_cluster

START_US = 1_700_000_000_000_000

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'openplaybook' AND tablename <> 'schema_version'"
_FROM_ONE = "SELECT setval(format('openplaybook.%I', sequencename), 1, false) FROM pg_sequences"


class Clock:
    """Microseconds since the epoch, moved by hand."""

    def __init__(self) -> None:
        self.now_us = START_US

    def __call__(self) -> int:
        return self.now_us

    def advance(self, by_us: int) -> None:
        self.now_us += by_us


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests."""
    with running_cluster() as started:
        yield started


@pytest.fixture
def database(cluster: Cluster) -> str:
    """URL of a database without our tables."""
    cluster.sql("DROP SCHEMA IF EXISTS openplaybook CASCADE")
    return cluster.url()


@pytest.fixture(scope="session")
def roomy(cluster: Cluster) -> str:
    """URL of a second database, in which our tables stay from test to test: to make them takes long."""
    cluster.sql("CREATE DATABASE roomy")
    return cluster.url("roomy")


@pytest.fixture(scope="module")
def administrator(roomy: str) -> Iterator[psycopg.Connection]:
    """A connection to that database; no test of a module that uses it restarts the server."""
    with psycopg.connect(roomy, autocommit=True) as connection:
        yield connection


@pytest.fixture
def emptied(roomy: str, administrator: psycopg.Connection) -> str:
    """URL of that database, with nothing in our tables, where there are any yet, and positions that begin at one."""
    tables = administrator.execute(_TABLES).fetchall()
    administrator.execute("".join(f"DELETE FROM openplaybook.{name};" for (name,) in tables).encode())
    administrator.execute(_FROM_ONE)
    return roomy


def sqlite_store(request: pytest.FixtureRequest, clock: Clock) -> Store:
    folder: Path = request.getfixturevalue("tmp_path")
    return SqliteStore(folder / "store.db", clock=clock)


def postgres_store(request: pytest.FixtureRequest, clock: Clock) -> Store:
    return PostgresStore(read_address(request.getfixturevalue("emptied")), clock=clock)


STORES: dict[str, Callable[[pytest.FixtureRequest, Clock], Store]] = {
    "postgres": postgres_store,
    "sqlite": sqlite_store,
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def now_us(clock: Clock) -> Callable[[], int]:
    """The store's time."""
    return clock


@pytest.fixture
def advance(clock: Clock) -> Callable[[int], None]:
    """Move the store's time forward by microseconds."""
    return clock.advance


@pytest.fixture(params=sorted(STORES))
async def open_store(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Opens one more store on the same data; the test's end closes it."""
    opened: list[Store] = []

    async def open_one() -> Store:
        store = STORES[request.param](request, clock)
        await store.open()
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: Callable[[], Awaitable[Store]]) -> Store:
    return await open_store()


@pytest.fixture
def first() -> BeginTurn:
    """The first turn of a session, leased for ten seconds; the session lasts an hour."""
    return BeginTurn(
        session="agents/a/sessions/s",
        root="agents/a",
        turn_id="turn-1",
        request_key="key-1",
        fingerprint="hello",
        owner="server-1",
        lease_us=10_000_000,
        expires_us=START_US + 3_600_000_000,
    )
