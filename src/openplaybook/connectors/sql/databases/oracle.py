"""Oracle Database, by the thin driver.

The driver checks the host's name against what it dials, which is an address: a connection with a checked certificate
names the certificate's subject instead (`certificate_name`).
"""

from collections.abc import Mapping, Sequence
from typing import cast

import oracledb
from sqlalchemy import Connection
from sqlalchemy.dialects import oracle
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import ConnectorError, InvalidConnection
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import Database, DatabaseLogin, NameFolding
from openplaybook.connectors.sql.databases.numbered_failures import DatabaseFailure, NumberedFailures
from openplaybook.connectors.sql.databases.tls_files import TlsFiles, tls_context
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable

_CONNECT_S = 10.0
FAILURES = NumberedFailures(
    {
        1: DatabaseFailure.DUPLICATE,
        **dict.fromkeys((1400, 1407), DatabaseFailure.NULL),
        **dict.fromkeys((2291, 2292), DatabaseFailure.REFERENCE),
        2290: DatabaseFailure.RULE,
        **dict.fromkeys((1438, 1722, 1830, 1840, 1841, 1843, 1847, 1858, 1861, 1862, 12899), DatabaseFailure.UNFIT),
        **dict.fromkeys(
            (900, 903, 904, 905, 907, 909, 911, 917, 918, 923, 933, 936, 942, 979, 1789, 1476), DatabaseFailure.QUERY
        ),
        **dict.fromkeys((1005, 1017, 28000, 28001), DatabaseFailure.LOGIN),
        **dict.fromkeys((1031, 1950), DatabaseFailure.PERMISSION),
        **dict.fromkeys((1456, 16000), DatabaseFailure.READS),
        12514: DatabaseFailure.DATABASE,
        **dict.fromkeys((54, 60, 8177, 30006), DatabaseFailure.LOCKED),
        **dict.fromkeys((1013, 3136, 3156), DatabaseFailure.SLOW),
        **dict.fromkeys(
            (28, 1012, 1033, 1034, 1089, 3113, 3114, 3135, 12170, 12541, 12545, 12547), DatabaseFailure.LOST
        ),
    }
)


class OracleDatabase(Database):
    """One service of a server."""

    dialect = "oracle+oracledb"
    scheme = "oracle"
    grammar = "oracle"
    folding = NameFolding.UPPER
    has_row_locks = False
    pure_functions = pure_functions.ORACLE

    def __init__(self, address: DatabaseLogin) -> None:
        is_checked = address.tls.is_used and not address.tls.skips_verification
        if is_checked and not address.certificate_name:
            raise InvalidConnection(
                "configVariables.certificate_name",
                "is required with a checked certificate: the subject that the driver compares in place of the host",
            )
        self._address = address
        self._files = TlsFiles(address.tls)
        self.default_schema = address.user.casefold()

    @property
    def place(self) -> str:
        """Address without a user."""
        return f"oracle://{self._address.host}:{self._address.port}/{self._address.database}"

    def parameters(self, address: str) -> Mapping[str, object]:
        """What the driver is told."""
        tls = self._address.tls
        plain: dict[str, object] = {
            "host": address,
            "port": self._address.port,
            "service_name": self._address.database,
            "user": self._address.user,
            "password": self._address.password,
            "tcp_connect_timeout": _CONNECT_S,
            "retry_count": 0,
            "protocol": "tcps" if tls.is_used else "tcp",
        }
        if not tls.is_used:
            return plain
        context = tls_context(tls, self._files)
        # The driver compares names on its own.
        context.check_hostname = False
        is_checked = not tls.skips_verification
        named = {"ssl_server_cert_dn": self._address.certificate_name} if is_checked else {}
        return {**plain, **named, "ssl_context": context, "ssl_server_dn_match": is_checked}

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Log in at the first address that answers."""
        failure: Exception | None = None
        for address in addresses:
            try:
                link = oracledb.connect(**self.parameters(address))
                if self._address.schema:
                    link.current_schema = self._address.schema
                return cast("DBAPIConnection", link)
            except oracledb.OperationalError as error:
                failure = error
        raise failure or oracledb.OperationalError("no address")

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """Each exchange with the server has the call's time."""
        del tables
        link = cast("oracledb.Connection", connection.connection.driver_connection)
        link.call_timeout = int(timeout_s * 1000)
        if not is_write:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")

    def cancel(self, raw: DBAPIConnection) -> None:
        """The driver tells the server."""
        cast("oracledb.Connection", raw).cancel()

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """NUMBER without digits behind the point is a whole number of any length."""
        del rules
        kind = column["type"]
        if isinstance(kind, oracle.NUMBER) and kind.precision is None:
            return ColumnShape(DataType.DECIMAL)
        if isinstance(kind, oracle.LONG | oracle.NCLOB | oracle.CLOB):
            return ColumnShape(DataType.TEXT, is_comparable=False)
        return None

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (oracledb.Error,)

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the number of ORA-nnnnn."""
        told = error.args[0] if error.args else None
        return FAILURES.failure(int(getattr(told, "code", 0) or 0), str(getattr(told, "message", "")), table)

    def close(self) -> None:
        """Remove the files of certificates."""
        self._files.close()
