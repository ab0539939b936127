"""Connections to the database file and how they are set."""

import os
import sqlite3
from pathlib import Path

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.result_codes import translate

BUSY_TIMEOUT_S = 5.0
"""How long a write waits for another process (a command beside the server) before it is refused."""

_OLDEST_SQLITE = (3, 37, 0)
"""STRICT tables came with 3.37; RETURNING and partial indexes are older."""

_STATEMENTS = 128
"""Prepared statements kept; more than this package has."""

_WAL_BYTES = 64 << 20
"""The write-ahead log is cut back to this size after it has been larger."""


def connect_writer(path: Path) -> sqlite3.Connection:
    """The connection that writes; creates the file (mode 0600: it holds conversations) and its directory.

    Raises `StoreUnusable`.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old; 3.37 or later is needed")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Only where there is none: closing a file of SQLite's would end the locks this process has on it
        # (sqlite.org/howtocorrupt.html, 2.2).
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreUnusable(f"{path}: cannot be opened for writing: {error.strerror}") from error
    return _connect(path)


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. Raises `StoreUnusable`."""
    connection = _connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def prepare_for_writing(connection: sqlite3.Connection) -> None:
    """Write-ahead log, each commit on the disk before it is reported, and foreign keys checked."""
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: with NORMAL a power cut may take back commits that were already reported.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


def _connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode, used by one thread at a time but not always by the one that made it."""
    try:
        return sqlite3.connect(
            path,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_S,
            cached_statements=_STATEMENTS,
        )
    except sqlite3.Error as error:
        raise translate(error, path) from error
