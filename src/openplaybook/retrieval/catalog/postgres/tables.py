"""The catalog's tables: in the server's schema, beside its own, with a number of migrations of their own."""

from collections.abc import Sequence
from typing import LiteralString

from psycopg import AsyncConnection
from psycopg.errors import FeatureNotSupported, InsufficientPrivilege, LockNotAvailable, UndefinedFunction

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.link_pool import rows

_LOCK = 0x4F505354
"""Key of the advisory lock under which tables are made ("OPST")."""

_WAIT: LiteralString = "SET LOCAL lock_timeout = '60s'"
"""How long another server may take to make them."""

# Not `to_regclass`, which remembers that there was no such table, whoever has made it since.
_VERSION_TABLE: LiteralString = """
    SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('openplaybook') AND relname = 'catalog_version'
"""

# The first eight digits of a file of the log are its timeline, a new one after each recovery and each failover.
_CLUSTER: LiteralString = """
    SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system()
"""

LIFE: LiteralString = "incarnation || '/' || tableoid || '/' || $2"
"""Of a store, the incarnation that whoever follows it is told; `$2` is what `cluster_of` gives.

Tables that were restored from a dump are others, or in another cluster, and a cluster that was recovered to a point in
time is on another timeline: what followed a later state of them, such as an index, must begin anew.
"""

MIGRATIONS: Sequence[Sequence[LiteralString]] = (
    (
        # Names, ids and digests are bytes: any text can be in them, and they are ordered by UTF-8.
        "CREATE TABLE openplaybook.catalog_counter (first bigint NOT NULL)",
        "INSERT INTO openplaybook.catalog_counter VALUES (0)",
        # The fill factors leave room for what every write changes, so that no index is touched (heap-only tuples).
        """
        CREATE TABLE openplaybook.catalog_project (
            name bytea PRIMARY KEY, documents bigint NOT NULL, bytes bigint NOT NULL
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE openplaybook.catalog_store (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name bytea NOT NULL UNIQUE,
            incarnation text NOT NULL,
            sequence bigint NOT NULL,
            floor bigint NOT NULL,
            documents bigint NOT NULL DEFAULT 0,
            passages bigint NOT NULL DEFAULT 0,
            bytes bigint NOT NULL DEFAULT 0,
            tombstones bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE openplaybook.catalog_language (
            store bigint NOT NULL, name bytea NOT NULL, documents bigint NOT NULL, PRIMARY KEY (store, name)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE openplaybook.catalog_document (
            store bigint NOT NULL,
            sequence bigint NOT NULL,
            passages bigint NOT NULL,
            id bytea NOT NULL,
            language bytea NOT NULL,
            digest bytea NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (store, id)
        )
        """,
        # They are deflated where that saves anything.
        "ALTER TABLE openplaybook.catalog_document ALTER COLUMN body SET STORAGE EXTERNAL",
        "CREATE INDEX catalog_document_by_change ON openplaybook.catalog_document (store, sequence)",
        """
        CREATE TABLE openplaybook.catalog_tombstone (
            store bigint NOT NULL, sequence bigint NOT NULL, id bytea NOT NULL, PRIMARY KEY (store, id)
        )
        """,
        "CREATE INDEX catalog_tombstone_by_change ON openplaybook.catalog_tombstone (store, sequence)",
        "CREATE TABLE openplaybook.catalog_dropped (store bigint PRIMARY KEY)",
    ),
)
"""Each entry is applied once and never edited after a release; a change is one more entry. Servers of the version
before must be able to go on beside it, since they are exchanged one after another."""


async def prepare(connection: AsyncConnection, place: str) -> None:
    """Check the tables and apply the migrations they have not had, in a database whose schema is there.

    Raises `StoreUnusable`, and `psycopg.Error` for what the server refuses.
    """
    if await _version(connection, place) == len(MIGRATIONS):
        return
    try:
        async with connection.transaction():
            await connection.execute(_WAIT)
            await connection.execute("SELECT pg_advisory_xact_lock($1)", (_LOCK,))
            # Read under the lock: another server may have migrated while this one waited for it.
            done = await _version(connection, place)
            if done is None:
                await connection.execute("CREATE TABLE openplaybook.catalog_version (number bigint NOT NULL)")
                await connection.execute("INSERT INTO openplaybook.catalog_version VALUES (0)")
            for migration in MIGRATIONS[done or 0 :]:
                for statement in migration:
                    await connection.execute(statement)
            await connection.execute("UPDATE openplaybook.catalog_version SET number = $1", (len(MIGRATIONS),))
    except LockNotAvailable as error:
        raise StoreUnusable(f"{place}: another server has been changing the tables for 60 s; try again") from error


async def cluster_of(connection: AsyncConnection) -> str:
    """What tells the cluster of databases and its timeline from all others; raises `psycopg.Error`."""
    try:
        ((found,),) = await rows(connection, _CLUSTER)
    except (InsufficientPrivilege, FeatureNotSupported, UndefinedFunction):
        # Some services keep it to themselves. The tables still tell a restoration within a cluster.
        return ""
    return str(found)


async def _version(connection: AsyncConnection, place: str) -> int | None:
    """How many migrations the tables have had; None where there are none."""
    if not await rows(connection, _VERSION_TABLE):
        return None
    ((number,),) = await rows(connection, "SELECT number FROM openplaybook.catalog_version")
    if number > len(MIGRATIONS):
        raise StoreUnusable(
            f"{place}: the documents of data stores were written by a newer version of OpenPlaybook (schema {number}, "
            f"this version knows {len(MIGRATIONS)}); run that version or use another database"
        )
    return number
