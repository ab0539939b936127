"""Stores that are dropped."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from openplaybook.retrieval.catalog.sqlite import SqliteCatalog, drops
from openplaybook.retrieval.catalog.sqlite.tables import CATALOG_SCHEMA
from openplaybook.storage.sqlite.opened_file import open_file
from openplaybook.storage.sqlite.soundness import SqliteSoundness
from tests.kit.processes import wait_until

from .kit import OTHER, STORE, OpenedCatalog, Opener, all_ids, document, documents

LONG = "".join(map(chr, range(0x4E00, 0x5E00)))


async def test_a_dropped_store_is_gone_with_all_it_held(catalog: OpenedCatalog) -> None:
    await catalog.put(STORE, documents("a", "b"))
    await catalog.delete(STORE, ["b"])
    await catalog.put(OTHER, documents("a"))
    await catalog.drop(STORE)
    assert await catalog.stores() == [OTHER]
    assert await all_ids(catalog) == []
    assert (await catalog.statistics(STORE)).documents == 0
    assert await all_ids(catalog, OTHER) == ["a"]
    await catalog.put(STORE, documents("c"))
    assert await all_ids(catalog) == ["c"]


async def test_puts_beside_a_drop_are_in_one_life_of_the_store_or_the_other(open_catalog: Opener) -> None:
    one, two = await open_catalog(), await open_catalog()
    await one.put(STORE, documents(*map(str, range(3_000))))
    puts = (two.put(STORE, documents(f"new-{number}")) for number in range(20))
    await asyncio.gather(one.drop(STORE), *puts)
    held = await one.statistics(STORE)
    ids = await all_ids(one)
    assert len(ids) == held.documents == len([*await one.changes(STORE, 0)])
    assert all(id.startswith("new-") for id in ids)


async def test_its_disk_is_given_back_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "stores.db"
    catalog = SqliteCatalog(path)
    await catalog.open()
    await catalog.put(OTHER, [document("kept", LONG)])
    for part in range(4):
        await catalog.put(STORE, [document(f"{part}-{number}", LONG) for number in range(300)])
    drops.fold(path)
    full = path.stat().st_size
    dropping = asyncio.create_task(catalog.drop(STORE))
    beside = 0
    while not dropping.done():
        await catalog.put(OTHER, [document("kept", LONG)])
        beside += 1
    await dropping
    assert path.stat().st_size < full / 10
    assert beside > 1, "nobody waits for all of it"
    assert await all_ids(catalog, OTHER) == ["kept"]
    await catalog.close()


async def test_who_opens_the_file_next_goes_on_with_what_was_left(tmp_path: Path) -> None:
    path = tmp_path / "stores.db"
    catalog = SqliteCatalog(path)
    await catalog.open()
    await catalog.put(STORE, documents(*map(str, range(2_500))))
    await catalog.close()
    # As a process leaves it that is killed when the store is gone and its rows are not.
    connection, readers = open_file(path, SqliteSoundness(path), CATALOG_SCHEMA)
    readers.close()
    with closing(connection):
        assert drops.drop(connection, STORE)
    catalog = SqliteCatalog(path)
    await catalog.open()
    await catalog.put(OTHER, documents("a"))
    # What is dropped by now is swept with what was left.
    await catalog.drop(OTHER)
    await catalog.close()
    with closing(sqlite3.connect(path)) as looking:
        left = [looking.execute(f"SELECT count(*) FROM {table}").fetchall() for table in ("document", "dropped")]
    assert left == [[(0,)], [(0,)]]


async def test_who_opens_the_file_next_gives_the_disk_back_that_was_free_already(tmp_path: Path) -> None:
    path = tmp_path / "stores.db"
    catalog = SqliteCatalog(path)
    await catalog.open()
    for part in range(2):
        await catalog.put(STORE, [document(f"{part}-{number}", LONG) for number in range(300)])
    await catalog.close()
    full = path.stat().st_size
    # As a process leaves it that is killed when all rows are gone and the file is as long as it was.
    connection, readers = open_file(path, SqliteSoundness(path), CATALOG_SCHEMA)
    readers.close()
    with closing(connection):
        assert drops.drop(connection, STORE)
        while drops.sweep(connection):
            pass
    assert path.stat().st_size >= full
    catalog = SqliteCatalog(path)
    await catalog.open()
    await wait_until(lambda: path.stat().st_size < full / 10)
    await catalog.close()
