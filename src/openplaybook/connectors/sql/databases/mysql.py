"""MySQL and MariaDB, also as Cloud SQL for MySQL."""

import re
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from typing import ClassVar, Protocol, cast
from uuid import UUID

import pymysql
from pymysql.constants import CLIENT, FIELD_TYPE
from pymysql.converters import conversions
from sqlalchemy import ColumnElement, Connection, func, literal_column, types
from sqlalchemy.dialects import mysql
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn
from sqlglot import Expr, Generator, exp
from sqlglot.dialects.mysql import MySQL

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import ConnectorError
from openplaybook.connectors.sql.column_shapes import BIG, SMALL, WHOLE, whole
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import ESCAPE, Database, DatabaseLogin, NameFolding
from openplaybook.connectors.sql.databases.mysql_failures import mysql_failure
from openplaybook.connectors.sql.databases.tls_files import TlsFiles, tls_context
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable

_CONNECT_S = 10
_KILL_S = 3
_SILENCE_S = 700
"""Longer than any statement may take: then the server is gone."""
_TIMEOUT_STEPS_S = (1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600)
_SESSION = (
    "SET time_zone = '+00:00', sql_mode = "
    "'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
)
_COLUMN_RULES = (
    "SELECT check_clause FROM information_schema.check_constraints "
    "WHERE constraint_schema = %s AND table_name = %s AND level = 'Column'"
)
_UNSIGNED = {SMALL: (0, 2**16 - 1), WHOLE: (0, 2**32 - 1), BIG: (0, 2**64 - 1)}
_JSON_RULE = re.compile(r"\(*json_valid\(`?(.+?)`?\)\)*", re.IGNORECASE)


def _as_text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("ascii")


_GIVEN: Mapping[object, object] = {
    **conversions,
    # As texts: dates like 0000-00-00 and times beyond a day are no Python values.
    **dict.fromkeys((FIELD_TYPE.DATE, FIELD_TYPE.DATETIME, FIELD_TYPE.TIMESTAMP, FIELD_TYPE.TIME), _as_text),
}


def _pattern_match(generator: Generator, match: Expr) -> str:
    return generator.binary(cast("exp.Binary", match), "RLIKE")


class MariaDB(MySQL):
    """Sqlglot's grammar, written in words that MariaDB has too; it is known by its name from now on."""

    class Generator(MySQL.Generator):
        """Writes a statement."""

        TRANSFORMS: ClassVar = {**MySQL.Generator.TRANSFORMS, exp.RegexpLike: _pattern_match}


class _Cursor(Protocol):
    """Of the driver, as far as it is used here."""

    def __enter__(self) -> "_Cursor": ...

    def __exit__(self, *error: object) -> None: ...

    def execute(self, query: str, args: Sequence[object] = ()) -> int:
        """Run a statement."""
        ...


class _Link(Protocol):
    """A connection of the driver, as far as it is used here: its own types say little."""

    def __enter__(self) -> "_Link": ...

    def __exit__(self, *error: object) -> None: ...

    def connect(self, sock: socket.socket) -> None:
        """Log in over a socket."""
        ...

    def cursor(self) -> _Cursor:
        """For statements."""
        ...

    def thread_id(self) -> int:
        """Number of the connection at the server."""
        ...

    def get_server_info(self) -> str:
        """Version of the server."""
        ...


class _NoClearPassword:
    """In place of the ways to log in that send the password as it is."""

    def __init__(self, link: object) -> None:
        del link

    def authenticate(self, packet: object) -> object:
        """Refuse."""
        del packet
        raise pymysql.err.OperationalError(2061, "the password is not sent without a checked TLS connection")


class MysqlDatabase(Database):
    """One database of a server."""

    dialect = "mysql+pymysql"
    scheme = "mysql"
    grammar = MariaDB.__name__.lower()
    folding = NameFolding.KEPT
    has_row_locks = True
    binds_types = False
    pure_functions = pure_functions.MYSQL

    def __init__(self, address: DatabaseLogin) -> None:
        self._address = address
        self._files = TlsFiles(address.tls)
        self.default_schema = address.schema or address.database

    @property
    def place(self) -> str:
        """Address without a user."""
        return f"mysql://{self._address.host}:{self._address.port}/{self._address.database}"

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Log in at the first address that answers; the certificate is still checked against the host's name."""
        link = self._logged_in(addresses, _CONNECT_S)
        if self._address.is_read_only:
            with link.cursor() as cursor:
                cursor.execute("SET SESSION TRANSACTION READ ONLY")
        return cast("DBAPIConnection", link)

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """Writers' transactions begin with their first statement."""
        del tables
        link = cast("_Link", connection.connection.driver_connection)
        wanted = next((each for each in _TIMEOUT_STEPS_S if each >= timeout_s), _TIMEOUT_STEPS_S[-1])
        with link.cursor() as cursor:
            if connection.info.get("statement_timeout") != wanted:
                is_mariadb = "MariaDB" in link.get_server_info()
                cursor.execute(
                    f"SET max_statement_time = {wanted}" if is_mariadb else f"SET max_execution_time = {wanted * 1000}"
                )
                connection.info["statement_timeout"] = wanted
            if not is_write:
                cursor.execute("START TRANSACTION READ ONLY")

    def cancel(self, raw: DBAPIConnection) -> None:
        """By another connection to the same address; then nobody waits for the answer any more."""
        link = cast("_Link", raw)
        door = cast("socket.socket | None", getattr(link, "_sock", None))
        if door is None:
            return
        with suppress(pymysql.err.Error, OSError):
            killer = self._logged_in([str(door.getpeername()[0])], _KILL_S)
            with killer, killer.cursor() as cursor:
                cursor.execute("KILL QUERY %s", (link.thread_id(),))
        with suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)

    def column_name(self, reflected: str) -> str:
        """SQLAlchemy reads it from the table's definition, where a backtick is doubled."""
        return reflected.replace("``", "`")

    def column_rules(self, connection: Connection, table: str, schema: str | None) -> Sequence[str]:
        """Those of MariaDB; by them its JSON is known."""
        if not cast("mysql.base.MySQLDialect", connection.dialect).is_mariadb:
            return ()
        found = connection.exec_driver_sql(_COLUMN_RULES, (schema or self._address.database, table))
        return [str(row[0]) for row in found]

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """TINYINT(1) is a boolean; MariaDB's JSON is a text with a rule."""
        kind = column["type"]
        if any((found := _JSON_RULE.fullmatch(rule)) and found[1] == column["name"] for rule in rules):
            return ColumnShape(DataType.STRUCT, is_comparable=False)
        if isinstance(kind, mysql.TINYINT) and kind.display_width == 1:
            return ColumnShape(DataType.BOOLEAN)
        if isinstance(kind, mysql.BIT):
            return _bits(int(kind.length or 1))
        if isinstance(kind, mysql.FLOAT):
            return ColumnShape(DataType.DOUBLE, is_inexact=True)
        if isinstance(kind, mysql.YEAR):
            return whole(DataType.INTEGER, (0, 2155))
        if isinstance(kind, mysql.SET):
            return ColumnShape(DataType.STRING, is_ranked=True)
        if isinstance(kind, mysql.ENUM):
            return ColumnShape(DataType.STRING, values=tuple(map(str, kind.enums)), is_ranked=True)
        if getattr(kind, "unsigned", False) and isinstance(kind, types.Integer):
            return _unsigned(kind)
        return None

    def bound(self, value: object, shape: ColumnShape) -> object:
        """Moments as MySQL writes them."""
        del shape
        if isinstance(value, datetime):
            return value.isoformat(" ")
        if isinstance(value, date | time):
            return value.isoformat()
        return int(value) if isinstance(value, bool) else str(value) if isinstance(value, UUID) else value

    def comparable(self, element: ColumnElement[object], shape: ColumnShape) -> ColumnElement[object]:
        """A FLOAT is shown with six digits, and is not equal to them; words of an ENUM are numbers when they are
        ordered, and texts when they are compared."""
        if shape.is_ranked:
            return cast("ColumnElement[object]", func.concat(element))
        return element.op("+")(literal_column("0e0")) if shape.is_inexact else element

    def like(self, element: ColumnElement[object], shape: ColumnShape, pattern: str) -> ColumnElement[bool]:
        """In a collation that tells cases apart, whatever the column's character set."""
        text = func.convert(self.as_text(element, shape).op("USING")(literal_column("utf8mb4")))
        return text.collate("utf8mb4_bin").like(pattern, escape=ESCAPE)

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (pymysql.err.Error, OSError)

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the server's number."""
        return mysql_failure(error, table) if isinstance(error, pymysql.err.Error) else super().failure(error, table)

    def is_undone(self, error: BaseException) -> bool:
        """Transactions that the server broke off."""
        return bool(error.args) and error.args[0] in (1180, 1205, 1213)

    def close(self) -> None:
        """Remove the files of certificates."""
        self._files.close()

    def _logged_in(self, addresses: Sequence[str], seconds: float) -> "_Link":
        tls = self._address.tls
        is_verified = tls.is_used and not tls.skips_verification
        refused = {} if is_verified else dict.fromkeys((b"mysql_clear_password", b"dialog"), _NoClearPassword)
        connect = cast("Callable[..., _Link]", pymysql.Connection)
        link = connect(
            host=self._address.host,
            port=self._address.port,
            user=self._address.user,
            # Bytes are taken as they are, texts in Latin-1.
            password=self._address.password.encode("utf-8"),
            database=self._address.schema or self._address.database or None,
            charset="utf8mb4",
            init_command=_SESSION,
            conv=_GIVEN,
            client_flag=CLIENT.FOUND_ROWS,
            connect_timeout=int(seconds),
            read_timeout=_SILENCE_S,
            write_timeout=_SILENCE_S,
            local_infile=False,
            defer_connect=True,
            ssl=tls_context(tls, self._files) if tls.is_used else None,
            auth_plugin_map=refused,
        )
        link.connect(_dialled(addresses, self._address.port, seconds))
        return link


def _dialled(addresses: Sequence[str], port: int, seconds: float) -> socket.socket:
    failure: OSError | None = None
    for address in addresses:
        try:
            door = socket.create_connection((address, port), seconds)
        except OSError as error:
            failure = error
            continue
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return door
    raise pymysql.err.OperationalError(2003, "no address answers") from failure


def _bits(length: int) -> ColumnShape:
    return ColumnShape(DataType.BOOLEAN) if length == 1 else whole(DataType.BIGINT, (0, 2**length - 1))


def _unsigned(kind: "types.Integer") -> ColumnShape:
    """Twice as far, so that the next larger type is told."""
    if isinstance(kind, types.SmallInteger | mysql.TINYINT):
        return whole(DataType.INTEGER, (0, 255) if isinstance(kind, mysql.TINYINT) else _UNSIGNED[SMALL])
    bounds = _UNSIGNED[BIG] if isinstance(kind, types.BigInteger) else _UNSIGNED[WHOLE]
    return whole(DataType.BIGINT, bounds)
