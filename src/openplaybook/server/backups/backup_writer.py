"""A backup of a data directory, taken while its server runs or while none does."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from openplaybook import __version__
from openplaybook.credentials.errors import MasterKeyUnusable
from openplaybook.credentials.master_key import find_master_keys
from openplaybook.retrieval.catalog.sqlite.tables import CATALOG_SCHEMA, holds_stores
from openplaybook.server.backups.manifest import DATABASE, DOCUMENTS, MASTER_KEY, Manifest
from openplaybook.server.backups.tar_archive import member_of, write_archive
from openplaybook.server.configured_credentials import key_places
from openplaybook.server.errors import BackupUnusable, SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.stores import place_of
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.sqlite.database_copy import moment_of


def _to_nobody(_: str) -> None:
    """Tells nobody."""


def back_up(
    settings: Settings, target: Path, *, with_key: bool, force: bool, tell: Callable[[str], None] = _to_nobody
) -> Manifest:
    """Write a backup to `target`, which appears whole or not at all; with `force` in place of what is there.
    `tell` hears what is being done, which takes minutes where the data are large.

    Raises `BackupUnusable` when it cannot be written, `SettingsError` when the key is wanted and is not a file of the
    data directory, and `StoreUnusable`.
    """
    refuse_shared(settings, "pg_dump --format=custom --file=FILE")
    if target.exists() and not force:
        raise BackupUnusable(f"{target} exists; choose another name, or replace it with --force")
    key = _key_file(settings) if with_key else None
    now = datetime.now(UTC)
    try:
        # Beside the target, so that it is on the same disk and can be renamed.
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.absolute().parent) as folder:
            tell("copying the database")
            schema, files = _copied(DataDirectory(settings.data_dir), Path(folder))
            if key is not None:
                files[MASTER_KEY] = key
            tell(f"packing {sum(path.stat().st_size for path in files.values()):,} bytes")
            members = {name: member_of(path) for name, path in files.items()}
            manifest = Manifest(__version__, schema, now.isoformat(timespec="seconds"), members)
            written = Path(folder) / "archive"
            write_archive(written, manifest, files, int(now.timestamp()))
            os.replace(written, target)
    except OSError as error:
        raise BackupUnusable(f"{target} cannot be written: {error.strerror}") from error
    return manifest


def _copied(directory: DataDirectory, folder: Path) -> tuple[int, dict[str, Path]]:
    """The schema's number of the database, and copies by name, all of one moment."""
    files = {DATABASE: folder / DATABASE}
    with ExitStack() as held:
        database = held.enter_context(moment_of(directory.database))
        # An import that the database says is done has its documents in theirs, which are looked at after it.
        if directory.documents.exists():
            documents = held.enter_context(moment_of(directory.documents, CATALOG_SCHEMA))
            if holds_stores(documents):
                files[DOCUMENTS] = folder / DOCUMENTS
                documents.copy(files[DOCUMENTS])
        return database.copy(files[DATABASE]), files


def refuse_shared(settings: Settings, command: str) -> None:
    """Raise `BackupUnusable` with PostgreSQL's own command where the data are there."""
    place = place_of(settings)
    if place:
        raise BackupUnusable(
            f"the data are in {place}, which has tools of its own: run `{command}` with the same database URL, "
            "and keep the master key apart"
        )


def _key_file(settings: Settings) -> Path:
    places = key_places(settings, os.environ)
    try:
        keys = find_master_keys(places)
    except MasterKeyUnusable as error:
        raise SettingsError(str(error)) from error
    if keys is None or keys.source != str(places.own_file):
        where = "there is none yet" if keys is None else f"it is given by {keys.source}: keep that"
        raise SettingsError(f"--with-master-key takes the key in {places.own_file}, and {where}")
    return places.own_file
