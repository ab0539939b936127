"""The tables, as numbered migrations, in a schema of our own so that a database may be shared with other programs."""

from collections.abc import Sequence
from typing import LiteralString

from psycopg import AsyncConnection, sql
from psycopg.errors import LockNotAvailable

from openplaybook.storage.errors import StoreUnusable

OLDEST_SERVER = 130000
"""PostgreSQL 13 (`pg_current_xact_id`), as `server_version` counts."""

_LOCK = 0x4F504C42
"""Key of the advisory lock under which tables are made ("OPLB")."""

_WAIT_S = 60
"""How long another server may take to make them."""

MIGRATIONS: Sequence[Sequence[LiteralString]] = (
    (
        # "C": names are ordered by their bytes, which prefixes need, whatever the database's language is. A unique key
        # is what people write, and may hold a null character, which text may not.
        """
        CREATE TABLE openplaybook.record (
            position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE,
            kind text COLLATE "C" NOT NULL,
            parent text COLLATE "C" NOT NULL,
            root text COLLATE "C" NOT NULL,
            unique_key bytea,
            version bigint NOT NULL,
            created_us bigint NOT NULL,
            updated_us bigint NOT NULL,
            body bytea NOT NULL
        )
        """,
        "CREATE INDEX record_by_parent ON openplaybook.record (parent, kind, position)",
        "CREATE INDEX record_by_root ON openplaybook.record (root, position)",
        """
        CREATE UNIQUE INDEX record_unique_key ON openplaybook.record (parent, kind, unique_key)
        WHERE unique_key IS NOT NULL
        """,
        'CREATE TABLE openplaybook.revision (root text COLLATE "C" PRIMARY KEY, number bigint NOT NULL)',
        # A fill factor leaves room in each page for what a turn changes in its rows, so that no index is touched
        # (heap-only tuples). `expires_hour` is indexed for the same reason: it changes seldom, `expires_us` always.
        """
        CREATE TABLE openplaybook.session (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE,
            root text COLLATE "C" NOT NULL,
            life bigint NOT NULL,
            turns bigint NOT NULL,
            fence bigint NOT NULL,
            expires_us bigint NOT NULL,
            expires_hour bigint NOT NULL,
            state bytea
        ) WITH (fillfactor = 70)
        """,
        "CREATE INDEX session_by_root ON openplaybook.session (root, id)",
        "CREATE INDEX session_by_end ON openplaybook.session (expires_hour)",
        # No foreign keys: checking one costs as much as the row itself. `session_deletion` keeps the rules instead.
        # `steps` counts the turn's rows; a write says how many it expects, so that it is never made twice.
        """
        CREATE TABLE openplaybook.turn (
            session bigint NOT NULL,
            number bigint NOT NULL,
            life bigint NOT NULL,
            turn_id text COLLATE "C" NOT NULL,
            request_key text COLLATE "C",
            fingerprint text COLLATE "C" NOT NULL,
            state text COLLATE "C" NOT NULL,
            owner text COLLATE "C" NOT NULL,
            fence bigint NOT NULL,
            lease_until_us bigint NOT NULL,
            steps bigint NOT NULL,
            delivered boolean NOT NULL,
            began_us bigint NOT NULL,
            ended_us bigint,
            response bytea,
            PRIMARY KEY (session, number)
        ) WITH (fillfactor = 70)
        """,
        # A turn that ends without an answer loses its key, so the index needs no column that changes otherwise.
        """
        CREATE UNIQUE INDEX turn_by_request ON openplaybook.turn (session, life, request_key)
        WHERE request_key IS NOT NULL
        """,
        """
        CREATE TABLE openplaybook.step (
            session bigint NOT NULL,
            turn bigint NOT NULL,
            seq bigint NOT NULL,
            time_us bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            payload bytea NOT NULL,
            PRIMARY KEY (session, turn, seq)
        )
        """,
        """
        CREATE TABLE openplaybook.blob (
            position bigint GENERATED ALWAYS AS IDENTITY,
            key text COLLATE "C" PRIMARY KEY,
            put_us bigint NOT NULL,
            data bytea NOT NULL
        )
        """,
    ),
)
"""Each entry is applied once and never edited after a release; a change is one more entry. Servers of the version
before must be able to go on beside it, since they are exchanged one after another."""


async def prepare(
    connection: AsyncConnection, place: str, migrations: Sequence[Sequence[LiteralString]] = MIGRATIONS
) -> None:
    """Check the schema and apply the migrations it has not had; `place` names the database in messages.

    Raises `StoreUnusable`, and `psycopg.Error` for what the server refuses.
    """
    _check_server(connection, place)
    if await version(connection, place, len(migrations)) == len(migrations):
        return
    try:
        await _migrate(connection, place, migrations)
    except LockNotAvailable as error:
        raise StoreUnusable(
            f"{place}: another server has been changing the tables for {_WAIT_S} s; try again"
        ) from error


async def _migrate(connection: AsyncConnection, place: str, migrations: Sequence[Sequence[LiteralString]]) -> None:
    async with connection.transaction():
        await connection.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(_WAIT_S * 1000))
        await connection.execute("SELECT pg_advisory_xact_lock($1)", (_LOCK,))
        # Read under the lock: another server may have migrated while this one waited for it.
        done = await version(connection, place, len(migrations))
        if done is None:
            await _create_schema(connection)
            await connection.execute("CREATE TABLE openplaybook.schema_version (number bigint NOT NULL)")
            await connection.execute("INSERT INTO openplaybook.schema_version VALUES (0)")
        for migration in migrations[done or 0 :]:
            for statement in migration:
                await connection.execute(statement)
        await connection.execute("UPDATE openplaybook.schema_version SET number = $1", (len(migrations),))


async def _create_schema(connection: AsyncConnection) -> None:
    # Not "IF NOT EXISTS", which wants the right to create schemas even where an administrator has made this one.
    cursor = await connection.execute("SELECT to_regnamespace('openplaybook') IS NULL")
    if (await cursor.fetchall())[0][0]:
        await connection.execute("CREATE SCHEMA openplaybook")


async def version(connection: AsyncConnection, place: str, known: int) -> int | None:
    """How many migrations the schema has had; None where there are none of our tables. Raises `StoreUnusable`."""
    tables = await connection.execute(
        "SELECT count(*), count(*) FILTER (WHERE relname = 'schema_version') FROM pg_class"
        " WHERE relnamespace = to_regnamespace('openplaybook')"
    )
    rows = await tables.fetchall()
    count, ours = rows[0]
    if count and not ours:
        raise StoreUnusable(f"{place}: its schema openplaybook belongs to another program; use another database")
    if not ours:
        return None
    cursor = await connection.execute("SELECT number FROM openplaybook.schema_version")
    number = (await cursor.fetchall())[0][0]
    if number > known:
        raise StoreUnusable(
            f"{place}: written by a newer version of OpenPlaybook (schema {number}, this version knows {known}); "
            "run that version or use another database"
        )
    return number


def _check_server(connection: AsyncConnection, place: str) -> None:
    server_version = connection.info.server_version
    if server_version < OLDEST_SERVER:
        raise StoreUnusable(f"{place}: PostgreSQL {server_version // 10000} is too old; 13 or later is needed")
