"""Databases that cannot be used, and why."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
import trustme

from openplaybook.storage.base import Put
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.storage.postgres.migrations import MIGRATIONS
from openplaybook.storage.postgres.soundness import examine
from tests.kit.postgres import PASSWORD, Cluster

RECORD = Put("agents/a", "agent", "agents", "agents/a", b"{}")


async def refusal(url: str) -> str:
    """Why the database is refused; no piece of the password is in it."""
    address = read_address(url)
    with pytest.raises(StoreUnusable) as refused:
        await PostgresStore(address).open()
    assert PASSWORD not in str(refused.value)
    assert str(refused.value).startswith(f"{address.place}: ")
    return str(refused.value).removeprefix(f"{address.place}: ")


@pytest.fixture
def guest(cluster: Cluster, database: str) -> Iterator[str]:
    """URL of a user who may connect and no more."""
    cluster.sql("DROP DATABASE IF EXISTS guarded")
    cluster.sql("CREATE DATABASE guarded")
    cluster.sql("DROP ROLE IF EXISTS guest")
    cluster.sql("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    yield cluster.url("guarded", user="guest", password="guest")
    cluster.sql("DROP DATABASE guarded WITH (FORCE)")
    cluster.sql("DROP ROLE guest")


async def test_a_wrong_password(cluster: Cluster) -> None:
    said = await refusal(cluster.url(password=f"{PASSWORD}x"))
    assert said.startswith("the user or password is refused; check the URL, PGPASSWORD or ~/.pgpass, and pg_hba.conf (")


async def test_a_database_that_is_not_there(cluster: Cluster) -> None:
    assert (await refusal(cluster.url("none"))).startswith("the database does not exist; create it (createdb) (")


async def test_a_server_that_is_not_there(cluster: Cluster) -> None:
    said = await refusal("postgresql://u:p@127.0.0.1:1/db")
    assert said.startswith("cannot be reached; is it running there? (")


async def test_what_the_url_says_of_encryption_holds(cluster: Cluster, database: str) -> None:
    assert "server does not support SSL" in await refusal(f"{database}?sslmode=require")
    authority = trustme.CA()
    served = authority.issue_cert("127.0.0.1")
    served.private_key_and_cert_chain_pem.write_to_path(cluster.folder / "server.pem")
    authority.cert_pem.write_to_path(cluster.folder / "authority.pem")
    trustme.CA().cert_pem.write_to_path(cluster.folder / "other.pem")
    cluster.give("server.pem", mode=0o600)
    for name in ("ssl_cert_file", "ssl_key_file"):
        cluster.sql(f"ALTER SYSTEM SET {name} = '{cluster.folder / 'server.pem'}'")
    cluster.sql("ALTER SYSTEM SET ssl = on")
    cluster.restart()
    try:
        await open_and_close(f"{database}?sslmode=verify-full&sslrootcert={cluster.folder / 'authority.pem'}")
        said = await refusal(f"{database}?sslmode=verify-full&sslrootcert={cluster.folder / 'other.pem'}")
        assert "certificate verify failed" in said
    finally:
        cluster.sql("ALTER SYSTEM RESET ALL")
        cluster.restart()


async def test_a_newer_version(cluster: Cluster, database: str) -> None:
    await open_and_close(database)
    cluster.sql("UPDATE openplaybook.schema_version SET number = 1000")
    assert await refusal(database) == (
        f"written by a newer version of OpenPlaybook (schema 1000, this version knows {len(MIGRATIONS)}); "
        "run that version or use another database"
    )
    assert cluster.sql("SELECT number FROM openplaybook.schema_version") == [(1000,)]


async def test_a_schema_of_that_name_of_another_program(cluster: Cluster, database: str) -> None:
    cluster.sql("CREATE SCHEMA openplaybook")
    cluster.sql("CREATE TABLE openplaybook.theirs (x int)")
    assert await refusal(database) == "its schema openplaybook belongs to another program; use another database"
    assert cluster.sql("SELECT relname FROM pg_class WHERE relnamespace = 'openplaybook'::regnamespace") == [
        ("theirs",)
    ]


async def test_tables_of_other_programs_are_no_hindrance(cluster: Cluster, database: str) -> None:
    cluster.sql("CREATE TABLE session (theirs int)")
    try:
        store = PostgresStore(read_address(database))
        await store.open()
        await store.apply([RECORD])
        await store.close()
        assert cluster.sql("SELECT count(*) FROM public.session") == [(0,)]
    finally:
        cluster.sql("DROP TABLE session")


async def test_a_missing_right(cluster: Cluster, guest: str) -> None:
    assert (await refusal(guest)).startswith("a right is missing; let the user create the schema openplaybook (GRANT")
    with pytest.raises(StoreUnusable, match="the user may not create the schema openplaybook"):
        await examine(read_address(guest))


async def test_a_schema_that_an_administrator_made_for_the_user_is_enough(cluster: Cluster, guest: str) -> None:
    cluster.sql("CREATE SCHEMA openplaybook AUTHORIZATION guest", "guarded")
    await open_and_close(guest)
    assert cluster.sql("SELECT number FROM openplaybook.schema_version", "guarded") == [(len(MIGRATIONS),)]


async def test_what_is_there_is_said_and_left_as_it_is(cluster: Cluster, database: str) -> None:
    address = read_address(database)
    version = cluster.sql("SHOW server_version")[0][0]
    assert await examine(address) == f"{address.place}, PostgreSQL {str(version).split()[0]}, no tables yet"
    assert cluster.sql("SELECT to_regnamespace('openplaybook')") == [(None,)]
    await open_and_close(database)
    assert (await examine(address)).endswith(f", schema {len(MIGRATIONS)}")


async def test_many_servers_that_start_at_once_make_the_tables_once(cluster: Cluster, database: str) -> None:
    stores = [PostgresStore(read_address(database)) for _ in range(8)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(store.apply([RECORD]) for store in stores))
    found = await stores[0].get(RECORD.name)
    await asyncio.gather(*(store.close() for store in stores))
    assert found is not None
    assert found.version == len(stores)
    assert cluster.sql("SELECT number FROM openplaybook.schema_version") == [(len(MIGRATIONS),)]


async def test_one_waits_while_another_makes_the_tables(cluster: Cluster, database: str) -> None:
    with psycopg.connect(database) as other:
        other.execute("SELECT pg_advisory_xact_lock(1330662466)")
        opening = asyncio.create_task(open_and_close(database))
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while await asyncio.to_thread(cluster.sql, waiting) == [(0,)]:
            assert not opening.done()
        other.rollback()
        await opening


async def test_the_socket_in_the_file_system_serves_too(cluster: Cluster, database: str) -> None:
    await open_and_close(cluster.socket_url())
    assert cluster.sql("SELECT number FROM openplaybook.schema_version") == [(len(MIGRATIONS),)]


async def test_a_store_that_is_closed_or_was_never_opened(database: str) -> None:
    store = PostgresStore(read_address(database))
    with pytest.raises(StoreUnusable, match="is not open"):
        await store.get("agents/a")
    await store.open()
    await store.close()
    await store.close()
    with pytest.raises(StoreUnusable, match="is not open"):
        await store.apply([RECORD])


async def open_and_close(url: str) -> None:
    store = PostgresStore(read_address(url))
    await store.open()
    await store.close()
