"""A look at the database, for who wants to know whether a server could run on it."""

from typing import LiteralString

from psycopg import AsyncConnection, Error

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.database_address import DatabaseAddress
from openplaybook.storage.postgres.link_pool import connect, rows
from openplaybook.storage.postgres.migrations import MIGRATIONS, version
from openplaybook.storage.postgres.sqlstates import translate

_FACTS: LiteralString = """
    SELECT current_setting('server_version'), current_setting('fsync') = 'on',
           has_database_privilege(current_database(), 'CREATE')
"""


async def examine(address: DatabaseAddress) -> str:
    """What is there, in words; nothing is changed. Raises `StoreUnusable` for what a server cannot run on."""
    try:
        async with await connect(address) as connection:
            return await _examine(connection, address.place)
    except Error as error:
        raise translate(error, address.place) from None


async def _examine(connection: AsyncConnection, place: str) -> str:
    found = await version(connection, place, len(MIGRATIONS))
    ((server, is_durable, may_create),) = await rows(connection, _FACTS)
    if not is_durable:
        raise StoreUnusable(f"{place}: fsync is off there, so a power cut may lose or damage everything; set it to on")
    if found is None and not may_create:
        raise StoreUnusable(
            f"{place}: the user may not create the schema openplaybook; GRANT CREATE ON DATABASE … TO …, "
            "or CREATE SCHEMA openplaybook AUTHORIZATION …"
        )
    schema = "no tables yet" if found is None else f"schema {found}"
    return f"{place}, PostgreSQL {server.split()[0]}, {schema}"
