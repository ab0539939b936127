"""Microsoft SQL Server, as Cloud SQL for SQL Server.

An address is dialled, and the certificate compared with the host's name: for that the server is described to FreeTDS,
the library below the driver, in a file (`freetds_servers`). SQL Server has no read-only transactions: what reads is
rolled back. A statement is not stopped at the server when its time is up; its connection is closed when it ends.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import cast

import pymssql
from sqlalchemy import ColumnElement, Connection
from sqlalchemy.dialects import mssql
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import ConnectorError, InvalidConnection, SystemUnavailable
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import ESCAPE, Database, DatabaseLogin, NameFolding
from openplaybook.connectors.sql.databases.freetds_servers import SERVERS, FreetdsServer
from openplaybook.connectors.sql.databases.numbered_failures import DatabaseFailure, NumberedFailures
from openplaybook.connectors.sql.databases.tls_files import TlsFiles
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable

_CONNECT_S = 10
_SILENCE_S = 700
_BROKEN_OFF = 20002
"""The number for what fails between the connection and the login, the certificate among it."""
_SAID = 20018
"""The number for what the server said itself, with a number of its own."""
_NUMBERED = re.compile(r"DB-Lib error message (\d{1,6}),")
_SPECIAL = re.compile(r"[%_\[!]")
FAILURES = NumberedFailures(
    {
        **dict.fromkeys((2601, 2627), DatabaseFailure.DUPLICATE),
        515: DatabaseFailure.NULL,
        547: DatabaseFailure.REFERENCE,
        **dict.fromkeys((220, 232, 241, 242, 245, 248, 2628, 8114, 8115, 8152), DatabaseFailure.UNFIT),
        **dict.fromkeys(
            (102, 105, 156, 195, 201, 205, 207, 208, 209, 306, 319, 402, 4104, 8120, 8134, 8155), DatabaseFailure.QUERY
        ),
        **dict.fromkeys((18452, 18456, 18470), DatabaseFailure.LOGIN),
        4060: DatabaseFailure.DATABASE,
        **dict.fromkeys((229, 230, 262, 297, 300, 916), DatabaseFailure.PERMISSION),
        3906: DatabaseFailure.READS,
        **dict.fromkeys((1205, 1222), DatabaseFailure.LOCKED),
        **dict.fromkeys((20003, 20047), DatabaseFailure.SLOW),
        **dict.fromkeys((20002, 20004, 20006, 20009, 20017, 20019), DatabaseFailure.LOST),
    }
)


class SqlServerDatabase(Database):
    """One database of a server."""

    dialect = "mssql+pymssql"
    scheme = "sqlserver"
    grammar = "tsql"
    folding = NameFolding.IGNORED
    default_schema = "dbo"
    has_row_locks = False
    pure_functions = pure_functions.SQL_SERVER

    def __init__(self, address: DatabaseLogin) -> None:
        if address.tls.client_certificate:
            raise InvalidConnection("sslConfig", "the driver of SQL Server cannot show a client certificate")
        self._is_checked = address.tls.is_used and not address.tls.skips_verification
        self._address = address
        self._files = TlsFiles(address.tls)
        self._owner = token_hex(8)

    @property
    def place(self) -> str:
        """Address without a user."""
        return f"sqlserver://{self._address.host}:{self._address.port}/{self._address.database}"

    def parameters(self, address: str) -> Mapping[str, object]:
        """What the driver is told. With a checked certificate the server is a name in FreeTDS' file, which has the
        address."""
        return {
            "server": self._server(address) if self._is_checked else address,
            "port": str(self._address.port),
            "user": self._address.user,
            "password": self._address.password,
            "database": self._address.database,
            "login_timeout": _CONNECT_S,
            "timeout": _SILENCE_S,
            "charset": "UTF-8",
            "appname": "openplaybook",
            "tds_version": "7.4",
            "use_datetime2": True,
            "autocommit": False,
            "read_only": self._address.is_read_only,
            "encryption": "require" if self._address.tls.is_used else "request",
        }

    def _server(self, address: str) -> str:
        place = self._address
        return SERVERS.named(self._owner, FreetdsServer(address, place.port, place.host, self._files.authority))

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Log in at the first address that answers.

        The driver keeps why a login failed in one place for the process until that is read: of two that fail at the
        same moment, one may tell the other's reason.
        """
        connect = cast("Callable[..., DBAPIConnection]", pymssql.connect)
        failure: Exception | None = None
        for address in addresses:
            try:
                return connect(**self.parameters(address))
            except pymssql.OperationalError as error:
                failure = error
        raise failure or pymssql.OperationalError(20009, "no address")

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """Locks are not waited for longer than the call."""
        del is_write, tables
        connection.exec_driver_sql(f"SET LOCK_TIMEOUT {int(timeout_s * 1000)}")

    def cancel(self, raw: DBAPIConnection) -> None:
        """The driver's connections belong to one thread."""

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """MONEY is a decimal; a row's version is made by the server."""
        del rules
        kind = column["type"]
        if isinstance(kind, mssql.MONEY | mssql.SMALLMONEY):
            return ColumnShape(DataType.DECIMAL, digits=19 if isinstance(kind, mssql.MONEY) else 10, places=4)
        if isinstance(kind, mssql.TIMESTAMP | mssql.ROWVERSION):
            return ColumnShape(DataType.BINARY, is_comparable=False)
        if isinstance(kind, mssql.DATETIMEOFFSET):
            return ColumnShape(DataType.TIMESTAMP_WITH_ZONE)
        return None

    def like(self, element: ColumnElement[object], shape: ColumnShape, pattern: str) -> ColumnElement[bool]:
        """In a collation that tells cases apart."""
        text = self.as_text(element, shape)
        return text.collate("Latin1_General_100_BIN2").like(pattern, escape=ESCAPE)

    def escaped(self, text: str) -> str:
        """A bracket is a sign too."""
        return _SPECIAL.sub(lambda found: ESCAPE + found[0], text)

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (pymssql.Error,)

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the server's number."""
        # Of connecting, what the library said is one argument; of statements two.
        first = error.args[0] if error.args else ""
        is_connecting = isinstance(first, tuple)
        told = cast("tuple[object, ...]", first) if is_connecting else error.args
        number, said = (*told, "", "")[:2]
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        if is_connecting:
            number = _number_of_connecting(number, text)
        if number == _BROKEN_OFF and self._is_checked:
            return SystemUnavailable(
                f"the server broke off before the login, or its certificate is not one of {self._address.host} that is "
                "trusted here (sslConfig)"
            )
        return FAILURES.failure(number if isinstance(number, int) else 0, text, table)

    def close(self) -> None:
        """Remove the files of certificates, and what FreeTDS was told."""
        SERVERS.forget(self._owner)
        self._files.close()


def _number_of_connecting(number: object, text: str) -> object:
    """The number of what failed: the driver keeps the gravest that any connection of the process ever met, so that it
    counts only where the text tells that a server said something now."""
    numbers = [int(each) for each in _NUMBERED.findall(text)]
    return number if _SAID in numbers or not numbers else numbers[0]
