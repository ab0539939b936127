"""Whether a store is there, sound, and takes writes."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.base import Put, Store
from openplaybook.storage.errors import StoreFault, StoreUnusable
from openplaybook.storage.postgres import PostgresStore
from openplaybook.storage.postgres.database_address import read_address
from openplaybook.storage.sqlite import SqliteStore, soundness
from tests.kit.postgres import Cluster


async def fault_of(store: Store) -> StoreFault | None:
    try:
        await store.check(write=True)
    except StoreUnusable as error:
        return error.fault
    return None


async def test_a_store_that_works_is_sound(store: Store) -> None:
    assert [await fault_of(store) for _ in range(3)] == [None] * 3


async def test_a_store_that_is_not_open_is_not(tmp_path: Path) -> None:
    assert await fault_of(SqliteStore(tmp_path / "store.db")) is StoreFault.UNUSABLE


class Filled:
    """A SQLite store whose content is in its file and not in its log."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "store.db"
        self.store = SqliteStore(self.path)

    async def open(self) -> None:
        await self.store.open()
        await self.store.apply([Put(f"a/{n}", "k", "a", "a", os.urandom(3000)) for n in range(100)])
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def overwrite(self, place: int, data: bytes) -> bytes:
        """Put other bytes there; those of before."""
        with self.path.open("r+b") as file:
            file.seek(place)
            before = file.read(len(data))
            file.seek(place)
            file.write(data)
        return before


@pytest.mark.parametrize("place", [0, 100_000])
async def test_bytes_that_are_overwritten_under_a_server_are_damage_until_they_are_back(
    tmp_path: Path, place: int
) -> None:
    filled = Filled(tmp_path)
    await filled.open()
    before = filled.overwrite(place, b"\xff" * 20_000)
    assert [await fault_of(filled.store) for _ in range(2)] == [StoreFault.DAMAGED] * 2
    filled.overwrite(place, before)
    assert await eventually(filled.store, None) is None
    await filled.store.close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_is_removed_or_replaced_is_gone(tmp_path: Path, replaced: bool) -> None:
    filled = Filled(tmp_path)
    await filled.open()
    copy = filled.path.read_bytes()
    filled.path.unlink()
    if replaced:
        filled.path.write_bytes(copy)
    assert await fault_of(filled.store) is StoreFault.GONE
    await filled.store.close()


async def test_a_check_writes_nothing_that_anybody_sees(tmp_path: Path) -> None:
    filled = Filled(tmp_path)
    await filled.open()
    with closing(sqlite3.connect(filled.path)) as connection:
        before = list(connection.iterdump())
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        await filled.store.check(write=True)
        assert list(connection.iterdump()) == before
        assert connection.execute("PRAGMA user_version").fetchall() == [(version,)]
    await filled.store.close()


async def test_a_postgresql_that_takes_no_writes_says_so(cluster: Cluster, database: str) -> None:
    store = PostgresStore(read_address(database))
    await store.open()
    assert await fault_of(store) is None
    cluster.sql("ALTER SYSTEM SET default_transaction_read_only = on")
    cluster.sql("SELECT pg_reload_conf()")
    try:
        assert await eventually(store, StoreFault.READ_ONLY, StoreFault.UNREACHABLE) is not None
    finally:
        cluster.sql("ALTER SYSTEM RESET default_transaction_read_only")
        cluster.sql("SELECT pg_reload_conf()")
    assert await eventually(store, None) is None
    await store.close()


async def eventually(store: Store, *wanted: StoreFault | None) -> StoreFault | None:
    """The fault once it is one of these; a reload of PostgreSQL's settings reaches its processes a little later."""
    found = await fault_of(store)
    for _ in range(1000):
        found = await fault_of(store)
        if found in wanted:
            return found
    raise AssertionError(f"the fault stays {found}")


async def test_damage_that_a_statement_met_beyond_what_is_looked_at_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = Filled(tmp_path)
    await filled.open()
    # As in a file that is too large to be looked at as a whole.
    monkeypatch.setattr(soundness, "LONGEST_S", -1.0)
    monkeypatch.setattr(soundness, "_STEPS", 1)
    before = filled.overwrite(100_000, b"\xff" * 20_000)
    assert await fault_of(filled.store) is None
    with pytest.raises(StoreUnusable):
        await filled.store.scan("a")
    assert await fault_of(filled.store) is StoreFault.DAMAGED
    filled.overwrite(100_000, before)
    monkeypatch.undo()
    assert await eventually(filled.store, None) is None
    await filled.store.close()
