"""What goes wrong on the way to a database: nothing is done twice, and what was perhaps done is said to be in doubt."""

import asyncio
import signal
from dataclasses import replace
from typing import cast

import pytest

from openplaybook.connectors.base import EntityQuery, SqlQuery, SystemCall, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import PermissionRefused, SystemUnavailable, WriteInDoubt
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.systems import open_sql
from openplaybook.egress.errors import AddressRefused
from tests.kit.cutting_proxy import What, cutting_proxy
from tests.kit.mariadb import running_mariadb
from tests.kit.postgres import running_cluster
from tests.kit.processes import wait_until
from tests.kit.sql_databases import NoTransport, SqlPeer, mariadb_peer, postgresql_peer

COUNTING = """
    WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 900000000) SELECT COUNT(*) FROM n
"""
CROSSING = "SELECT COUNT(*) AS n FROM information_schema.collations a" + "".join(
    f" CROSS JOIN information_schema.collations a{place}" for place in range(5)
)
SLOW = {"postgresql": COUNTING, "sqlite": COUNTING, "mariadb": CROSSING}
RUNNING = {
    "postgresql": "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%00000%' AND state = 'active' AND usename = 'shop'",
    "mariadb": "SELECT 1 FROM information_schema.processlist WHERE info LIKE '%collations%' AND user = 'shop'",
}


async def slow(connection: SystemConnection, peer: SqlPeer, seconds: float) -> None:
    """A query that takes longer than it may."""
    await connection.query(SqlQuery(SLOW[peer.name], timeout_s=seconds), SystemCall())


@pytest.mark.parametrize("after", range(5))
@pytest.mark.parametrize("what", ["request", "answer"])
async def test_no_write_is_done_twice_whenever_the_connection_breaks(distant: SqlPeer, what: What, after: int) -> None:
    async with cutting_proxy(int(distant.settings.config["port"])) as proxy:
        connection = await open_sql(distant.configured(port=proxy.port), distant.access)
        await connection.create("customer", {"name": "first"}, SystemCall())
        proxy.cut(what, after)
        try:
            await connection.create("customer", {"name": "Ada"}, SystemCall())
            outcome = "done"
        except WriteInDoubt:
            outcome = "in doubt"
        except SystemUnavailable:
            outcome = "not done"
        counts = distant.column("SELECT COUNT(*) FROM customer WHERE name = 'Ada'")
        assert counts[0] in {"done": (1,), "not done": (0,), "in doubt": (0, 1)}[outcome]
        await connection.list(EntityQuery("customer"), SystemCall())
        await connection.aclose()


async def test_a_lost_answer_to_the_commit_is_in_doubt(distant: SqlPeer) -> None:
    async with cutting_proxy(int(distant.settings.config["port"])) as proxy:
        connection = await open_sql(distant.configured(port=proxy.port), distant.access)
        await connection.create("customer", {"name": "first"}, SystemCall())
        outcomes: list[bool] = []
        for after in range(1, 6):
            await connection.list(EntityQuery("secret"), SystemCall())
            proxy.cut("answer", after)
            name = f"n{after}"
            try:
                await connection.create("customer", {"name": name}, SystemCall())
            except WriteInDoubt:
                outcomes.append(distant.column(f"SELECT COUNT(*) FROM customer WHERE name = '{name}'") == [1])
            except SystemUnavailable:
                pass
        assert outcomes == [True]
        await connection.aclose()


@pytest.mark.parametrize("name", ["postgresql", "mariadb"])
async def test_a_server_that_dies_is_found_again(name: str) -> None:
    maker = running_cluster if name == "postgresql" else running_mariadb
    with maker() as server:
        peer = postgresql_peer(server) if name == "postgresql" else mariadb_peer(server)  # pyright: ignore[reportArgumentType] - as the name says
        connection = await open_sql(peer.settings, peer.access)
        await connection.create("customer", {"name": "Ada"}, SystemCall())
        running = asyncio.ensure_future(slow(connection, peer, 20))
        await wait_until(lambda: bool(peer.column(RUNNING[name])))
        server.stop(signal.SIGQUIT if name == "postgresql" else signal.SIGKILL)
        with pytest.raises(SystemUnavailable):
            await running
        with pytest.raises(SystemUnavailable):
            await connection.list(EntityQuery("customer"), SystemCall())
        server.start()
        page = await connection.list(EntityQuery("customer"), SystemCall())
        assert [each.fields["name"] for each in page.entities] == ["Ada"]
        await connection.aclose()


async def test_a_caller_that_leaves_stops_its_statement(connection: SystemConnection, peer: SqlPeer) -> None:
    running = asyncio.ensure_future(slow(connection, peer, 60))
    await wait_until(lambda: peer.name == "sqlite" or bool(peer.column(RUNNING[peer.name])))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    # All places are free again, which they are when the thread has ended.
    for _ in range(5):
        await connection.list(EntityQuery("customer"), SystemCall(timeout_s=20))
    await wait_until(lambda: peer.name == "sqlite" or not peer.column(RUNNING[peer.name]))


async def test_connections_are_few(connection: SystemConnection, peer: SqlPeer) -> None:
    await connection.entity_names(SystemCall())
    running = [asyncio.ensure_future(slow(connection, peer, 30)) for _ in range(4)]
    sql = cast("SqlConnection", connection)
    await wait_until(lambda: sql.is_busy)
    with pytest.raises(SystemUnavailable, match="all 4 connections to the database were in use"):
        await connection.list(EntityQuery("secret"), SystemCall(timeout_s=0.2))
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert (await connection.list(EntityQuery("secret"), SystemCall(timeout_s=20))).entities


async def test_a_write_that_waits_too_long_is_not_done(connection: SystemConnection, peer: SqlPeer) -> None:
    entity = await connection.create("customer", {"name": "Ada"}, SystemCall())
    other = peer.link()
    other.cursor().execute(f"UPDATE customer SET email = 'x' WHERE id = {entity.key}")
    condition = parsed_condition("name = 'Ada'")
    with pytest.raises(SystemUnavailable, match="nothing was changed"):
        await connection.update("customer", entity.key, {"name": "Bob"}, SystemCall(timeout_s=0.3))
    with pytest.raises(SystemUnavailable, match="nothing was changed"):
        await connection.update_where("customer", condition, {"name": "Bob"}, SystemCall(timeout_s=0.3))
    other.rollback()
    other.close()
    changed = await connection.update("customer", entity.key, {"status": "x"}, SystemCall())
    assert (changed.fields["name"], changed.fields["email"]) == ("Ada", None)


async def test_nobody_listens(distant: SqlPeer) -> None:
    connection = await open_sql(distant.configured(port=1), distant.access)
    with pytest.raises(SystemUnavailable, match="the database cannot be reached"):
        await connection.check(SystemCall())
    await connection.aclose()


class Refusing:
    """Refuses every name, or knows none."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def resolve(self, host: str, port: int) -> list[str]:
        """Nothing."""
        del host, port
        raise self.error


async def test_names_are_resolved_by_the_server_alone(distant: SqlPeer) -> None:
    refused = SystemAccess(NoTransport(), Refusing(AddressRefused("db.example.com is private", rule="private")))
    connection = await open_sql(distant.settings, refused)
    with pytest.raises(PermissionRefused, match=r"db\.example\.com is private"):
        await connection.check(SystemCall())
    await connection.aclose()
    unknown = await open_sql(distant.settings, replace(refused, resolver=Refusing(OSError("no such name"))))
    with pytest.raises(SystemUnavailable, match="has no address"):
        await unknown.check(SystemCall())
    await unknown.aclose()
