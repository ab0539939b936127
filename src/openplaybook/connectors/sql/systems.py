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
CERTIFICATE_NAME = ConfigTemplate(
    "certificate_name", "Certificate name", "Subject of the server's certificate, such as CN=db.example.com."
)
_ADDRESS = (HOST, PORT, DATABASE, USER, SCHEMA)
_PASSWORD = (AuthenticationTemplate(AuthenticationKind.USER_PASSWORD, "User and password"),)

SQLITE = ConnectorDefinition(
    id="sqlite",
    title="SQLite",
    engine=Engine.SQL,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="The SQLite of Python's standard library.",
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


def _dialled(
    id: str,
    title: str,
    evidence: Evidence,
    note: str,
    *,
    port: int,
    documentation: str,
    extra: str = "",
    version: int = 1,
    more: tuple[ConfigTemplate, ...] = (),
) -> ConnectorDefinition:
    return ConnectorDefinition(
        id=id,
        title=title,
        engine=Engine.SQL,
        evidence=evidence,
        evidence_note=note,
        authentications=_PASSWORD,
        config=(*_ADDRESS, *more, *_LIMITS),
        version=version,
        description=f"Tables and views of a database of {title}, and queries in its SQL.",
        category="Databases",
        documentation=documentation,
        default_port=port,
        takes_queries=True,
        extra=extra,
    )


_REAL, _WIRE, _COMPILED = Evidence.REAL_PRODUCT, Evidence.WIRE_COMPATIBLE, Evidence.COMPILED_ONLY
_GOOGLE = "https://cloud.google.com"
DEFINITIONS: tuple[ConnectorDefinition, ...] = (
    _dialled(
        "alloydb",
        "AlloyDB",
        _WIRE,
        "PostgreSQL 15 in its place; AlloyDB itself, its IAM logins and its connectors were not tried.",
        port=5432,
        documentation=f"{_GOOGLE}/alloydb/docs",
        extra="postgres",
    ),
    _dialled(
        "cloudsql-mysql",
        "Cloud SQL for MySQL",
        _WIRE,
        "MariaDB 10.11 in its place; MySQL's own types, its caching_sha2 login and its timeout were not tried.",
        port=3306,
        documentation=f"{_GOOGLE}/sql/docs/mysql",
    ),
    _dialled(
        "cloudsql-postgresql",
        "Cloud SQL for PostgreSQL",
        _WIRE,
        "PostgreSQL 15 in its place; Cloud SQL itself and its IAM logins were not tried.",
        port=5432,
        documentation=f"{_GOOGLE}/sql/docs/postgres",
        extra="postgres",
    ),
    _dialled(
        "cloudsql-sqlserver",
        "Cloud SQL for SQL Server",
        _COMPILED,
        "Statements are compared with Transact-SQL as documented, certificates tried with a made peer; no server was.",
        port=1433,
        documentation=f"{_GOOGLE}/sql/docs/sqlserver",
        extra="connectors",
    ),
    _dialled(
        "greenplum",
        "Greenplum",
        _WIRE,
        "PostgreSQL 15 in its place; Greenplum's older catalogue and its append-only tables were not tried.",
        port=5432,
        documentation="https://techdocs.broadcom.com/us/en/vmware-tanzu/data-solutions/tanzu-greenplum.html",
        extra="postgres",
    ),
    _dialled(
        "mariadb",
        "MariaDB",
        _REAL,
        "MariaDB 10.11.",
        port=3306,
        documentation="https://mariadb.com/kb/en/documentation/",
    ),
    _dialled(
        "oracledb",
        "Oracle DB",
        _COMPILED,
        "Statements are compared with Oracle's SQL as documented; no server was tried.",
        port=1521,
        documentation="https://docs.oracle.com/en/database/oracle/oracle-database/",
        extra="connectors",
        version=2,
        more=(CERTIFICATE_NAME,),
    ),
    _dialled(
        "postgresql",
        "PostgreSQL",
        _REAL,
        "PostgreSQL 15.",
        port=5432,
        documentation="https://www.postgresql.org/docs/current/",
        extra="postgres",
    ),
    _dialled(
        "sap-hana",
        "SAP HANA",
        _COMPILED,
        "Statements are compared with HANA's SQL as documented; no server was tried.",
        port=39015,
        documentation="https://help.sap.com/docs/SAP_HANA_PLATFORM",
        extra="connectors",
    ),
    SQLITE,
)
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
