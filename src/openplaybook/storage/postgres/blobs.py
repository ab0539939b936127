"""Bytes under keys."""

from collections.abc import Sequence
from typing import LiteralString

from openplaybook.storage.base import BlobFacts
from openplaybook.storage.postgres.statements import NOW, Sql

_WITH_PREFIX: LiteralString = "key >= $1::text AND key < $1::text || chr(1114111)"
"""A range of the index that ends with the last of all characters, which no key has."""

_PUT: LiteralString = f"""
    INSERT INTO openplaybook.blob (key, put_us, data) VALUES ($2, {NOW}, $3)
    ON CONFLICT (key) DO UPDATE SET put_us = excluded.put_us, data = excluded.data RETURNING position
"""
_FACTS: LiteralString = f"""
    SELECT key, length(data), put_us FROM openplaybook.blob WHERE {_WITH_PREFIX} ORDER BY position
"""
_DELETE: LiteralString = f"""
    DELETE FROM openplaybook.blob WHERE {_WITH_PREFIX} AND ($2::bigint IS NULL OR put_us < $2::bigint)
    RETURNING position
"""


async def put(sql: Sql, key: str, data: bytes, clock_us: int | None) -> None:
    """Store or replace the bytes of a key."""
    await sql.rows(_PUT, clock_us, key, data)


async def get(sql: Sql, key: str) -> bytes | None:
    """The bytes of a key."""
    rows = await sql.rows("SELECT data FROM openplaybook.blob WHERE key = $1", key)
    return rows[0][0] if rows else None


async def facts(sql: Sql, prefix: str) -> Sequence[BlobFacts]:
    """Facts of the blobs whose key begins with `prefix`, in the order in which keys were first put."""
    return [BlobFacts(*row) for row in await sql.rows(_FACTS, prefix)]


async def delete(sql: Sql, prefix: str, before_us: int | None = None) -> None:
    """Delete the blobs whose key begins with `prefix`, or those of them that were put last before then."""
    await sql.rows(_DELETE, prefix, before_us)
