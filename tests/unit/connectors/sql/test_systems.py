"""The databases of the catalogue: what they are called, what they need, what is refused before anything is sent."""

from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.connectors.definitions import AuthenticationKind, Evidence, SystemAccess, config_problems
from openplaybook.connectors.errors import ConnectorError, CredentialAbsent, InvalidConnection
from openplaybook.connectors.settings import (
    AccessToken,
    Authentication,
    ConnectionSettings,
    OAuthClient,
    TlsSettings,
    UserPassword,
)
from openplaybook.connectors.sql.databases.base import DatabaseLogin
from openplaybook.connectors.sql.databases.hana import HanaDatabase
from openplaybook.connectors.sql.databases.oracle import OracleDatabase
from openplaybook.connectors.sql.databases.sqlserver import SqlServerDatabase
from openplaybook.connectors.sql.systems import DEFINITIONS, open_sql
from tests.kit.sql_databases import LoopbackResolver, NoTransport

ACCESS = SystemAccess(NoTransport(), LoopbackResolver(), files={"pets": Path("/nonexistent/pets")})
SETTINGS = ConnectionSettings(
    "projects/p/locations/l/connections/c",
    "postgresql",
    {"host": "db.example.com", "database": "shop"},
    UserPassword("u", "s3cret"),
)
ADDRESS = DatabaseLogin("db.example.com", 1234, "shop", "u", "s3cret")
CHECKED = replace(ADDRESS, tls=TlsSettings(is_used=True), certificate_name="CN=db")


def test_the_databases_are_those_of_the_catalogue() -> None:
    assert {each.id: (each.title, each.version) for each in DEFINITIONS} == {
        "alloydb": ("AlloyDB", 1),
        "cloudsql-mysql": ("Cloud SQL for MySQL", 1),
        "cloudsql-postgresql": ("Cloud SQL for PostgreSQL", 1),
        "cloudsql-sqlserver": ("Cloud SQL for SQL Server", 1),
        "greenplum": ("Greenplum", 1),
        "mariadb": ("MariaDB", 1),
        "oracledb": ("Oracle DB", 2),
        "postgresql": ("PostgreSQL", 1),
        "sap-hana": ("SAP HANA", 1),
        "sqlite": ("SQLite", 1),
    }
    assert all(each.takes_queries and each.evidence_note for each in DEFINITIONS)
    real = {each.id for each in DEFINITIONS if each.evidence is Evidence.REAL_PRODUCT}
    assert real == {"mariadb", "postgresql", "sqlite"}


def test_config_variables_are_known() -> None:
    [postgresql] = [each for each in DEFINITIONS if each.id == "postgresql"]
    given = ("host", "port", "database", "schema", "tables", "read_only", "write_cap", "functions", "user")
    assert config_problems(postgresql, AuthenticationKind.USER_PASSWORD, given) == []
    assert config_problems(postgresql, AuthenticationKind.USER_PASSWORD, ("host",)) == [("database", "is required")]


@pytest.mark.parametrize("connector", [each.id for each in DEFINITIONS if each.id != "sqlite"])
async def test_a_connection_is_opened_without_sending_anything(connector: str) -> None:
    tls = TlsSettings(is_used=True)
    config = {**SETTINGS.config, "certificate_name": "CN=db"}
    connection = await open_sql(replace(SETTINGS, connector=connector, tls=tls, config=config), ACCESS)
    await connection.aclose()
    assert isinstance(ACCESS.resolver, LoopbackResolver)
    assert ACCESS.resolver.asked == []


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (replace(SETTINGS, connector="dbase"), InvalidConnection, "connectorVersion: dbase is no database"),
        (replace(SETTINGS, config={"database": "x"}), InvalidConnection, r"configVariables\.host: is required"),
        (replace(SETTINGS, authentication=None), CredentialAbsent, "needs a user and a password"),
        (replace(SETTINGS, authentication=AccessToken("t")), InvalidConnection, r"configVariables\.user: is required"),
        (
            replace(SETTINGS, authentication=OAuthClient("a", "b")),
            InvalidConnection,
            r"authConfig\.authType: OAuthClient",
        ),
        (
            replace(SETTINGS, connector="cloudsql-sqlserver", tls=TlsSettings(is_used=True, client_certificate="c")),
            InvalidConnection,
            "sslConfig: the driver of SQL Server cannot show",
        ),
        (replace(SETTINGS, connector="oracledb", tls=TlsSettings(is_used=True)), InvalidConnection, "certificate_name"),
        (
            replace(SETTINGS, connector="sqlite", config={"database": "/etc/passwd"}),
            InvalidConnection,
            "'/etc/passwd' is no file that the operator lists; there are: pets",
        ),
        (
            replace(SETTINGS, config={**SETTINGS.config, "write_cap": "many"}),
            InvalidConnection,
            r"configVariables\.write_cap: must be a whole number",
        ),
    ],
)
async def test_what_cannot_be_opened(settings: ConnectionSettings, error: type[ConnectorError], message: str) -> None:
    with pytest.raises(error, match=message):
        await open_sql(settings, ACCESS)


@pytest.mark.parametrize("authentication", [UserPassword("u", "s3cret"), AccessToken("s3cret")])
def test_secrets_are_in_no_text_of_settings(authentication: Authentication) -> None:
    assert "s3cret" not in repr(replace(SETTINGS, authentication=authentication))
    assert "s3cret" not in repr(ADDRESS)


def test_oracle_is_dialled_by_address_with_the_subject_of_its_certificate() -> None:
    given = OracleDatabase(CHECKED).parameters("10.0.0.1")
    assert (given["host"], given["protocol"], given["service_name"]) == ("10.0.0.1", "tcps", "shop")
    assert (given["ssl_server_dn_match"], given["ssl_server_cert_dn"]) == (True, "CN=db")
    plain = OracleDatabase(ADDRESS).parameters("10.0.0.1")
    assert plain["protocol"] == "tcp"
    assert "ssl_context" not in plain


def test_hana_compares_its_certificate_with_the_name() -> None:
    given = HanaDatabase(CHECKED).parameters("10.0.0.1")
    assert (given["address"], given["encrypt"], given["sslValidateCertificate"]) == ("10.0.0.1", True, True)
    assert given["sslHostNameInCertificate"] == "db.example.com"
    insecure = HanaDatabase(replace(ADDRESS, tls=TlsSettings(is_used=True, skips_verification=True)))
    assert insecure.parameters("10.0.0.1")["sslValidateCertificate"] is False
    assert HanaDatabase(ADDRESS).parameters("10.0.0.1")["encrypt"] is False


def test_sql_server_is_dialled_by_address() -> None:
    tls = TlsSettings(is_used=True, skips_verification=True)
    given = SqlServerDatabase(replace(ADDRESS, tls=tls, is_read_only=True)).parameters("10.0.0.1")
    assert (given["server"], given["port"], given["encryption"]) == ("10.0.0.1", "1234", "require")
    assert given["read_only"] is True
