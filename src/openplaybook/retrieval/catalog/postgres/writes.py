"""Writes to the catalog's tables, each inside a transaction of the caller's.

Whoever writes to a store locks its row first, so that numbers of changes become visible in their order. The project's
row comes last, which all its stores share.
"""

from collections.abc import Iterator, Sequence
from typing import LiteralString, NamedTuple
from uuid import uuid4

from openplaybook.retrieval.catalog.base import CatalogQuota, ChangeMark
from openplaybook.retrieval.catalog.document_rows import DocumentRow
from openplaybook.retrieval.catalog.postgres.tables import LIFE
from openplaybook.retrieval.catalog.quotas import CountedRow, HoldingsChange, check_quota, project_of
from openplaybook.storage.postgres.statements import Sql

_FOUND: LiteralString = f"""
    SELECT number, {LIFE}, sequence, floor, tombstones FROM openplaybook.catalog_store WHERE name = $1 FOR UPDATE
"""
_ONE_AT_A_TIME: LiteralString = "SELECT pg_advisory_xact_lock(1330664276, 1)"
"""Stores begin and are dropped one after the other, so that a number which `catalog_counter` gives is never too low.
The number is "OPST", as that of the lock of `tables`, which has one key and not two: so they are different locks."""
_BEGIN: LiteralString = """
    INSERT INTO openplaybook.catalog_store (name, incarnation, sequence, floor)
    SELECT $1::bytea, $2::text, first, first FROM openplaybook.catalog_counter ON CONFLICT (name) DO NOTHING
"""
_COUNTED: LiteralString = """
    SELECT id, passages, octet_length(body), language FROM openplaybook.catalog_document
    WHERE store = $1 AND id = ANY($2::bytea[])
"""
_PUT: LiteralString = """
    INSERT INTO openplaybook.catalog_document (store, sequence, passages, id, language, digest, body)
    SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])
    ON CONFLICT (store, id) DO UPDATE SET sequence = excluded.sequence, passages = excluded.passages,
        language = excluded.language, digest = excluded.digest, body = excluded.body
"""
_RAISED: LiteralString = """
    DELETE FROM openplaybook.catalog_tombstone WHERE store = $1 AND id = ANY($2::bytea[]) RETURNING sequence
"""
_DELETE: LiteralString = """
    DELETE FROM openplaybook.catalog_document WHERE store = $1 AND id = ANY($2::bytea[])
    RETURNING id, passages, octet_length(body), language
"""
_BURY: LiteralString = """
    INSERT INTO openplaybook.catalog_tombstone (store, sequence, id)
    SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bytea[])
"""
_KEEP_COUNT: LiteralString = """
    UPDATE openplaybook.catalog_store
    SET sequence = $2::bigint, documents = documents + $3::bigint, passages = passages + $4::bigint,
        bytes = bytes + $5::bigint, tombstones = tombstones + $6::bigint
    WHERE number = $1 RETURNING documents, tombstones
"""
_LANGUAGES: LiteralString = """
    INSERT INTO openplaybook.catalog_language AS known (store, name, documents)
    SELECT $1::bigint, * FROM unnest($2::bytea[], $3::bigint[])
    ON CONFLICT (store, name) DO UPDATE SET documents = known.documents + excluded.documents
"""
_PROJECT: LiteralString = """
    INSERT INTO openplaybook.catalog_project AS known (name, documents, bytes) VALUES ($1, $2::bigint, $3::bigint)
    ON CONFLICT (name) DO UPDATE SET documents = known.documents + excluded.documents,
        bytes = known.bytes + excluded.bytes
    RETURNING documents, bytes
"""
_FLOOR: LiteralString = """
    SELECT sequence FROM openplaybook.catalog_tombstone WHERE store = $1 ORDER BY sequence LIMIT 1 OFFSET $2::bigint
"""
_FORGET: LiteralString = """
    DELETE FROM openplaybook.catalog_tombstone WHERE store = $1 AND sequence <= $2::bigint RETURNING sequence
"""
_RAISE_FLOOR: LiteralString = """
    UPDATE openplaybook.catalog_store SET floor = $2::bigint, tombstones = tombstones - $3::bigint WHERE number = $1
"""
_DROP: LiteralString = """
    DELETE FROM openplaybook.catalog_store WHERE name = $1 RETURNING number, sequence, documents, bytes
"""
_COUNT_ON: LiteralString = "UPDATE openplaybook.catalog_counter SET first = greatest(first, $1::bigint)"
_LEAVE: LiteralString = "INSERT INTO openplaybook.catalog_dropped (store) VALUES ($1)"
_DROPPED: LiteralString = "SELECT store FROM openplaybook.catalog_dropped LIMIT 1 FOR UPDATE"
_SWEEP: LiteralString = """
    WITH next AS (SELECT id FROM openplaybook.catalog_document WHERE store = $1 LIMIT 2000)
    DELETE FROM openplaybook.catalog_document WHERE store = $1 AND id IN (SELECT id FROM next) RETURNING 1
"""

_BYTES = 8 << 20
"""Of bodies in one statement; at least one document is."""
_ROWS = 2000


class LockedStore(NamedTuple):
    """What a write has to know of its store, which nobody else writes to now."""

    number: int
    incarnation: str
    sequence: int
    floor: int
    tombstones: int


async def put(sql: Sql, store: str, rows: Sequence[DocumentRow], quota: CatalogQuota, cluster: str) -> ChangeMark:
    """Add or replace documents of different ids; the mark behind them, in a cluster as `cluster_of` gives it. Raises
    `QuotaExceeded`."""
    found = await _found(sql, store, cluster) or await _begun(sql, store, cluster)
    ids = [row.id.encode() for row in rows]
    change = HoldingsChange()
    change.remove([_counted(row) for row in await sql.rows(_COUNTED, found.number, ids)])
    change.add(rows)
    last = found.sequence
    for some in _in_parts(rows):
        await sql.rows(
            _PUT,
            found.number,
            [*range(last + 1, last + 1 + len(some))],
            [row.passages for row in some],
            [row.id.encode() for row in some],
            [row.language.encode() for row in some],
            [row.digest.encode() for row in some],
            [row.body for row in some],
        )
        last += len(some)
    raised = len(await sql.rows(_RAISED, found.number, ids)) if found.tombstones else 0
    await _keep_count(sql, store, found.number, last, -raised, change, quota)
    return ChangeMark(found.incarnation, last, found.floor)


async def delete(sql: Sql, store: str, ids: Sequence[str], most_tombstones: int) -> int:
    """Take documents away, and keep no more tombstones than so many, or than there are documents; how many went."""
    found = await _found(sql, store)
    if found is None:
        return 0
    gone = [_counted(row) for row in await sql.rows(_DELETE, found.number, [id.encode() for id in ids])]
    if not gone:
        return 0
    change = HoldingsChange()
    change.remove(gone)
    last = found.sequence + len(gone)
    await sql.rows(_BURY, found.number, [*range(found.sequence + 1, last + 1)], [row.id.encode() for row in gone])
    documents, tombstones = await _keep_count(sql, store, found.number, last, len(gone), change, CatalogQuota())
    if tombstones > max(most_tombstones, documents):
        await _forget_half(sql, found.number, tombstones)
    return len(gone)


async def drop(sql: Sql, store: str) -> bool:
    """Make a store disappear, of which `sweep` deletes the rows; False where there is none."""
    await sql.rows(_ONE_AT_A_TIME)
    rows = await sql.rows(_DROP, store.encode())
    for number, sequence, documents, size in rows:
        await sql.rows(_COUNT_ON, sequence + 1)
        await sql.rows(_LEAVE, number)
        await sql.rows(_PROJECT, project_of(store).encode(), -documents, -size)
    return bool(rows)


async def sweep(sql: Sql) -> bool:
    """Delete some rows of a dropped store; whether there may be more."""
    rows = await sql.rows(_DROPPED)
    for (number,) in rows:
        if not await sql.rows(_SWEEP, number):
            await sql.rows("DELETE FROM openplaybook.catalog_tombstone WHERE store = $1", number)
            await sql.rows("DELETE FROM openplaybook.catalog_language WHERE store = $1", number)
            await sql.rows("DELETE FROM openplaybook.catalog_dropped WHERE store = $1", number)
    return bool(rows)


async def _found(sql: Sql, store: str, cluster: str = "") -> LockedStore | None:
    rows = await sql.rows(_FOUND, store.encode(), cluster)
    return LockedStore(*rows[0]) if rows else None


async def _begun(sql: Sql, store: str, cluster: str) -> LockedStore:
    await sql.rows(_ONE_AT_A_TIME)
    await sql.rows(_BEGIN, store.encode(), uuid4().hex)
    found = await _found(sql, store, cluster)
    assert found is not None, "nobody drops a store meanwhile"
    return found


async def _keep_count(
    sql: Sql, store: str, number: int, last: int, tombstones: int, change: HoldingsChange, quota: CatalogQuota
) -> tuple[int, int]:
    """Write down what a store holds by now; its documents and tombstones. Raises `QuotaExceeded`."""
    counts = change.documents, change.passages, change.bytes
    ((documents, buried),) = await sql.rows(_KEEP_COUNT, number, last, *counts, tombstones)
    languages = [(language.encode(), count) for language, count in sorted(change.languages.items()) if count]
    if languages:
        await sql.rows(_LANGUAGES, number, [name for name, _ in languages], [count for _, count in languages])
    project = project_of(store)
    ((total, size),) = await sql.rows(_PROJECT, project.encode(), change.documents, change.bytes)
    check_quota(quota, project, change, total, size)
    return documents, buried


async def _forget_half(sql: Sql, number: int, tombstones: int) -> None:
    """Keep the newer half of the tombstones; who has not seen the others begins anew."""
    ((floor,),) = await sql.rows(_FLOOR, number, tombstones // 2)
    gone = await sql.rows(_FORGET, number, floor)
    await sql.rows(_RAISE_FLOOR, number, floor, len(gone))


def _counted(row: tuple[bytes, int, int, bytes]) -> CountedRow:
    id, passages, size, language = row
    return CountedRow(id.decode(), passages, size, language.decode())


def _in_parts(rows: Sequence[DocumentRow]) -> Iterator[Sequence[DocumentRow]]:
    """Rows, as many at a time as one statement takes."""
    part: list[DocumentRow] = []
    size = 0
    for row in rows:
        if part and (size + len(row.body) > _BYTES or len(part) == _ROWS):
            yield part
            part, size = [], 0
        part.append(row)
        size += len(row.body)
    if part:
        yield part
