"""Reads of the catalog's tables. Those of many documents stop where these become large."""

from collections.abc import Sequence
from typing import LiteralString, TypeAlias

from openplaybook.retrieval.base import StoreStatistics
from openplaybook.retrieval.catalog.base import MOST_BYTES, ChangeMark
from openplaybook.retrieval.catalog.postgres.tables import LIFE
from openplaybook.retrieval.catalog.quotas import statistics_of
from openplaybook.retrieval.errors import ChangesForgotten
from openplaybook.storage.postgres.statements import Sql

FoundRow: TypeAlias = tuple[bytes, bytes, bytes, bytes]
"""Id, language, digest and body."""

_NUMBER: LiteralString = "(SELECT number FROM openplaybook.catalog_store WHERE name = $1)"
_GET: LiteralString = f"""
    SELECT id, language, digest, body FROM openplaybook.catalog_document
    WHERE store = {_NUMBER} AND id = ANY($2::bytea[])
"""
_DIGESTS: LiteralString = f"""
    SELECT id, digest FROM openplaybook.catalog_document WHERE store = {_NUMBER} AND id = ANY($2::bytea[])
"""
# Sizes are known without the bodies, which are fetched only for those that are given.
_PAGE: LiteralString = f"""
    SELECT id, language, digest, body, found FROM (
        SELECT *, count(*) OVER () AS found, row_number() OVER (ORDER BY id) AS place,
               sum(octet_length(body)) OVER (ORDER BY id) AS size
        FROM (
            SELECT id, language, digest, body FROM openplaybook.catalog_document
            WHERE store = {_NUMBER} AND id > $2 ORDER BY id LIMIT $3::bigint + 1
        ) AS next
    ) AS counted
    WHERE place <= $3::bigint AND (place = 1 OR size <= $4::bigint) ORDER BY id
"""
_CHANGES: LiteralString = """
    SELECT sequence, id, language, digest, body FROM (
        SELECT *, row_number() OVER (ORDER BY sequence) AS place,
               sum(coalesce(octet_length(body), 0)) OVER (ORDER BY sequence) AS size
        FROM (
            (
                SELECT sequence, id, language, digest, body FROM openplaybook.catalog_document
                WHERE store = $1 AND sequence > $2::bigint ORDER BY sequence LIMIT $3::bigint
            )
            UNION ALL
            (
                SELECT sequence, id, ''::bytea, ''::bytea, NULL FROM openplaybook.catalog_tombstone
                WHERE store = $1 AND sequence > $2::bigint ORDER BY sequence LIMIT $3::bigint
            )
            ORDER BY sequence LIMIT $3::bigint
        ) AS next
    ) AS counted
    WHERE place = 1 OR size <= $4::bigint ORDER BY sequence
"""
_MARK: LiteralString = f"SELECT {LIFE}, sequence, floor FROM openplaybook.catalog_store WHERE name = $1"
_STORE: LiteralString = "SELECT number FROM openplaybook.catalog_store WHERE name = $1"
_FLOOR: LiteralString = "SELECT floor FROM openplaybook.catalog_store WHERE number = $1"
_STATISTICS: LiteralString = """
    SELECT store.documents, store.passages, store.bytes, coalesce(language.name, ''), coalesce(language.documents, 0)
    FROM openplaybook.catalog_store AS store
    LEFT JOIN openplaybook.catalog_language AS language ON language.store = store.number WHERE store.name = $1
"""


async def get(sql: Sql, store: str, ids: Sequence[str]) -> Sequence[FoundRow]:
    """Rows of those documents that there are."""
    return await sql.rows(_GET, store.encode(), [id.encode() for id in ids])


async def page(sql: Sql, store: str, after: str, limit: int) -> tuple[Sequence[FoundRow], str]:
    """Rows of documents by id, those that follow `after`, and the id to go on after."""
    found = await sql.rows(_PAGE, store.encode(), after.encode(), limit, MOST_BYTES)
    rows = [(id, language, digest, body) for id, language, digest, body, _ in found]
    return rows, rows[-1][0].decode() if rows and found[0][4] > len(rows) else ""


async def digests(sql: Sql, store: str, ids: Sequence[str]) -> dict[str, str]:
    """Digests of those documents that there are, by id."""
    found = await sql.rows(_DIGESTS, store.encode(), [id.encode() for id in ids])
    return {id.decode(): digest.decode() for id, digest in found}


async def mark(sql: Sql, store: str, cluster: str) -> ChangeMark | None:
    """The last change of a store; `cluster` as `cluster_of` gives it."""
    rows = await sql.rows(_MARK, store.encode(), cluster)
    return ChangeMark(*rows[0]) if rows else None


async def changes(
    sql: Sql, store: str, after: int, limit: int
) -> Sequence[tuple[int, bytes, bytes, bytes, bytes | None]]:
    """Numbers and rows of changes after that number, oldest first. Raises `ChangesForgotten`."""
    for (number,) in await sql.rows(_STORE, store.encode()):
        rows = await sql.rows(_CHANGES, number, after, limit, MOST_BYTES)
        # Asked afterwards: what is known by now was known then. A store that was dropped meanwhile has none.
        for (floor,) in await sql.rows(_FLOOR, number):
            if 0 < after < floor:
                raise ChangesForgotten(store, after, floor)
            return rows
    return ()


async def stores(sql: Sql) -> Sequence[str]:
    """Names of all stores."""
    rows = await sql.rows("SELECT name FROM openplaybook.catalog_store ORDER BY name")
    return [name.decode() for (name,) in rows]


async def statistics(sql: Sql, store: str) -> StoreStatistics:
    """How much a store holds."""
    rows = await sql.rows(_STATISTICS, store.encode())
    documents, passages, size = rows[0][:3] if rows else (0, 0, 0)
    return statistics_of(documents, passages, size, [(name.decode(), count) for *_, name, count in rows])
