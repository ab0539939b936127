"""Reads of the catalog's file, each of one moment. Those of many documents stop where these become large."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from operator import itemgetter

from openplaybook.retrieval.base import DocumentPage, StoreDocument, StoreStatistics
from openplaybook.retrieval.catalog.base import MOST_BYTES, ChangeMark, DocumentChange
from openplaybook.retrieval.catalog.document_rows import read_row
from openplaybook.retrieval.catalog.quotas import statistics_of
from openplaybook.retrieval.catalog.sqlite.writes import in_parts, placeholders
from openplaybook.retrieval.errors import ChangesForgotten

_NUMBER = "(SELECT number FROM store WHERE name = ?)"


def get(connection: sqlite3.Connection, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
    """Those documents that there are."""
    documents: list[StoreDocument] = []
    with _moment(connection):
        for some in in_parts(ids):
            rows = connection.execute(
                f"SELECT id, language, digest, body FROM document WHERE store = {_NUMBER}"
                f" AND id IN ({placeholders(some)})",
                (store, *some),
            )
            documents += [read_row(*row) for row in rows]
    return documents


def page(connection: sqlite3.Connection, store: str, after: str, limit: int) -> DocumentPage:
    """Documents by id, those that follow `after`."""
    documents: list[StoreDocument] = []
    size = 0
    with _moment(connection):
        rows = connection.execute(
            f"SELECT id, language, digest, body FROM document WHERE store = {_NUMBER} AND id > ? ORDER BY id LIMIT ?",
            (store, after, limit + 1),
        )
        for row in rows:
            size += len(row[3])
            if documents and (size > MOST_BYTES or len(documents) == limit):
                return DocumentPage(tuple(documents), documents[-1].id)
            documents.append(read_row(*row))
    return DocumentPage(tuple(documents), "")


def digests(connection: sqlite3.Connection, store: str, ids: Sequence[str]) -> dict[str, str]:
    """Digests of those documents that there are, by id."""
    found: dict[str, str] = {}
    with _moment(connection):
        for some in in_parts(ids):
            rows = connection.execute(
                f"SELECT id, digest FROM document WHERE store = {_NUMBER} AND id IN ({placeholders(some)})",
                (store, *some),
            )
            found.update(rows.fetchall())
    return found


def mark(connection: sqlite3.Connection, store: str) -> ChangeMark | None:
    """The last change of a store."""
    rows = connection.execute("SELECT incarnation, sequence, floor FROM store WHERE name = ?", (store,)).fetchall()
    return ChangeMark(*rows[0]) if rows else None


def changes(connection: sqlite3.Connection, store: str, after: int, limit: int) -> Sequence[DocumentChange]:
    """Changes after that number, oldest first. Raises `ChangesForgotten`."""
    found: list[DocumentChange] = []
    size = 0
    with _moment(connection):
        stores = connection.execute("SELECT number, floor FROM store WHERE name = ?", (store,)).fetchall()
        if not stores:
            return ()
        ((number, floor),) = stores
        if 0 < after < floor:
            raise ChangesForgotten(store, after, floor)
        for sequence, id, language, digest, body in _told(connection, number, after, limit):
            size += 0 if body is None else len(body)
            if len(found) == limit or (found and size > MOST_BYTES):
                break
            document = None if body is None else read_row(id, language, digest, body)
            found.append(DocumentChange(sequence, id, document))
    return found


def stores(connection: sqlite3.Connection) -> Sequence[str]:
    """Names of all stores."""
    return [name for (name,) in connection.execute("SELECT name FROM store ORDER BY name").fetchall()]


def statistics(connection: sqlite3.Connection, store: str) -> StoreStatistics:
    """How much a store holds."""
    with _moment(connection):
        held = connection.execute("SELECT documents, passages, bytes FROM store WHERE name = ?", (store,)).fetchall()
        languages = connection.execute(
            f"SELECT name, documents FROM language WHERE store = {_NUMBER}", (store,)
        ).fetchall()
    documents, passages, size = held[0] if held else (0, 0, 0)
    return statistics_of(documents, passages, size, languages)


def _told(
    connection: sqlite3.Connection, number: int, after: int, limit: int
) -> Iterator[tuple[int, str, str, str, bytes | None]]:
    """Rows of documents and tombstones together, read one after the other as they are asked for."""
    where = "WHERE store = ? AND sequence > ? ORDER BY sequence LIMIT ?"
    documents = connection.execute(
        f"SELECT sequence, id, language, digest, body FROM document {where}", (number, after, limit)
    )
    tombstones = connection.execute(f"SELECT sequence, id, '', '', NULL FROM tombstone {where}", (number, after, limit))
    return merge(documents, tombstones, key=itemgetter(0))


@contextmanager
def _moment(connection: sqlite3.Connection) -> Generator[None]:
    """Everything that is read within is as it was at one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
