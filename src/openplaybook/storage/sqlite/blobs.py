"""Bytes under keys."""

import sqlite3
from collections.abc import Sequence

_WITH_PREFIX = "key >= ?1 AND key < ?1 || char(1114111)"
"""A range of the index that ends with the last of all characters, which no key has."""


def put(connection: sqlite3.Connection, key: str, data: bytes) -> None:
    """Store or replace the bytes of a key."""
    connection.execute(
        "INSERT INTO blob (key, data) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET data = excluded.data", (key, data)
    )


def get(connection: sqlite3.Connection, key: str) -> bytes | None:
    """The bytes of a key."""
    rows = connection.execute("SELECT data FROM blob WHERE key = ?", (key,)).fetchall()
    return rows[0][0] if rows else None


def sizes(connection: sqlite3.Connection, prefix: str) -> Sequence[tuple[str, int]]:
    """Key and bytes of the blobs whose key begins with `prefix`, in the order in which keys were first put."""
    query = f"SELECT key, length(data) FROM blob WHERE {_WITH_PREFIX} ORDER BY rowid"
    return connection.execute(query, (prefix,)).fetchall()


def delete(connection: sqlite3.Connection, prefix: str) -> None:
    """Delete the blobs whose key begins with `prefix`."""
    connection.execute(f"DELETE FROM blob WHERE {_WITH_PREFIX}", (prefix,))
