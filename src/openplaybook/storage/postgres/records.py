"""Resources, their unique keys and the revisions of their roots."""

from collections import Counter
from collections.abc import Sequence
from typing import LiteralString, NamedTuple

from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch
from openplaybook.storage.postgres import session_deletion
from openplaybook.storage.postgres.statements import NOW, Sql

_COLUMNS: LiteralString = "name, kind, parent, root, body, version, position, created_us, updated_us"
_RECORD: LiteralString = f"SELECT {_COLUMNS} FROM openplaybook.record"
_GET: LiteralString = f"{_RECORD} WHERE name = $1"
_LIST: LiteralString = f"""
    {_RECORD} WHERE parent = $1 AND kind = $2 AND position > $3::bigint ORDER BY position LIMIT $4::bigint
"""
_SCAN: LiteralString = f"{_RECORD} WHERE root = $1 ORDER BY position"
_SCAN_KINDS: LiteralString = f"{_RECORD} WHERE root = $1 AND kind = ANY($2::text[]) ORDER BY position"
_UNTOUCHED: LiteralString = """
    SELECT name FROM openplaybook.record WHERE parent = $1 AND kind = $2 AND updated_us < $3::bigint
    ORDER BY position LIMIT $4::bigint
"""
_BEFORE: LiteralString = "SELECT version, root FROM openplaybook.record WHERE name = $1"
"""What stands in a record's place before it is written; never its body, which may be large."""
_BENEATH: LiteralString = "name >= $1::text || '/' AND name < $1::text || '0'"
"""Names that start with `name/`, as a range of the index: "0" is the character after "/"."""

_TAKEN: LiteralString = """
    SELECT name FROM openplaybook.record WHERE parent = $1 AND kind = $2 AND unique_key = $3 AND name <> $4
"""
_INSERT: LiteralString = f"""
    INSERT INTO openplaybook.record (name, kind, parent, root, unique_key, body, version, created_us, updated_us)
    VALUES ($2, $3, $4, $5, $6, $7, 1, {NOW}, {NOW}) RETURNING {_COLUMNS}
"""
_REPLACE: LiteralString = f"""
    UPDATE openplaybook.record
    SET kind = $3, parent = $4, root = $5, unique_key = $6, body = $7, version = version + 1, updated_us = {NOW}
    WHERE name = $2 RETURNING {_COLUMNS}
"""
_DELETE: LiteralString = "DELETE FROM openplaybook.record WHERE name = $1 RETURNING name, root"
_DELETE_TREE: LiteralString = f"""
    DELETE FROM openplaybook.record WHERE name = $1::text OR ({_BENEATH}) RETURNING name, root
"""
_ADVANCE: LiteralString = """
    INSERT INTO openplaybook.revision (root, number) VALUES ($1, $2::bigint)
    ON CONFLICT (root) DO UPDATE SET number = revision.number + excluded.number RETURNING number
"""
_ONE_AT_A_TIME: LiteralString = "SELECT pg_advisory_xact_lock(1330662466, 1)"
"""Writes to resources are rare. One after another, they need no care for each other, and positions grow in the order
in which writes are seen, on which the cursor of a list relies."""


async def get(sql: Sql, name: str) -> Record | None:
    """The record of that name."""
    rows = await sql.rows(_GET, name)
    return Record(*rows[0]) if rows else None


async def list_children(sql: Sql, parent: str, kind: str, after: int, limit: int) -> Sequence[Record]:
    """At most `limit` records of a kind directly under `parent`, those past position `after`."""
    return [Record(*row) for row in await sql.rows(_LIST, parent, kind, after, limit)]


async def scan(sql: Sql, root: str, kinds: Sequence[str]) -> Sequence[Record]:
    """Every record of a root, or those of some kinds, in order of insertion."""
    rows = await (sql.rows(_SCAN_KINDS, root, list(kinds)) if kinds else sql.rows(_SCAN, root))
    return [Record(*row) for row in rows]


async def untouched(sql: Sql, parent: str, kind: str, before_us: int, limit: int) -> Sequence[str]:
    """Names of records of a kind directly under `parent` that were written last before then."""
    return [name for (name,) in await sql.rows(_UNTOUCHED, parent, kind, before_us, limit)]


async def revision(sql: Sql, root: str) -> int:
    """Number of writes under a root."""
    rows = await sql.rows("SELECT number FROM openplaybook.revision WHERE root = $1", root)
    return rows[0][0] if rows else 0


async def apply(sql: Sql, changes: Sequence[Change], clock_us: int | None) -> Sequence[Record]:
    """Make the changes in order, inside a transaction of the caller's; the record of each `Put`.

    Raises `RecordExists`, `RecordNotFound`, `VersionMismatch`; the caller then rolls back.
    """
    await sql.rows(_ONE_AT_A_TIME)
    stored: list[Record] = []
    written: Counter[str] = Counter()
    for change in changes:
        if isinstance(change, Put):
            stored.append(await _put(sql, change, written, clock_us))
        else:
            await _delete(sql, change, written)
    for root, count in written.items():
        await sql.rows(_ADVANCE, root, count)
    return stored


class _Before(NamedTuple):
    version: int
    root: str


async def _before(sql: Sql, name: str) -> _Before | None:
    rows = await sql.rows(_BEFORE, name)
    return _Before(*rows[0]) if rows else None


async def _put(sql: Sql, put: Put, written: Counter[str], clock_us: int | None) -> Record:
    before = await _before(sql, put.name)
    put.check(None if before is None else before.version)
    await _check_unique_key(sql, put)
    write = _INSERT if before is None else _REPLACE
    values = (put.name, put.kind, put.parent, put.root, _bytes(put.unique_key), put.body)
    (after,) = await sql.rows(write, clock_us, *values)
    if before is not None and before.root != put.root:
        written[before.root] += 1
    written[put.root] += 1
    return Record(*after)


async def _check_unique_key(sql: Sql, put: Put) -> None:
    if put.unique_key is None:
        return
    rows = await sql.rows(_TAKEN, put.parent, put.kind, _bytes(put.unique_key), put.name)
    if rows:
        raise RecordExists(rows[0][0], put.unique_key)


async def _delete(sql: Sql, delete: Delete, written: Counter[str]) -> None:
    before = await _before(sql, delete.name)
    if before is None:
        raise RecordNotFound(delete.name)
    if delete.expect is not None and delete.expect != before.version:
        raise VersionMismatch(delete.name, before.version)
    for name, root in await sql.rows(_DELETE_TREE if delete.tree else _DELETE, delete.name):
        written[root] += 1
        if name == root:
            await session_deletion.sessions_of(sql, root)


def _bytes(key: str | None) -> bytes | None:
    return None if key is None else key.encode()
