"""Copies of the database file, taken beside a server that writes to it, and the old file made ready to be replaced."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.file_connections import BUSY_TIMEOUT_S
from openplaybook.storage.sqlite.migrations import STORE_SCHEMA, FileSchema, check_file
from openplaybook.storage.sqlite.result_codes import translate

SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a database file that is in use, by what is added to its name."""


@dataclass(frozen=True, slots=True)
class DatabaseMoment:
    """A database as it was at one moment."""

    connection: sqlite3.Connection
    """Reads what was there then."""
    path: Path
    schema: FileSchema

    def copy(self, target: Path) -> int:
        """Copy it into a new file (mode 0600); its schema's number. Raises `StoreUnusable` where it is damaged."""
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with closing(_connected(target)) as writing:
                # In one step: it reads within the transaction that is open.
                self.connection.backup(writing, pages=-1)
                # One file that is complete by itself.
                writing.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise translate(error, self.path) from error
        return check_database(target, self.schema)


@contextmanager
def moment_of(source: Path, schema: FileSchema = STORE_SCHEMA) -> Generator[DatabaseMoment]:
    """The database as it is now, for as long as it is wanted; writers are not held up.

    Raises `StoreUnusable` when there is no database, or it is not of this kind or damaged.
    """
    if not source.exists():
        raise StoreUnusable(f"{source}: there is no database")
    with closing(_connected(source)) as connection:
        try:
            check_file(connection, source, schema)
            connection.execute("BEGIN")
            # The first that is read says which moment it is.
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except sqlite3.Error as error:
            raise translate(error, source) from error
        yield DatabaseMoment(connection, source, schema)


def copy_database(source: Path, target: Path, schema: FileSchema = STORE_SCHEMA) -> int:
    """Copy the database as it is at one moment into a new file (mode 0600); its schema's number.

    Writers are not held up. Raises `StoreUnusable` when there is no database, or it is not ours or damaged.
    """
    with moment_of(source, schema) as moment:
        return moment.copy(target)


def check_database(path: Path, schema: FileSchema = STORE_SCHEMA) -> int:
    """The number of the schema of a database that is whole; raises `StoreUnusable` for any other file."""
    try:
        with closing(_connected(path)) as connection:
            check_file(connection, path, schema)
            faults = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
            [(version,)] = connection.execute("PRAGMA user_version").fetchall()
    except sqlite3.Error as error:
        raise translate(error, path) from error
    if faults != ["ok"]:
        raise StoreUnusable(f"{path}: the file is damaged: {'; '.join(faults)}")
    return int(version)


def fold_log(path: Path) -> bool:
    """Put what is in the write-ahead log into the file, so that the file alone is the database.

    False where that cannot be done because the file is damaged. The caller makes sure that nobody else uses it.
    """
    try:
        with closing(_connected(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.DatabaseError:
        return False
    return not any(path.with_name(path.name + side).exists() for side in SIDE_FILES)


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_S)
