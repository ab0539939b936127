"""The tables of the catalog's own file, and the file made ready to take the place of another."""

import sqlite3
from contextlib import closing
from pathlib import Path

from openplaybook.storage.sqlite.database_copy import DatabaseMoment, fold_log
from openplaybook.storage.sqlite.migrations import FileSchema
from openplaybook.storage.sqlite.opened_file import open_file
from openplaybook.storage.sqlite.result_codes import translate
from openplaybook.storage.sqlite.soundness import SqliteSoundness

CATALOG_SCHEMA = FileSchema(
    # "OPST": neither is the server's database taken for a catalog, nor the other way round.
    application_id=0x4F505354,
    migrations=(
        (
            # What the next store's numbers begin with: beyond those of all that were dropped, so that whoever follows
            # the changes of one of these is found out (`ChangesForgotten`).
            "CREATE TABLE counter (first INTEGER NOT NULL) STRICT",
            "INSERT INTO counter VALUES (0)",
            "CREATE TABLE project (name TEXT PRIMARY KEY, documents INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
            # AUTOINCREMENT: what is left of a dropped store never becomes another's.
            """
            CREATE TABLE store (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                incarnation TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                floor INTEGER NOT NULL,
                documents INTEGER NOT NULL DEFAULT 0,
                passages INTEGER NOT NULL DEFAULT 0,
                bytes INTEGER NOT NULL DEFAULT 0,
                tombstones INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            """
            CREATE TABLE language (
                store INTEGER NOT NULL, name TEXT NOT NULL, documents INTEGER NOT NULL, PRIMARY KEY (store, name)
            ) STRICT, WITHOUT ROWID
            """,
            # With row ids, so that new documents go to the table's end; the body last, so that the rest is read
            # without it.
            """
            CREATE TABLE document (
                number INTEGER PRIMARY KEY,
                store INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                passages INTEGER NOT NULL,
                id TEXT NOT NULL,
                language TEXT NOT NULL,
                digest TEXT NOT NULL,
                body BLOB NOT NULL
            ) STRICT
            """,
            "CREATE UNIQUE INDEX document_by_id ON document (store, id)",
            "CREATE UNIQUE INDEX document_by_change ON document (store, sequence)",
            """
            CREATE TABLE tombstone (
                store INTEGER NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (store, sequence)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE UNIQUE INDEX tombstone_by_id ON tombstone (store, id)",
            "CREATE TABLE dropped (store INTEGER PRIMARY KEY) STRICT",
        ),
    ),
    gives_back=True,
)
"""`dropped` has the numbers of stores that are gone and of which rows may be left."""


def holds_stores(moment: DatabaseMoment) -> bool:
    """Whether there is any store in a file. Raises `StoreUnusable`."""
    try:
        if not moment.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'store'").fetchall():
            return False
        return bool(moment.connection.execute("SELECT 1 FROM store LIMIT 1").fetchall())
    except sqlite3.Error as error:
        raise translate(error, moment.path) from error


def make_successor(path: Path) -> bool:
    """Make of a copy, or where there is no file, one that may take the place of the file of a stopped server.

    Its stores are others to those who follow their changes, so that every index is made anew: what they have read may
    never have been here. It is one file afterwards, migrated; False where that cannot be. Raises `StoreUnusable`.
    """
    connection, readers = open_file(path, SqliteSoundness(path), CATALOG_SCHEMA)
    readers.close()
    with closing(connection):
        connection.execute("UPDATE store SET incarnation = lower(hex(randomblob(16)))")
    return fold_log(path)
