"""The catalog's file on SQLite: its kind, its version, and what is said when it is damaged."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore

from .kit import STORE, document


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """Of a closed catalog with documents."""
    path = tmp_path / "stores.db"
    catalog = SqliteCatalog(path)
    await catalog.open()
    await catalog.put(STORE, [document(f"{number}", "word " * 100) for number in range(200)])
    await catalog.close()
    return path


def content_of(path: Path) -> bytes:
    return path.read_bytes()


def damage(path: Path) -> None:
    """All pages but the first two."""
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))


async def test_a_closed_catalog_is_one_file_for_its_user_alone(path: Path) -> None:
    assert [(each.name, each.stat().st_mode & 0o777) for each in path.parent.iterdir()] == [("stores.db", 0o600)]


async def test_the_server_s_database_is_no_catalog_and_a_catalog_is_not_the_server_s(
    path: Path, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "openplaybook.db")
    await store.open()
    await store.close()
    with pytest.raises(StoreUnusable, match="the database of another program"):
        await SqliteCatalog(tmp_path / "openplaybook.db").open()
    with pytest.raises(StoreUnusable, match="the database of another program"):
        await SqliteStore(path).open()


async def test_the_file_of_a_newer_version_is_refused_untouched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = content_of(path)
    with pytest.raises(StoreUnusable, match="written by a newer version of OpenPlaybook"):
        await SqliteCatalog(path).open()
    assert content_of(path) == before


async def test_of_damage_callers_hear_without_a_word_of_the_path(path: Path) -> None:
    damage(path)
    catalog = SqliteCatalog(path)
    await catalog.open()
    with pytest.raises(EngineUnavailable, match="it is damaged; restore a backup") as told:
        await catalog.page(STORE)
    assert str(path.parent) not in str(told.value)
    await catalog.close()
