"""The tables, as numbered migrations; `PRAGMA user_version` says how many a file has had."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.storage.errors import StoreUnusable

APPLICATION_ID = 0x4F504C42
"""`PRAGMA application_id` of our files ("OPLB"), so that another program's database is never migrated."""

MIGRATIONS: Sequence[Sequence[str]] = (
    (
        # AUTOINCREMENT: a position is never used twice, so a cursor stays right when the last record goes.
        """
        CREATE TABLE record (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            parent TEXT NOT NULL,
            root TEXT NOT NULL,
            unique_key TEXT,
            version INTEGER NOT NULL,
            created_us INTEGER NOT NULL,
            updated_us INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX record_by_parent ON record (parent, kind, position)",
        "CREATE INDEX record_by_root ON record (root, position)",
        """
        CREATE UNIQUE INDEX record_unique_key ON record (parent, kind, unique_key)
        WHERE unique_key IS NOT NULL
        """,
        "CREATE TABLE revision (root TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE session (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            root TEXT NOT NULL,
            turns INTEGER NOT NULL,
            fence INTEGER NOT NULL,
            expires_us INTEGER NOT NULL,
            state BLOB
        ) STRICT
        """,
        "CREATE INDEX session_by_root ON session (root)",
        """
        CREATE TABLE turn (
            id INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            turn_id TEXT NOT NULL,
            request_key TEXT NOT NULL,
            state TEXT NOT NULL,
            owner TEXT NOT NULL,
            fence INTEGER NOT NULL,
            lease_until_us INTEGER NOT NULL,
            response BLOB,
            UNIQUE (session, number)
        ) STRICT
        """,
        # The rules of a session, held by the database itself: one answer per key, one turn at a time.
        "CREATE UNIQUE INDEX turn_by_request ON turn (session, request_key) WHERE state IN ('RUNNING', 'DONE')",
        "CREATE UNIQUE INDEX turn_running ON turn (session) WHERE state = 'RUNNING'",
        # A table with row ids: rows of all sessions go to its end, so a group commit touches few pages.
        # Clustering by turn was measured: 1.6 times the time of a lone append, 3.6 times in groups of 16.
        """
        CREATE TABLE step (
            id INTEGER PRIMARY KEY,
            turn INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            kind TEXT NOT NULL,
            time_us INTEGER NOT NULL,
            payload BLOB NOT NULL
        ) STRICT
        """,
        "CREATE UNIQUE INDEX step_by_turn ON step (turn, seq)",
        "CREATE TABLE blob (key TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT",
    ),
    (
        # A session that begins anew after it has expired has one life more; turns remember which was theirs.
        "ALTER TABLE session ADD COLUMN life INTEGER NOT NULL DEFAULT 1",
        "CREATE INDEX session_by_end ON session (expires_us)",
        "ALTER TABLE turn ADD COLUMN life INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE turn ADD COLUMN fingerprint TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE turn ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE turn ADD COLUMN began_us INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE turn ADD COLUMN ended_us INTEGER",
        """
        UPDATE turn SET
            began_us = coalesce((SELECT min(time_us) FROM step WHERE step.turn = turn.id), 0),
            ended_us = CASE state WHEN 'RUNNING' THEN NULL
                       ELSE coalesce((SELECT max(time_us) FROM step WHERE step.turn = turn.id), 0) END
        """,
        "DROP INDEX turn_by_request",
        "CREATE UNIQUE INDEX turn_by_request ON turn (session, life, request_key) WHERE state IN ('RUNNING', 'DONE')",
        # Made anew, since a column behind the bytes is read only by way of all the bytes.
        "ALTER TABLE blob RENAME TO old_blob",
        "CREATE TABLE blob (key TEXT PRIMARY KEY, put_us INTEGER NOT NULL, data BLOB NOT NULL) STRICT",
        """
        INSERT INTO blob (key, put_us, data)
        SELECT key, 1000000 * CAST(strftime('%s', 'now') AS INTEGER), data FROM old_blob ORDER BY rowid
        """,
        "DROP TABLE old_blob",
    ),
)
"""Each entry is applied once and never edited after a release; a change is one more entry."""


@dataclass(frozen=True, slots=True)
class FileSchema:
    """What a kind of file has in it."""

    application_id: int
    """`PRAGMA application_id`, by which it is known."""
    migrations: Sequence[Sequence[str]]
    gives_back: bool = False
    """Whether it can be made shorter bit by bit (`PRAGMA incremental_vacuum`)."""


STORE_SCHEMA = FileSchema(APPLICATION_ID, MIGRATIONS)
"""Of the server's own database."""


def check_file(connection: sqlite3.Connection, path: Path, schema: FileSchema = STORE_SCHEMA) -> None:
    """Refuse, before anything is written, a file that is not of this kind or is too new: `StoreUnusable`."""
    # One transaction, one view: another process may be migrating the file.
    connection.execute("BEGIN")
    application = _number(connection, "PRAGMA application_id")
    version = _number(connection, "PRAGMA user_version")
    tables = _number(connection, "SELECT count(*) FROM sqlite_schema")
    connection.execute("COMMIT")
    if application != schema.application_id:
        if application or version or tables:
            raise StoreUnusable(f"{path}: the database of another program; choose another data directory")
    elif version > len(schema.migrations):
        raise StoreUnusable(
            f"{path}: written by a newer version of OpenPlaybook (schema {version}, this version knows "
            f"{len(schema.migrations)}); run that version or choose another data directory"
        )


def migrate(
    connection: sqlite3.Connection,
    migrations: Sequence[Sequence[str]] = MIGRATIONS,
    application_id: int = APPLICATION_ID,
) -> None:
    """Apply the migrations that the file has not had, all in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read within the transaction: another process may have migrated while this one waited for its turn.
        done = _number(connection, "PRAGMA user_version")
        for migration in migrations[done:]:
            for statement in migration:
                connection.execute(statement)
        if done < len(migrations):
            connection.execute(f"PRAGMA application_id = {application_id}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _number(connection: sqlite3.Connection, query: str) -> int:
    return connection.execute(query).fetchall()[0][0]
