"""The catalog's tables on PostgreSQL: made by many servers at once, and lost connections."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest

from openplaybook.retrieval.base import SearchRequest
from openplaybook.retrieval.catalog.postgres import PostgresCatalog
from openplaybook.retrieval.embedded_engine import EmbeddedEngine
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.storage.base import Put
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from tests.kit.postgres import Cluster, running_cluster

from .kit import STORE, all_ids, documents


@pytest.fixture
def fresh(cluster: Cluster) -> Iterator[str]:
    """URL of a database without our tables."""
    cluster.sql("CREATE DATABASE fresh")
    yield cluster.url("fresh")
    cluster.sql("DROP DATABASE fresh WITH (FORCE)")


async def test_servers_that_start_at_once_make_the_tables_together(fresh: str) -> None:
    catalogs = [PostgresCatalog(read_address(fresh), connections=2) for _ in range(4)]
    await asyncio.gather(*(catalog.open() for catalog in catalogs))
    await asyncio.gather(*(catalog.put(STORE, documents(str(n))) for n, catalog in enumerate(catalogs)))
    assert await all_ids(catalogs[0]) == ["0", "1", "2", "3"]
    for catalog in catalogs:
        await catalog.close()


async def test_the_server_s_own_tables_stand_beside_it(fresh: str) -> None:
    catalog, store = PostgresCatalog(read_address(fresh)), PostgresStore(read_address(fresh))
    await catalog.open()
    await store.open()
    await store.apply([Put("a", "k", "p", "r", b"{}")])
    await catalog.put(STORE, documents("a"))
    record = await store.get("a")
    assert record is not None
    assert (record.body, await all_ids(catalog)) == (b"{}", ["a"])
    await store.close()
    await catalog.close()


async def test_tables_of_a_newer_version_are_refused(fresh: str, cluster: Cluster) -> None:
    catalog = PostgresCatalog(read_address(fresh))
    await catalog.open()
    await catalog.close()
    cluster.sql("UPDATE openplaybook.catalog_version SET number = 99", "fresh")
    with pytest.raises(StoreUnusable, match=r"written by a newer version of OpenPlaybook .schema 99"):
        await PostgresCatalog(read_address(fresh)).open()


async def test_a_restart_of_the_database_is_waited_for(fresh: str, cluster: Cluster) -> None:
    catalog = PostgresCatalog(read_address(fresh))
    await catalog.open()
    await catalog.put(STORE, documents("a"))
    putting = asyncio.gather(*(catalog.put(STORE, documents(f"{n:03}")) for n in range(60)))
    await asyncio.to_thread(cluster.restart)
    await putting
    assert await all_ids(catalog) == [*(f"{n:03}" for n in range(60)), "a"]
    assert (await catalog.statistics(STORE)).documents == 61
    await catalog.close()


async def test_a_database_that_is_away_is_said_without_its_address(fresh: str, cluster: Cluster) -> None:
    catalog = PostgresCatalog(read_address(fresh), patience_s=0.1)
    await catalog.open()
    await asyncio.to_thread(cluster.stop)
    try:
        with pytest.raises(EngineUnavailable, match="it cannot be reached") as told:
            await catalog.put(STORE, documents("a"))
        assert str(cluster.port) not in str(told.value)
    finally:
        await asyncio.to_thread(cluster.start)
    await catalog.close()


async def test_who_followed_a_later_state_than_a_restored_dump_has_is_told_to_begin_anew(
    fresh: str, cluster: Cluster, tmp_path: Path
) -> None:
    catalog = PostgresCatalog(read_address(fresh))
    await catalog.open()
    await catalog.put(STORE, documents("a"))
    dump = tmp_path / "dump"
    await asyncio.to_thread(run, [cluster.bin / "pg_dump", "--format=custom", f"--file={dump}", fresh], check=True)
    engine = EmbeddedEngine(catalog, tmp_path / "indexes")
    await engine.put(STORE, documents("b"))
    await engine.settle(STORE)
    await engine.close()
    restored = [cluster.bin / "pg_restore", "--clean", f"--dbname={fresh}", dump]
    await asyncio.to_thread(run, restored, check=True)
    catalog = PostgresCatalog(read_address(fresh))
    await catalog.open()
    # As many changes as the index has followed, which are others.
    await catalog.put(STORE, documents("c"))
    engine = EmbeddedEngine(catalog, tmp_path / "indexes")
    found = await engine.search(STORE, SearchRequest("title words"))
    assert sorted(hit.document for hit in found.hits) == ["a", "c"]
    await engine.close()


async def test_who_followed_a_later_state_than_a_recovery_to_a_point_in_time_left_begins_anew(tmp_path: Path) -> None:
    with running_cluster() as lone:
        await _indexed(lone, tmp_path, "a")
        await asyncio.to_thread(lone.stop)
        data, copy = lone.folder / "data", lone.folder / "copy"
        await asyncio.to_thread(run, ["cp", "-a", data, copy], check=True)
        await asyncio.to_thread(lone.start)
        assert await _indexed(lone, tmp_path, "b") == ["a", "b"]
        await asyncio.to_thread(lone.stop)
        await asyncio.to_thread(run, ["rm", "-r", data], check=True)
        await asyncio.to_thread(run, ["mv", copy, data], check=True)
        with (data / "postgresql.auto.conf").open("a") as settings:
            settings.write("restore_command = 'false'\n")
        (data / "recovery.signal").touch()
        lone.give("data/recovery.signal", mode=0o600)
        await asyncio.to_thread(lone.start)
        while lone.sql("SELECT pg_is_in_recovery() FROM pg_sleep(0.05)") == [(True,)]:
            pass
        # As many changes as the index has followed, which are others.
        assert await _indexed(lone, tmp_path, "c") == ["a", "c"]


async def _indexed(cluster: Cluster, folder: Path, *ids: str) -> list[str]:
    """Put documents as a server that starts; all that it finds."""
    catalog = PostgresCatalog(read_address(cluster.url()))
    await catalog.open()
    engine = EmbeddedEngine(catalog, folder / "indexes")
    await engine.put(STORE, documents(*ids))
    await engine.settle(STORE)
    found = await engine.search(STORE, SearchRequest("title words"))
    await engine.close()
    return sorted(hit.document for hit in found.hits)
