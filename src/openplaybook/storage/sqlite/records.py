"""Resources, their unique keys and the revisions of their roots."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch
from openplaybook.storage.sqlite import blobs, bulk

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


def scan(connection: sqlite3.Connection, root: str, kinds: Sequence[str]) -> Sequence[Record]:
    """Every record of a root, or those of some kinds, in order of insertion."""
    among = f" AND kind IN ({', '.join('?' for _ in kinds)})" if kinds else ""
    rows = connection.execute(f"{_RECORD} WHERE root = ?{among} ORDER BY position", (root, *kinds))
    return [Record(*row) for row in rows.fetchall()]


def untouched(connection: sqlite3.Connection, parent: str, kind: str, before_us: int, limit: int) -> Sequence[str]:
    """Names of records of a kind directly under `parent` that were written last before then."""
    rows = connection.execute(
        "SELECT name FROM record WHERE parent = ? AND kind = ? AND updated_us < ? ORDER BY position LIMIT ?",
        (parent, kind, before_us, limit),
    )
    return [name for (name,) in rows.fetchall()]


def revision(connection: sqlite3.Connection, root: str) -> int:
    """Number of writes under a root."""
    rows = connection.execute("SELECT number FROM revision WHERE root = ?", (root,)).fetchall()
    return rows[0][0] if rows else 0


def apply(connection: sqlite3.Connection, changes: Sequence[Change], now_us: int) -> Sequence[Record]:
    """Make the changes in order, inside a transaction of the caller's; the record of each `Put`.

    Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`; the caller then rolls back.
    """
    stored: list[Record] = []
    written: Counter[str] = Counter()
    for part in bulk.bulks(changes):
        stored += _apply(connection, part, written, now_us)
    for root, count in written.items():
        _advance(connection, root, count)
    return stored


def _apply(
    connection: sqlite3.Connection, changes: Sequence[Change], written: Counter[str], now_us: int
) -> Sequence[Record]:
    if len(changes) > 1:
        puts = [change for change in changes if isinstance(change, Put)]
        if puts and (records := bulk.insert(connection, puts, written, now_us)) is not None:
            return records
        deletes = [change for change in changes if isinstance(change, Delete)]
        if deletes and bulk.delete(connection, deletes, written):
            return ()
    stored: list[Record] = []
    for change in changes:
        if isinstance(change, Put):
            stored.append(_put(connection, change, written, now_us))
        else:
            _delete(connection, change, written)
    return stored


class _Before(NamedTuple):
    """What stands in a record's place before it is written; never its body, which may be large."""

    version: int
    root: str
    position: int
    created_us: int


def _before(connection: sqlite3.Connection, name: str) -> _Before | None:
    rows = connection.execute("SELECT version, root, position, created_us FROM record WHERE name = ?", (name,))
    row = rows.fetchone()
    return _Before(*row) if row else None


def _put(connection: sqlite3.Connection, put: Put, written: Counter[str], now_us: int) -> Record:
    before = _before(connection, put.name)
    put.check(None if before is None else before.version)
    _check_unique_key(connection, put)
    if before is None:
        position = _insert(connection, put, now_us)
        version, created_us = 1, now_us
    else:
        _replace(connection, put, now_us)
        version, position, created_us = before.version + 1, before.position, before.created_us
        if before.root != put.root:
            written[before.root] += 1
    written[put.root] += 1
    return Record(put.name, put.kind, put.parent, put.root, put.body, version, position, created_us, now_us)


def _insert(connection: sqlite3.Connection, put: Put, now_us: int) -> int:
    """The position that the record is given."""
    cursor = connection.execute(
        "INSERT INTO record (name, kind, parent, root, unique_key, version, created_us, updated_us, body)"
        " VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)",
        (put.name, put.kind, put.parent, put.root, put.unique_key, now_us, now_us, put.body),
    )
    assert cursor.lastrowid is not None, "the position is the row's number"
    return cursor.lastrowid


def _replace(connection: sqlite3.Connection, put: Put, now_us: int) -> None:
    connection.execute(
        "UPDATE record SET kind = ?, parent = ?, root = ?, unique_key = ?, version = version + 1, updated_us = ?,"
        " body = ? WHERE name = ?",
        (put.kind, put.parent, put.root, put.unique_key, now_us, put.body, put.name),
    )


def _check_unique_key(connection: sqlite3.Connection, put: Put) -> None:
    if put.unique_key is None:
        return
    rows = connection.execute(
        "SELECT name FROM record WHERE parent = ? AND kind = ? AND unique_key = ? AND name <> ?",
        (put.parent, put.kind, put.unique_key, put.name),
    ).fetchall()
    if rows:
        raise RecordExists(rows[0][0], put.unique_key)


def _delete(connection: sqlite3.Connection, delete: Delete, written: Counter[str]) -> None:
    before = _before(connection, delete.name)
    if before is None:
        raise RecordNotFound(delete.name)
    if delete.expect is not None and delete.expect != before.version:
        raise VersionMismatch(delete.name, before.version)
    connection.execute("DELETE FROM record WHERE position = ?", (before.position,))
    gone = [(delete.name, before.root)]
    if delete.tree:
        beneath = (delete.name, delete.name)
        gone += connection.execute(f"DELETE FROM record WHERE {_BENEATH} RETURNING name, root", beneath).fetchall()
    for name, root in gone:
        written[root] += 1
        if name == root:
            connection.execute("DELETE FROM session WHERE root = ?", (root,))
            blobs.delete(connection, f"{root}/")


def _advance(connection: sqlite3.Connection, root: str, count: int) -> None:
    connection.execute(
        "INSERT INTO revision (root, number) VALUES (?, ?)"
        " ON CONFLICT (root) DO UPDATE SET number = number + excluded.number",
        (root, count),
    )
