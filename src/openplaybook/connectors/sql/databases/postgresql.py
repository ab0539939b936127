"""PostgreSQL and what speaks its protocol: AlloyDB, Cloud SQL for PostgreSQL, Greenplum."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import cast

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.conninfo import make_conninfo
from psycopg.types.string import TextLoader
from sqlalchemy import Cast, ColumnElement, Connection, types
from sqlalchemy import cast as cast_sql
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import ConnectorError
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import Database, DatabaseLogin, NameFolding
from openplaybook.connectors.sql.databases.postgresql_failures import postgresql_failure
from openplaybook.connectors.sql.databases.tls_files import TlsFiles
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable
from openplaybook.jsonvalues import loads

_CONNECT_S = 10
_TIMEOUT_STEPS_S = (1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600)
"""The server's own timeout is the next of these above the call's, so that it is seldom set anew."""
_SESSION = (
    "-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c bytea_output=hex "
    "-c standard_conforming_strings=on -c extra_float_digits=3"
)
_AS_TEXT = (
    *("date", "time", "timetz", "interval", "numeric", "inet", "cidr"),
    *("int4range", "int8range", "numrange", "daterange", "tsrange", "tstzrange"),
)
"""Types that the driver would make Python values of which hold less, or raise for infinity and years before Christ."""
_MANY = ("int4multirange", "int8multirange", "nummultirange", "datemultirange", "tsmultirange", "tstzmultirange")
_NOWHERE = "/nonexistent"
_QUOTED = re.compile(r'["\\]')


class PostgresqlDatabase(Database):
    """One database of a server."""

    dialect = "postgresql+psycopg"
    scheme = "postgresql"
    grammar = "postgres"
    folding = NameFolding.LOWER
    default_schema = "public"
    has_row_locks = True
    binds_types = False
    refuses_nul = True
    pure_functions = pure_functions.POSTGRESQL

    def __init__(self, address: DatabaseLogin) -> None:
        self._address = address
        self._files = TlsFiles(address.tls)

    @property
    def place(self) -> str:
        """Address without a user."""
        return f"postgresql://{self._address.host}:{self._address.port}/{self._address.database}"

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Log in at one of the addresses; the certificate is still checked against the host's name."""
        read_only = " -c default_transaction_read_only=on" if self._address.is_read_only else ""
        parameters: dict[str, str | int] = {
            "host": ",".join([self._address.host] * len(addresses)),
            "hostaddr": ",".join(addresses),
            "port": self._address.port,
            "dbname": self._address.database,
            "user": self._address.user,
            "password": self._address.password,
            "connect_timeout": _CONNECT_S,
            "application_name": "openplaybook",
            "options": _SESSION + read_only,
            "client_encoding": "utf-8",
            "gssencmode": "disable",
            # What libpq would else take from the home of whoever runs this server.
            "passfile": _NOWHERE,
            **self._tls(),
        }
        link = psycopg.connect(make_conninfo("", **parameters), prepare_threshold=None)
        _load_as_text(link)
        if self._address.schema:
            with link.transaction():
                path = f'"{self._address.schema.replace(chr(34), chr(34) * 2)}"'
                link.execute("SELECT set_config('search_path', %s, false)", (path,))
        return cast("DBAPIConnection", link)

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """BEGIN comes with the first statement, and says READ ONLY."""
        del tables
        link = cast("psycopg.Connection[tuple[object, ...]]", connection.connection.driver_connection)
        wanted = next((each for each in _TIMEOUT_STEPS_S if each >= timeout_s), _TIMEOUT_STEPS_S[-1])
        if connection.info.get("statement_timeout") != wanted:
            link.autocommit = True
            link.execute(f"SET statement_timeout = {wanted * 1000}".encode())
            link.autocommit = False
            connection.info["statement_timeout"] = wanted
        link.read_only = not is_write or self._address.is_read_only

    def cancel(self, raw: DBAPIConnection) -> None:
        """By a connection of its own (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS)."""
        with suppress(psycopg.Error):
            cast("psycopg.Connection[tuple[object, ...]]", raw).cancel_safe(timeout=5)

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """Most types of its own are texts to us."""
        del rules
        kind = column["type"]
        name = type(kind).__name__.upper()
        if name in _TEXTS:
            return ColumnShape(DataType.OTHER, is_comparable=name in ("INTERVAL", "INET", "CIDR", "MACADDR", "CITEXT"))
        if isinstance(kind, types.NullType):
            return ColumnShape(DataType.OTHER, is_comparable=False)
        if isinstance(kind, types.Time) and kind.timezone:
            return ColumnShape(DataType.OTHER)
        return None

    def bound(self, value: object, shape: ColumnShape) -> object:
        """Texts that the server reads by the column's type, which it knows best."""
        if isinstance(value, list):
            return _array_text(cast("list[object]", value))
        if shape.data_type is DataType.DOUBLE and isinstance(value, int | Decimal):
            return str(value)
        if value is None or isinstance(value, bool | int | Decimal | bytes | str):
            return value
        return value.isoformat() if isinstance(value, datetime) else str(value)

    def as_text(self, element: ColumnElement[object], shape: ColumnShape) -> "ColumnElement[object] | Cast[str]":
        """Values of an ENUM are no texts to PostgreSQL."""
        return cast_sql(element, types.Text) if shape.values else super().as_text(element, shape)

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (psycopg.Error,)

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
        return postgresql_failure(error, table) if isinstance(error, psycopg.Error) else super().failure(error, table)

    def is_undone(self, error: BaseException) -> bool:
        """Constraints that are checked late, and transactions that the server broke off."""
        return isinstance(error, psycopg.Error) and (error.sqlstate or "")[:2] in ("23", "40", "25", "22", "P0")

    def close(self) -> None:
        """Remove the files of certificates."""
        self._files.close()

    def _tls(self) -> Mapping[str, str]:
        tls = self._address.tls
        certificate, key = self._files.certificate, self._files.key
        is_verified = tls.is_used and not tls.skips_verification
        # See https://www.postgresql.org/docs/current/libpq-connect.html.
        return {
            "sslmode": "verify-full" if is_verified else "require" if tls.is_used else "prefer",
            "sslrootcert": str(self._files.authority) if is_verified else _NOWHERE,
            "sslcert": str(certificate or _NOWHERE),
            "sslkey": str(key or _NOWHERE),
            "sslpassword": tls.client_key_passphrase,
        }


_TEXTS = frozenset(
    {"INTERVAL", "MONEY", "INET", "CIDR", "MACADDR", "MACADDR8", "TSVECTOR", "TSQUERY", "OID", "REGCLASS", "BIT"}
    | {"CITEXT", "HSTORE", "XML", "PG_LSN", "DOMAIN"}
    | {each.upper() for each in (*_AS_TEXT[7:], *_MANY)}
)


class _MomentLoader(Loader):
    """Timestamps as ISO 8601: a T in the middle, Z for UTC."""

    def load(self, data: Buffer) -> str:
        """The text of a timestamp."""
        text = bytes(data).decode("ascii").replace(" ", "T", 1)
        return text[:-3] + "Z" if text.endswith("+00") else text


class _JsonLoader(Loader):
    """JSON with all digits of its numbers."""

    def load(self, data: Buffer) -> object:
        """The value."""
        return loads(bytes(data))


def _load_as_text(link: "psycopg.Connection[tuple[object, ...]]") -> None:
    for name in (*_AS_TEXT, *_MANY):
        if link.adapters.types.get(name) is not None:
            link.adapters.register_loader(name, TextLoader)
    for name in ("timestamp", "timestamptz"):
        link.adapters.register_loader(name, _MomentLoader)
    for name in ("json", "jsonb"):
        link.adapters.register_loader(name, _JsonLoader)


def _array_text(values: Sequence[object]) -> str:
    """An array as the server reads it (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO)."""
    return "{" + ",".join(map(_element_text, values)) + "}"


def _element_text(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return _array_text(cast("list[object]", value))
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return '"' + _QUOTED.sub(lambda found: "\\" + found[0], str(value)) + '"'
