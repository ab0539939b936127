"""Copies of a database that is written to."""

import asyncio
from pathlib import Path

import pytest

from openplaybook.storage.base import Put
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.storage.sqlite.database_copy import SIDE_FILES, check_database, copy_database, fold_log
from openplaybook.storage.sqlite.migrations import MIGRATIONS


async def write(store: SqliteStore, number: int) -> None:
    """Two records at once: a copy must have both or neither."""
    await store.apply(
        [Put(name=f"{side}/{number}", kind="pair", parent=side, root="r", body=b"{}", expect=0) for side in "ab"]
    )


async def pairs(path: Path) -> tuple[list[str], list[str]]:
    store = SqliteStore(path)
    await store.open()
    found = [[record.name[2:] for record in await store.list(side, "pair", limit=100_000)] for side in "ab"]
    await store.close()
    return found[0], found[1]


async def test_a_copy_is_the_database_at_one_moment_while_others_write(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "live.db")
    await store.open()
    ends = asyncio.Event()

    async def keep_writing() -> int:
        number = 0
        while not ends.is_set():
            await write(store, number)
            number += 1
        return number

    writing = asyncio.create_task(keep_writing())
    sizes: list[int] = []
    for copy in range(5):
        assert await asyncio.to_thread(copy_database, tmp_path / "live.db", tmp_path / f"{copy}.db") == len(MIGRATIONS)
        left, right = await pairs(tmp_path / f"{copy}.db")
        assert left == right == [str(number) for number in range(len(left))]
        sizes.append(len(left))
    ends.set()
    assert await writing >= sizes[-1]
    assert sizes == sorted(sizes)
    await store.close()


async def test_a_copy_is_one_file_for_its_user_alone(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "live.db")
    await store.open()
    await write(store, 1)
    (tmp_path / "copies").mkdir()
    copy_database(tmp_path / "live.db", tmp_path / "copies" / "copy.db")
    assert [(path.name, path.stat().st_mode & 0o777) for path in (tmp_path / "copies").iterdir()] == [
        ("copy.db", 0o600)
    ]
    await store.close()


async def test_what_is_no_database_of_ours_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="there is no database"):
        copy_database(tmp_path / "none.db", tmp_path / "copy.db")
    (tmp_path / "text.db").write_bytes(b"no database " * 1000)
    with pytest.raises(StoreUnusable, match="not an SQLite database"):
        copy_database(tmp_path / "text.db", tmp_path / "copy.db")


async def test_a_damaged_database_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    store = SqliteStore(path)
    await store.open()
    for number in range(200):
        await write(store, number)
    await store.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.raises(StoreUnusable, match="damaged"):
        check_database(path)


def named_left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("left*"))


async def test_a_log_that_was_left_behind_is_folded_into_the_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "live.db")
    await store.open()
    await write(store, 1)
    # As a server leaves it that is killed: with all of its writes in the log.
    for side in ("", *SIDE_FILES):
        (tmp_path / f"left.db{side}").write_bytes((tmp_path / f"live.db{side}").read_bytes())
    await store.close()
    assert fold_log(tmp_path / "left.db")
    assert named_left(tmp_path) == ["left.db"]
    assert await pairs(tmp_path / "left.db") == (["1"], ["1"])


def test_a_damaged_file_cannot_take_its_log(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_bytes(b"no database " * 1000)
    assert not fold_log(tmp_path / "text.db")
