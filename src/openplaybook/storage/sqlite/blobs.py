"""Bytes under keys."""

import sqlite3


def put(connection: sqlite3.Connection, key: str, data: bytes) -> None:
    """Store or replace the bytes of a key."""
    connection.execute(
        "INSERT INTO blob (key, data) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET data = excluded.data", (key, data)
    )


def get(connection: sqlite3.Connection, key: str) -> bytes | None:
    """The bytes of a key."""
    rows = connection.execute("SELECT data FROM blob WHERE key = ?", (key,)).fetchall()
    return rows[0][0] if rows else None
