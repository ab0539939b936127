"""A data directory made from a backup.

Until the one rename that puts the new database in place, what was there stays what it was, and whoever is killed
before it has changed nothing that counts. The master key goes first, as a file that holds the backup's keys and those
of before: it opens either database. The documents of data stores follow, which lie ready by then: who is killed before
they are in place leaves them to `finish_restoration`, which the next server or restoration begins with.
"""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from openplaybook.credentials.errors import MasterKeyUnusable
from openplaybook.credentials.master_key import FILE_NAME, KeyPlaces
from openplaybook.credentials.store_sealer import unlock
from openplaybook.retrieval.catalog.sqlite.tables import CATALOG_SCHEMA, make_successor
from openplaybook.server.backups.backup_writer import refuse_shared
from openplaybook.server.backups.manifest import DATABASE, DOCUMENTS, MASTER_KEY, Manifest
from openplaybook.server.backups.tar_archive import extract
from openplaybook.server.configured_credentials import key_places
from openplaybook.server.errors import BackupUnusable
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.delivery_log import forget_deliveries
from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.storage.sqlite.database_copy import SIDE_FILES, check_database, fold_log

_READY = "stores.ready"
"""Documents that belong to the new database and are to follow it."""


@dataclass(frozen=True, slots=True)
class Restoration:
    """What was done."""

    manifest: Manifest
    aside: Path | None
    """Where the data of before is; None where there was none."""
    objection: str
    """Why the server will not start with the master key at hand; empty where it will."""


async def restore(settings: Settings, source: Path, *, force: bool) -> Restoration:
    """Make the data directory what it was when the backup was taken; with `force` also where it holds data.

    Raises `BackupUnusable` for a backup that cannot be used or data that would be replaced, and `StoreUnusable`, also
    while a server runs on the directory. Nothing has changed then.
    """
    refuse_shared(settings, "pg_restore --clean --if-exists FILE")
    directory = DataDirectory(settings.data_dir)
    directory.acquire()
    try:
        finish_restoration(directory)
        holds_data = directory.database.exists() or directory.documents.exists()
        if holds_data and not force:
            raise BackupUnusable(
                f"{settings.data_dir} already contains data; --force moves them aside and restores the backup"
            )
        with _staging(settings.data_dir) as staging:
            manifest = _extracted(source, staging)
            objection = await _objection(settings, staging, manifest)
            aside = _kept_aside(directory) if holds_data else None
            _put_in_place(directory, staging, manifest)
        return Restoration(manifest, aside, objection)
    except OSError as error:
        raise BackupUnusable(f"{settings.data_dir} cannot be written: {error.strerror}") from error
    finally:
        directory.release()


def finish_restoration(directory: DataDirectory) -> None:
    """Put documents of data stores in place where a restoration was killed between the database and them.

    For whoever has acquired the directory, before anything in it is opened.
    """
    staging = directory.staging
    if (staging / _READY).exists() and not (staging / DATABASE).exists():
        os.replace(staging / _READY, directory.documents)
        _sync(directory.path)


@contextmanager
def _staging(data_dir: Path) -> Generator[Path]:
    folder = DataDirectory(data_dir).staging
    # One that was killed has left it behind.
    _clear(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        _clear(folder)


def _clear(folder: Path) -> None:
    # First of all: without the database beside them, documents count as those of the one in place.
    (folder / _READY).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)


def _extracted(source: Path, staging: Path) -> Manifest:
    try:
        manifest = extract(source, staging)
        check_database(staging / DATABASE)
        if manifest.has_documents:
            check_database(staging / DOCUMENTS, CATALOG_SCHEMA)
    except (BackupUnusable, StoreUnusable) as error:
        raise BackupUnusable(f"{source}: {error}") from error
    return manifest


async def _objection(settings: Settings, staging: Path, manifest: Manifest) -> str:
    """Why the keys do not open the data. Raises `BackupUnusable` where the backup's own does not."""
    if manifest.has_key and (reason := await _unlocked(staging, KeyPlaces({}, None, staging))):
        raise BackupUnusable(reason)
    is_given = manifest.has_key and settings.master_key_file is None and not os.environ.get("OPENPLAYBOOK_MASTER_KEY")
    return "" if is_given else await _unlocked(staging, key_places(settings, os.environ))


async def _unlocked(staging: Path, places: KeyPlaces) -> str:
    store = SqliteStore(staging / DATABASE)
    await store.open()
    try:
        await unlock(store, places)
    except MasterKeyUnusable as error:
        return str(error)
    finally:
        await store.close()
    return ""


def _kept_aside(directory: DataDirectory) -> Path:
    """The data of before under a second name; it stays where it is, too."""
    aside = directory.path / f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
    aside.mkdir(mode=0o700)
    for database in (directory.database, directory.documents):
        # Else the log of the old database would be taken for the new one's.
        if database.exists() and not fold_log(database):
            for side in SIDE_FILES:
                beside = database.with_name(database.name + side)
                if beside.exists():
                    os.replace(beside, aside / beside.name)
    for path in (directory.database, directory.documents, directory.path / FILE_NAME):
        if path.exists():
            os.link(path, aside / path.name)
    _sync(aside)
    return aside


def _put_in_place(directory: DataDirectory, staging: Path, manifest: Manifest) -> None:
    if not fold_log(staging / DATABASE):
        raise BackupUnusable(f"{staging / DATABASE} cannot be prepared")
    _lay_ready(directory, staging, manifest)
    key, new = directory.path / FILE_NAME, staging / MASTER_KEY
    if manifest.has_key:
        both = staging / "both.key"
        _write(both, new.read_bytes() + (key.read_bytes() if key.exists() else b""))
        os.replace(both, key)
        _sync(directory.path)
    forget_deliveries(directory.path)
    os.replace(staging / DATABASE, directory.database)
    _sync(directory.path)
    finish_restoration(directory)
    if manifest.has_key:
        os.replace(new, key)
        _sync(directory.path)


def _lay_ready(directory: DataDirectory, staging: Path, manifest: Manifest) -> None:
    """Prepare the documents of the backup; none, where it has none and documents of before are in their place."""
    if not manifest.has_documents and not directory.documents.exists():
        return
    if not make_successor(staging / DOCUMENTS):
        raise BackupUnusable(f"{staging / DOCUMENTS} cannot be prepared")
    os.replace(staging / DOCUMENTS, staging / _READY)
    _sync(staging)


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
