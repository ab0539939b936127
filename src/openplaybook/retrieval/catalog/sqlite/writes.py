"""Writes to the catalog's file, each inside a transaction that somebody else begins and ends."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import uuid4

from openplaybook.retrieval.catalog.base import CatalogQuota, ChangeMark
from openplaybook.retrieval.catalog.document_rows import DocumentRow
from openplaybook.retrieval.catalog.quotas import CountedRow, HoldingsChange, check_quota, project_of

_ROWS_AT_ONCE = 100
"""Documents in a statement."""
_AT_ONCE = 500
"""Ids in a statement, whose text SQLite keeps prepared."""


class WrittenStore(NamedTuple):
    """What a write has to know of its store."""

    number: int
    incarnation: str
    sequence: int
    tombstones: int


def put(connection: sqlite3.Connection, store: str, rows: Sequence[DocumentRow], quota: CatalogQuota) -> ChangeMark:
    """Add or replace documents of different ids; the mark behind them. Raises `QuotaExceeded`."""
    found = _found(connection, store) or _begun(connection, store)
    change = HoldingsChange()
    change.remove(_counted(connection, found.number, [row.id for row in rows]))
    change.add(rows)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        _put_some(connection, found.number, found.sequence + start + 1, rows[start : start + _ROWS_AT_ONCE])
    raised = _raised(connection, found, [row.id for row in rows]) if found.tombstones else 0
    last = found.sequence + len(rows)
    _keep_count(connection, store, found.number, last, -raised, change, quota)
    return ChangeMark(found.incarnation, last, _floor(connection, found.number))


def _put_some(connection: sqlite3.Connection, number: int, first: int, rows: Sequence[DocumentRow]) -> None:
    """Write rows, numbered from the first one on, with one statement: between two, a thread waits for the others."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(rows))
    connection.execute(
        f"INSERT INTO document (store, sequence, passages, id, language, digest, body) VALUES {values}"
        " ON CONFLICT (store, id) DO UPDATE SET sequence = excluded.sequence, passages = excluded.passages,"
        " language = excluded.language, digest = excluded.digest, body = excluded.body",
        [
            value
            for sequence, row in enumerate(rows, first)
            for value in (number, sequence, row.passages, row.id, row.language, row.digest, row.body)
        ],
    )


def delete(connection: sqlite3.Connection, store: str, ids: Sequence[str], most_tombstones: int) -> int:
    """Take documents away, and keep no more tombstones than so many, or than there are documents; how many went."""
    found = _found(connection, store)
    if found is None:
        return 0
    counted = _counted(connection, found.number, ids)
    if not counted:
        return 0
    change = HoldingsChange()
    change.remove(counted)
    connection.executemany(
        "DELETE FROM document WHERE store = ? AND id = ?", ((found.number, row.id) for row in counted)
    )
    connection.executemany(
        "INSERT INTO tombstone (store, sequence, id) VALUES (?, ?, ?)",
        ((found.number, sequence, row.id) for sequence, row in enumerate(counted, found.sequence + 1)),
    )
    last = found.sequence + len(counted)
    _keep_count(connection, store, found.number, last, len(counted), change, CatalogQuota())
    _forget_tombstones(connection, found.number, most_tombstones)
    return len(counted)


def add_to_project(connection: sqlite3.Connection, project: str, documents: int, size: int) -> tuple[int, int]:
    """Documents and bytes of a project with so many more."""
    return connection.execute(
        "INSERT INTO project (name, documents, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
        " documents = documents + excluded.documents, bytes = bytes + excluded.bytes RETURNING documents, bytes",
        (project, documents, size),
    ).fetchall()[0]


def _found(connection: sqlite3.Connection, store: str) -> WrittenStore | None:
    rows = connection.execute("SELECT number, incarnation, sequence, tombstones FROM store WHERE name = ?", (store,))
    return next((WrittenStore(*row) for row in rows.fetchall()), None)


def _begun(connection: sqlite3.Connection, store: str) -> WrittenStore:
    rows = connection.execute(
        "INSERT INTO store (name, incarnation, sequence, floor) SELECT ?, ?, first, first FROM counter"
        " RETURNING number, incarnation, sequence, tombstones",
        (store, uuid4().hex),
    )
    return WrittenStore(*rows.fetchall()[0])


def _floor(connection: sqlite3.Connection, number: int) -> int:
    return connection.execute("SELECT floor FROM store WHERE number = ?", (number,)).fetchall()[0][0]


def _counted(connection: sqlite3.Connection, number: int, ids: Sequence[str]) -> Sequence[CountedRow]:
    """Those of these documents that there are, in the order in which they are named."""
    there: dict[str, CountedRow] = {}
    for some in in_parts(ids):
        rows = connection.execute(
            "SELECT id, passages, length(body), language FROM document"
            f" WHERE store = ? AND id IN ({placeholders(some)})",
            (number, *some),
        )
        there.update((row[0], CountedRow(*row)) for row in rows.fetchall())
    return [there[id] for id in dict.fromkeys(ids) if id in there]


def _raised(connection: sqlite3.Connection, store: WrittenStore, ids: Sequence[str]) -> int:
    """How many tombstones go, since their documents are there again."""
    return sum(
        connection.execute(
            f"DELETE FROM tombstone WHERE store = ? AND id IN ({placeholders(some)})", (store.number, *some)
        ).rowcount
        for some in in_parts(ids)
    )


def _keep_count(
    connection: sqlite3.Connection,
    store: str,
    number: int,
    last: int,
    tombstones: int,
    change: HoldingsChange,
    quota: CatalogQuota,
) -> None:
    """Write down what a store holds by now; `tombstones` are so many more. Raises `QuotaExceeded`."""
    project = project_of(store)
    check_quota(quota, project, change, *add_to_project(connection, project, change.documents, change.bytes))
    connection.execute(
        "UPDATE store SET sequence = ?, documents = documents + ?, passages = passages + ?, bytes = bytes + ?,"
        " tombstones = tombstones + ? WHERE number = ?",
        (last, change.documents, change.passages, change.bytes, tombstones, number),
    )
    connection.executemany(
        "INSERT INTO language (store, name, documents) VALUES (?, ?, ?)"
        " ON CONFLICT (store, name) DO UPDATE SET documents = documents + excluded.documents",
        ((number, language, count) for language, count in change.languages.items() if count),
    )


def _forget_tombstones(connection: sqlite3.Connection, number: int, most: int) -> None:
    """Where there are too many, keep the newer half; who has not seen the others begins anew."""
    ((tombstones, documents),) = connection.execute(
        "SELECT tombstones, documents FROM store WHERE number = ?", (number,)
    ).fetchall()
    if tombstones <= max(most, documents):
        return
    ((floor,),) = connection.execute(
        "SELECT sequence FROM tombstone WHERE store = ? ORDER BY sequence LIMIT 1 OFFSET ?",
        (number, tombstones // 2),
    ).fetchall()
    gone = connection.execute("DELETE FROM tombstone WHERE store = ? AND sequence <= ?", (number, floor)).rowcount
    connection.execute(
        "UPDATE store SET floor = ?, tombstones = tombstones - ? WHERE number = ?", (floor, gone, number)
    )


def in_parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Ids, as many at a time as one statement takes."""
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def placeholders(ids: Sequence[str]) -> str:
    """A question mark for each."""
    return ", ".join("?" * len(ids))
