"""Makes the connection of a database from the settings: which family, which address, which credential."""

import asyncio

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.database_sessions import DatabaseSessions
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.databases.sqlite import SqliteDatabase

_RESOLVE_S = 10.0


def opened_connection(
    settings: ConnectionSettings, access: SystemAccess, loop: asyncio.AbstractEventLoop
) -> SqlConnection:
    """The connection; the resolver is asked on the loop. Raises `InvalidConnection`, `DriverAbsent`."""
    database = _sqlite(settings, access)
    return SqlConnection(settings, database, DatabaseSessions(database, lambda: ()))


def _sqlite(settings: ConnectionSettings, access: SystemAccess) -> Database:
    name = settings.text("database")
    if name not in access.files:
        raise InvalidConnection(
            "configVariables.database",
            f"{name!r} is no file that the operator lists; there are: {', '.join(sorted(access.files)) or 'none'}",
        )
    return SqliteDatabase(name, access.files[name], is_read_only=settings.is_read_only)
