"""Bytes under keys."""

import sqlite3
from collections.abc import Sequence

from openplaybook.storage.base import BlobFacts

_WITH_PREFIX = "key >= ?1 AND key < ?1 || char(1114111)"
"""A range of the index that ends with the last of all characters, which no key has."""


def put(connection: sqlite3.Connection, key: str, data: bytes, now_us: int) -> None:
    """Store or replace the bytes of a key."""
    connection.execute(
        "INSERT INTO blob (key, put_us, data) VALUES (?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET put_us = excluded.put_us, data = excluded.data",
        (key, now_us, data),
    )


def get(connection: sqlite3.Connection, key: str) -> bytes | None:
    """The bytes of a key."""
    rows = connection.execute("SELECT data FROM blob WHERE key = ?", (key,)).fetchall()
    return rows[0][0] if rows else None


def facts(connection: sqlite3.Connection, prefix: str) -> Sequence[BlobFacts]:
    """Facts of the blobs whose key begins with `prefix`, in the order in which keys were first put."""
    query = f"SELECT key, length(data), put_us FROM blob WHERE {_WITH_PREFIX} ORDER BY rowid"
    return [BlobFacts(*row) for row in connection.execute(query, (prefix,)).fetchall()]


def delete(connection: sqlite3.Connection, prefix: str, before_us: int | None = None) -> None:
    """Delete the blobs whose key begins with `prefix`, or those of them that were put last before then."""
    older = "(?2 IS NULL OR put_us < ?2)"
    connection.execute(f"DELETE FROM blob WHERE {_WITH_PREFIX} AND {older}", (prefix, before_us))
