"""Resources, their unique keys and the revisions of their roots."""

import sqlite3
from collections.abc import Sequence

from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch
from openplaybook.storage.sqlite import blobs

_RECORD = "SELECT name, kind, parent, root, body, version, position, created_us, updated_us FROM record"

_BENEATH = "name >= ? || '/' AND name < ? || '0'"
"""Names that start with `name/`, as a range of the index: "0" is the character after "/"."""


def get(connection: sqlite3.Connection, name: str) -> Record | None:
    """The record of that name."""
    rows = connection.execute(f"{_RECORD} WHERE name = ?", (name,)).fetchall()
    return Record(*rows[0]) if rows else None


def list_children(connection: sqlite3.Connection, parent: str, kind: str, after: int, limit: int) -> Sequence[Record]:
    """At most `limit` records of a kind directly under `parent`, those past position `after`."""
    rows = connection.execute(
        f"{_RECORD} WHERE parent = ? AND kind = ? AND position > ? ORDER BY position LIMIT ?",
        (parent, kind, after, limit),
    )
    return [Record(*row) for row in rows.fetchall()]


def scan(connection: sqlite3.Connection, root: str) -> Sequence[Record]:
    """Every record of a root, in order of insertion."""
    rows = connection.execute(f"{_RECORD} WHERE root = ? ORDER BY position", (root,))
    return [Record(*row) for row in rows.fetchall()]


def revision(connection: sqlite3.Connection, root: str) -> int:
    """Number of writes under a root."""
    rows = connection.execute("SELECT number FROM revision WHERE root = ?", (root,)).fetchall()
    return rows[0][0] if rows else 0


def apply(connection: sqlite3.Connection, changes: Sequence[Change], now_us: int) -> Sequence[Record]:
    """Make the changes in order, inside a transaction of the caller's; the record of each `Put`.

    Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`; the caller then rolls back.
    """
    stored: list[Record] = []
    for change in changes:
        if isinstance(change, Put):
            stored.append(_put(connection, change, now_us))
        else:
            _delete(connection, change)
    return stored


def _put(connection: sqlite3.Connection, put: Put, now_us: int) -> Record:
    before = get(connection, put.name)
    _check_version(put, before)
    _check_unique_key(connection, put)
    if before is None:
        _insert(connection, put, now_us)
    else:
        _replace(connection, put, now_us)
    if before is not None and before.root != put.root:
        _advance(connection, before.root)
    _advance(connection, put.root)
    after = get(connection, put.name)
    assert after is not None, "written above, in the same transaction"
    return after


def _insert(connection: sqlite3.Connection, put: Put, now_us: int) -> None:
    connection.execute(
        "INSERT INTO record (name, kind, parent, root, unique_key, version, created_us, updated_us, body)"
        " VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)",
        (put.name, put.kind, put.parent, put.root, put.unique_key, now_us, now_us, put.body),
    )


def _replace(connection: sqlite3.Connection, put: Put, now_us: int) -> None:
    connection.execute(
        "UPDATE record SET kind = ?, parent = ?, root = ?, unique_key = ?, version = version + 1, updated_us = ?,"
        " body = ? WHERE name = ?",
        (put.kind, put.parent, put.root, put.unique_key, now_us, put.body, put.name),
    )


def _check_version(put: Put, before: Record | None) -> None:
    if put.expect is None:
        return
    if before is None:
        if put.expect != 0:
            raise RecordNotFound(put.name)
    elif put.expect == 0:
        raise RecordExists(put.name)
    elif put.expect != before.version:
        raise VersionMismatch(put.name, before.version)


def _check_unique_key(connection: sqlite3.Connection, put: Put) -> None:
    if put.unique_key is None:
        return
    rows = connection.execute(
        "SELECT name FROM record WHERE parent = ? AND kind = ? AND unique_key = ? AND name <> ?",
        (put.parent, put.kind, put.unique_key, put.name),
    ).fetchall()
    if rows:
        raise RecordExists(rows[0][0], put.unique_key)


def _delete(connection: sqlite3.Connection, delete: Delete) -> None:
    before = get(connection, delete.name)
    if before is None:
        raise RecordNotFound(delete.name)
    if delete.expect is not None and delete.expect != before.version:
        raise VersionMismatch(delete.name, before.version)
    gone = connection.execute("DELETE FROM record WHERE name = ? RETURNING name, root", (delete.name,)).fetchall()
    if delete.tree:
        beneath = (delete.name, delete.name)
        gone += connection.execute(f"DELETE FROM record WHERE {_BENEATH} RETURNING name, root", beneath).fetchall()
    for name, root in gone:
        _advance(connection, root)
        if name == root:
            connection.execute("DELETE FROM session WHERE root = ?", (root,))
            blobs.delete(connection, f"{root}/")


def _advance(connection: sqlite3.Connection, root: str) -> None:
    connection.execute(
        "INSERT INTO revision (root, number) VALUES (?, 1) ON CONFLICT (root) DO UPDATE SET number = number + 1",
        (root,),
    )
