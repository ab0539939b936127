"""Each test runs with every database that is here, on tables that are empty."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.settings import ConfigValue, ConnectionSettings
from openplaybook.connectors.sql.systems import open_sql
from tests.kit.mariadb import MariadbServer, running_mariadb
from tests.kit.postgres import Cluster, running_cluster
from tests.kit.sql_databases import SqlPeer, mariadb_peer, postgresql_peer, sqlite_peer

Opening: TypeAlias = Callable[..., Awaitable[SystemConnection]]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests."""
    with running_cluster() as started:
        yield started


@pytest.fixture(scope="session")
def mariadb() -> Iterator[MariadbServer]:
    """A MariaDB server for all tests."""
    with running_mariadb() as started:
        yield started


PEERS = ("sqlite", "postgresql", "mariadb")


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> SqlPeer:
    """A database."""
    if request.param == "sqlite":
        return sqlite_peer(tmp_path)
    if request.param == "mariadb":
        return mariadb_peer(request.getfixturevalue("mariadb"))
    return postgresql_peer(request.getfixturevalue("cluster"))


@pytest.fixture(params=PEERS[1:])
def distant(request: pytest.FixtureRequest) -> SqlPeer:
    """A database that is reached over the network."""
    if request.param == "mariadb":
        return mariadb_peer(request.getfixturevalue("mariadb"))
    return postgresql_peer(request.getfixturevalue("cluster"))


@pytest.fixture
async def opening(peer: SqlPeer) -> AsyncGenerator[Opening]:
    """Opens connections with config variables, or settings, of its own; they are closed in the end."""
    async with AsyncExitStack() as stack:

        async def opened(settings: ConnectionSettings | None = None, **config: ConfigValue) -> SystemConnection:
            connection = await open_sql(settings or peer.configured(**config), peer.access)
            stack.push_async_callback(connection.aclose)
            return connection

        yield opened


@pytest.fixture
async def connection(opening: Opening) -> SystemConnection:
    """An opened connection."""
    return await opening()
