"""Documents of data stores in backups."""

import asyncio
import shutil
import sqlite3
import tarfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.sqlite import SqliteCatalog
from openplaybook.server.backups.backup_writer import back_up
from openplaybook.server.backups.manifest import DATABASE, DOCUMENTS, MASTER_KEY, NAME, Manifest
from openplaybook.server.backups.tar_archive import extract, member_of, write_archive
from openplaybook.server.errors import BackupUnusable
from openplaybook.server.settings import Settings
from openplaybook.storage.base import Put
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
from tests.integration.server.conftest import running

from .kit import STORE, fill, held, kept, leave, put_back


def backed_up(data_dir: Path, target: Path) -> Manifest:
    return back_up(Settings(data_dir=data_dir), target, with_key=True, force=True)


def said_format(backup: Path) -> int:
    """The number in the manifest of a backup."""
    with tarfile.open(backup) as tar:
        text = tar.extractfile(NAME)
        assert text is not None
        return loads(text.read())["format"]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A data directory with a secret and a document."""
    leave(tmp_path / "origin", "saved")
    fill(tmp_path / "origin", "saved")
    return tmp_path / "origin"


def test_documents_come_back_with_the_database(origin: Path, tmp_path: Path) -> None:
    manifest = backed_up(origin, tmp_path / "b")
    assert {*manifest.files} == {DATABASE, DOCUMENTS, MASTER_KEY}
    put_back(tmp_path / "new", tmp_path / "b")
    assert {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()} == {
        DATABASE: 0o600,
        DOCUMENTS: 0o600,
        MASTER_KEY: 0o600,
        "server.lock": 0o600,
    }
    assert kept(tmp_path / "new") == "saved"
    assert held(tmp_path / "new")[0] == ["saved"]


def test_indexes_are_not_in_a_backup(origin: Path, tmp_path: Path) -> None:
    (origin / "indexes").mkdir()
    (origin / "indexes" / "segment").write_bytes(b"x")
    assert {*backed_up(origin, tmp_path / "b").files} == {DATABASE, DOCUMENTS, MASTER_KEY}


def test_without_documents_the_form_is_the_one_that_older_versions_read(tmp_path: Path) -> None:
    leave(tmp_path / "origin", "saved")
    # A server has made the file, and no store yet.
    assert held(tmp_path / "origin") == ([], None)
    assert {*backed_up(tmp_path / "origin", tmp_path / "old").files} == {DATABASE, MASTER_KEY}
    fill(tmp_path / "origin", "saved")
    backed_up(tmp_path / "origin", tmp_path / "new")
    assert [said_format(tmp_path / name) for name in ("old", "new")] == [1, 2]


def test_documents_of_before_are_kept_aside_and_replaced(origin: Path, tmp_path: Path) -> None:
    backed_up(origin, tmp_path / "b")
    used = tmp_path / "used"
    leave(used, "of before")
    fill(used, "of before")
    with pytest.raises(BackupUnusable, match="already contains data"):
        put_back(used, tmp_path / "b")
    assert held(used)[0] == ["of before"]
    done = put_back(used, tmp_path / "b", force=True)
    assert (kept(used), held(used)[0]) == ("saved", ["saved"])
    assert done.aside is not None
    assert (kept(done.aside), held(done.aside)[0]) == ("of before", ["of before"])


def test_a_backup_without_documents_leaves_none_of_before(tmp_path: Path) -> None:
    leave(tmp_path / "origin", "saved")
    backed_up(tmp_path / "origin", tmp_path / "b")
    used = tmp_path / "used"
    leave(used, "of before")
    fill(used, "of before")
    done = put_back(used, tmp_path / "b", force=True)
    assert (kept(used), held(used)) == ("saved", ([], None))
    assert done.aside is not None
    assert held(done.aside)[0] == ["of before"]


def test_every_index_of_what_was_restored_is_made_anew(origin: Path, tmp_path: Path) -> None:
    """An index that had read what came after the backup would else take other documents for those that it knows."""
    backed_up(origin, tmp_path / "b")
    read = fill(origin, "after the backup")
    put_back(origin, tmp_path / "b", force=True)
    texts, mark = held(origin)
    assert texts == ["saved"]
    assert mark is not None
    assert mark.incarnation != read.incarnation
    assert fill(origin, "another").sequence == read.sequence


def test_documents_of_a_newer_version_are_not_copied(origin: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(origin / DOCUMENTS)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreUnusable, match="written by a newer version of OpenPlaybook"):
        backed_up(origin, tmp_path / "b")
    assert not (tmp_path / "b").exists()


async def test_documents_that_the_database_knows_of_are_in_a_backup_that_is_taken_meanwhile(
    origin: Path, tmp_path: Path
) -> None:
    catalog, store = SqliteCatalog(origin / DOCUMENTS), SqliteStore(origin / DATABASE)
    await catalog.open()
    await store.open()
    ends = asyncio.Event()

    async def keep_importing() -> None:
        number = 0
        while not ends.is_set():
            number += 1
            await catalog.put(STORE, [StoreDocument(f"{number}-{half}", "", "", (Passage("x"),)) for half in "ab"])
            await store.apply([Put(str(number), "import", "p", "r", b"{}")])

    importing = asyncio.create_task(keep_importing())
    for number in range(3):
        await asyncio.to_thread(backed_up, origin, tmp_path / f"{number}.b")
    ends.set()
    await importing
    await catalog.close()
    await store.close()
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        extract(tmp_path / f"{number}.b", tmp_path / str(number))
        ids, imports = await in_both(tmp_path / str(number))
        assert {f"{each}-{half}" for each in imports for half in "ab"} <= ids
        assert len(ids) % 2 == 1, "the one of before, and pairs"


async def in_both(data_dir: Path) -> tuple[set[str], Sequence[str]]:
    """Ids of documents, and names of imports that are done."""
    catalog, store = SqliteCatalog(data_dir / DOCUMENTS), SqliteStore(data_dir / DATABASE)
    await catalog.open()
    await store.open()
    changes, records = await catalog.changes(STORE, 0, limit=100_000), await store.list("p", "import", limit=100_000)
    await catalog.close()
    await store.close()
    return {change.id for change in changes}, [record.name for record in records]


def test_a_backup_whose_documents_are_no_catalog_is_refused(origin: Path, tmp_path: Path) -> None:
    manifest = backed_up(origin, tmp_path / "b")
    (tmp_path / "out").mkdir()
    extract(tmp_path / "b", tmp_path / "out")
    files = {name: tmp_path / "out" / name for name in manifest.files}
    shutil.copy(files[DATABASE], files[DOCUMENTS])
    members = {name: member_of(path) for name, path in files.items()}
    write_archive(tmp_path / "wrong", replace(manifest, files=members), files, 0)
    with pytest.raises(BackupUnusable, match="the database of another program"):
        put_back(tmp_path / "new", tmp_path / "wrong")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["server.lock"]


async def test_a_server_begins_with_putting_documents_in_place_where_a_restoration_was_killed(tmp_path: Path) -> None:
    data_dir = tmp_path / "d"
    await asyncio.to_thread(fill, data_dir, "restored")
    ready = data_dir / ".restoring" / "stores.ready"
    ready.parent.mkdir()
    (data_dir / "stores.db").rename(ready)
    async with running(Settings(port=0, grpc_port=0, data_dir=data_dir)):
        assert not ready.exists()
        documents = sqlite3.connect(data_dir / "stores.db")
        with closing(documents):
            assert documents.execute("SELECT count(*) FROM document").fetchone() == (1,)
