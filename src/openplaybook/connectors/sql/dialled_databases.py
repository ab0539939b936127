"""Makes the connection of a database from the settings: which family, which address, which credential."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast

from sqlalchemy.exc import NoSuchModuleError

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    DriverAbsent,
    InvalidConnection,
    PermissionRefused,
    SystemUnavailable,
)
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.database_sessions import DatabaseSessions
from openplaybook.connectors.sql.databases.base import Database, DatabaseLogin
from openplaybook.connectors.sql.databases.sqlite import SqliteDatabase
from openplaybook.egress.errors import AddressRefused

_RESOLVE_S = 10.0
_MYSQL = ("mysql", "MysqlDatabase", "pymysql")
_POSTGRESQL = ("postgresql", "PostgresqlDatabase", "psycopg")
_FAMILIES: Mapping[str, tuple[str, str, str]] = {
    "alloydb": _POSTGRESQL,
    "cloudsql-mysql": _MYSQL,
    "cloudsql-postgresql": _POSTGRESQL,
    "cloudsql-sqlserver": ("sqlserver", "SqlServerDatabase", "pymssql"),
    "greenplum": _POSTGRESQL,
    "mariadb": _MYSQL,
    "oracledb": ("oracle", "OracleDatabase", "oracledb"),
    "postgresql": _POSTGRESQL,
    "sap-hana": ("hana", "HanaDatabase", "hdbcli"),
}
"""Connectors that are dialled: module, class, package of the driver."""


def opened_connection(
    settings: ConnectionSettings, access: SystemAccess, loop: asyncio.AbstractEventLoop, default_port: int, extra: str
) -> SqlConnection:
    """The connection; the resolver is asked on the loop. Raises `InvalidConnection`, `DriverAbsent`."""
    if settings.connector == "sqlite":
        database = _sqlite(settings, access)
        return SqlConnection(settings, database, DatabaseSessions(database, lambda: ()))
    destination = settings.destination(default_port)
    address = _address(settings, destination.host, destination.port)
    module, name, package = _FAMILIES[settings.connector]
    try:
        found = import_module(f"openplaybook.connectors.sql.databases.{module}")
    except ModuleNotFoundError as error:
        raise DriverAbsent(package, extra) from error
    database = cast("Callable[[DatabaseLogin], Database]", getattr(found, name))(address)

    def dial() -> Sequence[str]:
        asked = asyncio.run_coroutine_threadsafe(_resolved(access, destination.host, destination.port), loop)
        try:
            return asked.result(_RESOLVE_S)
        except TimeoutError:
            asked.cancel()
            raise SystemUnavailable(f"the name {destination.host} was not resolved in time") from None

    try:
        return SqlConnection(settings, database, DatabaseSessions(database, dial))
    except NoSuchModuleError as error:
        raise DriverAbsent(f"sqlalchemy-{database.scheme}", extra) from error


async def _resolved(access: SystemAccess, host: str, port: int) -> Sequence[str]:
    try:
        addresses = await access.resolver.resolve(host, port)
    except AddressRefused as error:
        raise PermissionRefused(str(error)) from error
    except OSError:
        addresses = ()
    if not addresses:
        raise SystemUnavailable(f"the host {host} has no address")
    return addresses


def _address(settings: ConnectionSettings, host: str, port: int) -> DatabaseLogin:
    login = settings.login()
    return DatabaseLogin(
        host=host,
        port=port,
        database=settings.text("database"),
        user=login.user,
        password=login.password,
        tls=settings.tls,
        is_read_only=settings.is_read_only,
        schema=settings.text("schema"),
        certificate_name=settings.text("certificate_name"),
    )


def _sqlite(settings: ConnectionSettings, access: SystemAccess) -> Database:
    name = settings.text("database")
    if name not in access.files:
        raise InvalidConnection(
            "configVariables.database",
            f"{name!r} is no file that the operator lists; there are: {', '.join(sorted(access.files)) or 'none'}",
        )
    return SqliteDatabase(name, access.files[name], is_read_only=settings.is_read_only)
