"""SAP HANA."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from hdbcli import dbapi
from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection

from openplaybook.connectors.errors import ConnectorError
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import Database, DatabaseLogin, NameFolding
from openplaybook.connectors.sql.databases.numbered_failures import DatabaseFailure, NumberedFailures
from openplaybook.connectors.sql.databases.tls_files import TlsFiles
from openplaybook.connectors.sql.tables import DatabaseTable

_CONNECT_S = 10
_SILENCE_S = 700
FAILURES = NumberedFailures(
    {
        301: DatabaseFailure.DUPLICATE,
        287: DatabaseFailure.NULL,
        **dict.fromkeys((461, 462), DatabaseFailure.REFERENCE),
        677: DatabaseFailure.RULE,
        **dict.fromkeys((266, 274, 303, 304, 306, 307, 314, 336, 339), DatabaseFailure.UNFIT),
        **dict.fromkeys((257, 259, 260, 261, 263, 268, 269, 276, 305), DatabaseFailure.QUERY),
        **dict.fromkeys((10, 414, 416), DatabaseFailure.LOGIN),
        258: DatabaseFailure.PERMISSION,
        7: DatabaseFailure.READS,
        **dict.fromkeys((131, 133, 138, 146), DatabaseFailure.LOCKED),
        **dict.fromkeys((139, 613), DatabaseFailure.SLOW),
        **dict.fromkeys((-10108, -10709, -10807, -10821, 663), DatabaseFailure.LOST),
    }
)


class _Cancellable(Protocol):
    def cancel(self) -> None:
        """Stop what runs."""
        ...


class HanaDatabase(Database):
    """One database of a system."""

    dialect = "hana+hdbcli"
    scheme = "hana"
    grammar = "postgres"
    """Sqlglot has none of its own; that of PostgreSQL is the nearest in names, quotes, strings and LIMIT."""
    folding = NameFolding.UPPER
    has_row_locks = False
    pure_functions = pure_functions.HANA

    def __init__(self, address: DatabaseLogin) -> None:
        self._address = address
        self._files = TlsFiles(address.tls)
        self.default_schema = address.user.casefold()

    @property
    def place(self) -> str:
        """Address without a user."""
        return f"hana://{self._address.host}:{self._address.port}/{self._address.database}"

    def parameters(self, address: str) -> Mapping[str, object]:
        """What the driver is told; the certificate is compared with the host's name."""
        tls = self._address.tls
        plain: dict[str, object] = {
            "address": address,
            "port": self._address.port,
            "user": self._address.user,
            "password": self._address.password,
            "databaseName": self._address.database,
            "connectTimeout": _CONNECT_S * 1000,
            "communicationTimeout": _SILENCE_S * 1000,
            "autocommit": False,
            "reconnect": False,
            **({"currentSchema": self._address.schema} if self._address.schema else {}),
            "encrypt": tls.is_used,
        }
        if not tls.is_used:
            return plain
        is_checked = not tls.skips_verification
        checked = {"sslHostNameInCertificate": self._address.host, "sslTrustStore": str(self._files.authority)}
        key = {"sslKeyStore": tls.client_key + tls.client_certificate} if tls.client_key else {}
        return {
            **plain,
            **(checked if is_checked else {}),
            **key,
            "sslCryptoProvider": "openssl",
            "sslValidateCertificate": is_checked,
        }

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Log in at the first address that answers."""
        connect = cast("Callable[..., DBAPIConnection]", dbapi.connect)
        failure: Exception | None = None
        for address in addresses:
            try:
                return connect(**self.parameters(address))
            except dbapi.OperationalError as error:
                failure = error
        raise failure or dbapi.OperationalError(-10709, "no address")

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """Readers' transactions are held to reading by the server."""
        del timeout_s, tables
        connection.exec_driver_sql("SET TRANSACTION READ ONLY" if not is_write else "SET TRANSACTION READ WRITE")

    def cancel(self, raw: DBAPIConnection) -> None:
        """The driver tells the server."""
        cast("_Cancellable", raw).cancel()

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (dbapi.Error,)

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the server's number."""
        number = int(getattr(error, "errorcode", 0) or 0)
        return FAILURES.failure(number, str(getattr(error, "errortext", "")), table)

    def close(self) -> None:
        """Remove the files of certificates."""
        self._files.close()
