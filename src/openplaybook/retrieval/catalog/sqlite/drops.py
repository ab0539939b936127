"""What becomes of a dropped store: it is gone at once, and its rows and their disk are given back bit by bit.

All stores are in one file: quotas of a project then hold in one transaction, and a backup is one copy. A file for each
would give its disk back by a name less, but neither of these. So the file shrinks in small steps (incremental vacuum),
each a transaction of its own, between which others write.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from openplaybook.retrieval.catalog.quotas import project_of
from openplaybook.retrieval.catalog.sqlite.writes import add_to_project
from openplaybook.storage.sqlite.file_connections import BUSY_TIMEOUT_S
from openplaybook.storage.sqlite.result_codes import translate

_ROWS = 1000
_BYTES = 4 << 20
"""Of documents that are deleted in one step; at least one is."""
_PAGES = 1000
"""That the file becomes shorter by in one step."""


def drop(connection: sqlite3.Connection, store: str) -> bool:
    """Make a store disappear; False where there is none."""
    rows = connection.execute(
        "DELETE FROM store WHERE name = ? RETURNING number, sequence, documents, bytes", (store,)
    ).fetchall()
    for number, sequence, documents, size in rows:
        add_to_project(connection, project_of(store), -documents, -size)
        connection.execute("UPDATE counter SET first = max(first, ?)", (sequence + 1,))
        connection.execute("INSERT INTO dropped (store) VALUES (?)", (number,))
    return bool(rows)


def sweep(connection: sqlite3.Connection) -> bool:
    """Delete some rows of a dropped store; whether there may be more."""
    numbers = connection.execute("SELECT store FROM dropped LIMIT 1").fetchall()
    if not numbers:
        return False
    ((number,),) = numbers
    rows = _some(connection, number)
    if rows:
        connection.executemany("DELETE FROM document WHERE number = ?", ((row,) for row in rows))
        return True
    graves = "SELECT sequence FROM tombstone WHERE store = ?1 LIMIT ?2"
    gone = connection.execute(f"DELETE FROM tombstone WHERE store = ?1 AND sequence IN ({graves})", (number, _ROWS))
    if gone.rowcount == 0:
        connection.execute("DELETE FROM language WHERE store = ?", (number,))
        connection.execute("DELETE FROM dropped WHERE store = ?", (number,))
    return True


def is_hollow(connection: sqlite3.Connection) -> bool:
    """Whether more pages are free than documents that are replaced leave: a process was killed while it shrank."""
    ((free,),) = connection.execute("PRAGMA freelist_count").fetchall()
    return free > _PAGES


def shrink(connection: sqlite3.Connection) -> bool:
    """Make the file some pages shorter, where some are free; whether there may be more."""
    ((free,),) = connection.execute("PRAGMA freelist_count").fetchall()
    # A page at a time: of more it gives a row without columns for each, and Python asks for the first one only.
    for _ in range(min(free, _PAGES)):
        connection.execute("PRAGMA incremental_vacuum(1)")
    return free > _PAGES


def fold(path: Path) -> None:
    """Carry what was written over to the file itself, whose end is cut off only then.

    It waits for those who read or write just now, some seconds at most: else the next that carries it over does that.
    Raises `StoreUnusable`.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_S)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise translate(error, path) from error


def _some(connection: sqlite3.Connection, number: int) -> list[int]:
    rows: list[int] = []
    size = 0
    found = connection.execute(
        "SELECT number, length(body) FROM document WHERE store = ? ORDER BY sequence LIMIT ?", (number, _ROWS)
    )
    for row, length in found.fetchall():
        if rows and size + length > _BYTES:
            break
        rows.append(row)
        size += length
    return rows
