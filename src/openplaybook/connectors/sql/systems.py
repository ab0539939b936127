"""The databases of the catalogue, and how a connection to one is opened."""

import asyncio
from collections.abc import Mapping

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import (
    AuthenticationKind,
    AuthenticationTemplate,
    ConfigTemplate,
    ConnectorDefinition,
    Engine,
    Evidence,
    SystemAccess,
    ValueType,
)
from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.settings import ConnectionSettings

SCHEMA = ConfigTemplate("schema", "Schema", "Where tables are looked for; empty for the user's own default.")
TABLES = ConfigTemplate("tables", "Tables", "The only tables and views there are, comma separated; empty for all.")
FUNCTIONS = ConfigTemplate(
    "functions",
    "Functions",
    "Functions of the database, comma separated, that custom queries may call besides SQL's own.",
)
READ_ONLY = ConfigTemplate("read_only", "Read only", "Whether nothing may be changed.", ValueType.BOOL, default="false")
WRITE_CAP = ConfigTemplate(
    "write_cap", "Write cap", "Rows that one write by condition may change.", ValueType.INT, default="50"
)
_LIMITS = (TABLES, FUNCTIONS, READ_ONLY, WRITE_CAP)

HOST = ConfigTemplate("host", "Host", "Name or address of the server, unless a destination says it.")
PORT = ConfigTemplate("port", "Port", "Of the server; the usual one where it is empty.", ValueType.INT)
DATABASE = ConfigTemplate("database", "Database", "Name of the database.", is_required=True)
USER = ConfigTemplate("user", "User", "The user whose password a session's token stands for.")
_ADDRESS = (HOST, PORT, DATABASE, USER, SCHEMA)
_PASSWORD = (
    AuthenticationTemplate(
        AuthenticationKind.USER_PASSWORD,
        "User and password",
        (
            ConfigTemplate("username", "User", is_required=False),
            ConfigTemplate("password", "Password", value_type=ValueType.SECRET),
        ),
    ),
)

POSTGRESQL = ConnectorDefinition(
    id="postgresql",
    title="PostgreSQL",
    engine=Engine.SQL,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="Tested with PostgreSQL 15.",
    authentications=_PASSWORD,
    config=(*_ADDRESS, *_LIMITS),
    description="A PostgreSQL database.",
    category="Databases",
    documentation="https://www.postgresql.org/docs/current/",
    default_port=5432,
    takes_queries=True,
    extra="postgres",
)

MARIADB = ConnectorDefinition(
    id="mariadb",
    title="MariaDB",
    engine=Engine.SQL,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="Tested with MariaDB 10.11.",
    authentications=_PASSWORD,
    config=(*_ADDRESS, *_LIMITS),
    description="A MariaDB database.",
    category="Databases",
    documentation="https://mariadb.com/kb/en/documentation/",
    default_port=3306,
    takes_queries=True,
)

SQLITE = ConnectorDefinition(
    id="sqlite",
    title="SQLite",
    engine=Engine.SQL,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="Tested with the SQLite of Python's standard library.",
    authentications=(AuthenticationTemplate(AuthenticationKind.NONE, "None"),),
    config=(
        ConfigTemplate("database", "Database", "A name under which the operator lists a file.", is_required=True),
        *_LIMITS,
    ),
    description="A file on this machine that the operator lets connections open.",
    category="Databases",
    documentation="https://www.sqlite.org/lang.html",
    takes_queries=True,
)

DEFINITIONS: tuple[ConnectorDefinition, ...] = (MARIADB, POSTGRESQL, SQLITE)
_KNOWN: Mapping[str, ConnectorDefinition] = {each.id: each for each in DEFINITIONS}


async def open_sql(settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
    """A connection to a database; nothing is sent yet. Raises `InvalidConnection`, `DriverAbsent`."""
    if settings.connector not in _KNOWN:
        raise InvalidConnection("connectorVersion", f"{settings.connector} is no database; {', '.join(_KNOWN)} are")
    # In a thread, and only now: SQLAlchemy, sqlglot and the drivers are large, and many servers have no database.
    return await asyncio.to_thread(_opened, settings, access, asyncio.get_running_loop())


def _opened(settings: ConnectionSettings, access: SystemAccess, loop: asyncio.AbstractEventLoop) -> SystemConnection:
    from openplaybook.connectors.sql.dialled_databases import opened_connection

    definition = _KNOWN[settings.connector]
    return opened_connection(settings, access, loop, definition.default_port, definition.extra)
