"""Whose credential goes on the wire, over which TLS, and what it may do there."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from openplaybook.connectors.base import EntityQuery, SqlQuery, SystemCall, SystemConnection
from openplaybook.connectors.catalog.connections import Connections
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    SystemUnavailable,
    WriteRefused,
)
from openplaybook.connectors.settings import AccessToken, Authentication, ConnectionSettings, TlsSettings, UserPassword
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.systems import open_sql
from tests.integration.connectors.sql.conftest import Opening
from tests.kit.mariadb import MariadbServer, running_mariadb
from tests.kit.postgres import Cluster, running_cluster
from tests.kit.server_certificates import write_pair
from tests.kit.sql_databases import OWNER, SqlPeer, mariadb_peer, postgresql_peer, sqlite_peer

OTHER = UserPassword("visitor", "öther p@ss'")


@pytest.fixture(params=["postgresql", "mariadb"])
def served(request: pytest.FixtureRequest) -> SqlPeer:
    """A database with a second user, who may only read customers."""
    if request.param == "postgresql":
        cluster = cast("Cluster", request.getfixturevalue("cluster"))
        peer = postgresql_peer(cluster)
        if not cluster.sql("SELECT 1 FROM pg_roles WHERE rolname = 'visitor'"):
            quoted = OTHER.password.replace("'", "''")
            cluster.sql(f"CREATE ROLE visitor LOGIN PASSWORD '{quoted}'")
            cluster.sql("GRANT SELECT ON customer TO visitor", "shop")
        return peer
    server = cast("MariadbServer", request.getfixturevalue("mariadb"))
    peer = mariadb_peer(server)
    quoted = OTHER.password.replace("'", "''")
    server.sql(
        f"CREATE USER IF NOT EXISTS visitor@'%' IDENTIFIED BY '{quoted}'",
        "GRANT SELECT ON shop.customer TO visitor@'%'",
    )
    return peer


@asynccontextmanager
async def opened(settings: ConnectionSettings, peer: SqlPeer) -> AsyncGenerator[SystemConnection]:
    """A connection for a while."""
    connection = await open_sql(settings, peer.access)
    try:
        yield connection
    finally:
        await connection.aclose()


async def user_of(connection: SystemConnection, peer: SqlPeer) -> str:
    """Who the database takes us for."""
    function = "SESSION_USER()" if peer.name == "mariadb" else "SESSION_USER"
    [row] = (await connection.query(SqlQuery(f"SELECT {function} AS who"), SystemCall())).rows
    return str(row["who"]).partition("@")[0]


@pytest.mark.parametrize("given", [OTHER, AccessToken(OTHER.password)])
async def test_a_sessions_credential_is_the_one_on_the_wire(served: SqlPeer, given: Authentication) -> None:
    settings = replace(served.configured(user="visitor", functions="session_user"), allows_override=True)
    connections = Connections(open_sql, served.access)
    for _ in range(2):
        async with connections.opened(settings) as own:
            assert await user_of(own, served) == "shop"
        async with connections.opened(settings.overridden(given)) as visitor:
            assert await user_of(visitor, served) == "visitor"
            assert await visitor.entity_names(SystemCall())
    await connections.aclose()


async def test_a_sessions_wrong_credential_is_refused_whoever_was_there_before(served: SqlPeer) -> None:
    connections = Connections(open_sql, served.access)
    settings = served.configured(user="shop")
    async with connections.opened(settings) as own:
        await own.check(SystemCall())
    for wrong in (UserPassword("shop", "wrong"), UserPassword("nobody", OWNER.password), AccessToken("wrong")):
        async with connections.opened(settings.overridden(wrong)) as stranger:
            with pytest.raises(AuthenticationRefused) as refused:
                await stranger.check(SystemCall())
            assert str(refused.value) == "the database does not take the user and password"
    await connections.aclose()


async def test_what_the_user_may_not_do_is_refused_by_the_database(served: SqlPeer) -> None:
    async with opened(served.authenticated(OTHER), served) as visitor:
        assert (await visitor.list(EntityQuery("customer"), SystemCall())).entities == ()
        with pytest.raises(PermissionRefused, match="does not permit this"):
            await visitor.create("customer", {"name": "x"}, SystemCall())


async def test_an_unknown_database_is_said(served: SqlPeer) -> None:
    async with opened(served.configured(database="nope"), served) as connection:
        with pytest.raises((InvalidConnection, PermissionRefused)):
            await connection.check(SystemCall())


async def test_no_secret_is_in_exchanges_or_errors(served: SqlPeer) -> None:
    call = SystemCall()
    async with opened(served.authenticated(UserPassword("shop", "s3cret-w0rd")), served) as connection:
        with pytest.raises(ConnectorError) as refused:
            await connection.list(EntityQuery("customer"), call)
    async with opened(served.settings, served) as connection:
        await connection.list(EntityQuery("customer"), call)
    shown = f"{refused.value!r}{call.exchanges!r}{served.settings!r}"
    assert "s3cret-w0rd" not in shown
    assert OWNER.password not in shown


async def test_read_only_is_held_by_the_database_too(opening: Opening, peer: SqlPeer) -> None:
    connection = await opening(read_only=True)
    call = SystemCall()
    for refused in (
        connection.create("customer", {"name": "x"}, call),
        connection.update("customer", "1", {"name": "x"}, call),
        connection.delete("customer", "1", call),
        connection.delete_where("customer", parsed_condition("id = 1"), call),
    ):
        with pytest.raises(WriteRefused, match="this connection only reads"):
            await refused
    assert call.exchanges == []
    # Past the first layer, as if it had a hole.
    sessions = cast("SqlConnection", connection).sessions
    for run in (sessions.read, sessions.write):
        with pytest.raises((WriteRefused, PermissionRefused)):
            await run(lambda each: each.raw("INSERT INTO customer (name) VALUES ('x')", (), 1), call)
    assert peer.column("SELECT COUNT(*) FROM customer") == [0]


async def test_reading_is_held_to_reading_on_writing_connections_too(
    connection: SystemConnection, peer: SqlPeer
) -> None:
    sessions = cast("SqlConnection", connection).sessions
    with pytest.raises((WriteRefused, PermissionRefused)):
        await sessions.read(lambda each: each.raw("INSERT INTO customer (name) VALUES ('x')", (), 1), SystemCall())
    assert peer.column("SELECT COUNT(*) FROM customer") == [0]


@pytest.mark.parametrize("is_read_only", [False, True])
async def test_sqlite_takes_json_apart(tmp_path: Path, is_read_only: bool) -> None:
    peer = sqlite_peer(tmp_path)
    async with opened(peer.configured(read_only=is_read_only, tables="customer"), peer) as connection:
        query = SqlQuery(
            "SELECT value FROM json_each('[1, 2]') UNION ALL SELECT atom FROM json_tree('[3]') WHERE atom > 0"
        )
        rows = (await connection.query(query, SystemCall())).rows
    assert [row["value"] for row in rows] == [1, 2, 3]


async def test_sqlite_holds_statements_to_their_tables(tmp_path: Path) -> None:
    peer = sqlite_peer(tmp_path)
    connection = cast("SqlConnection", await open_sql(peer.settings, peer.access))
    sessions = connection.sessions
    for text in (
        "SELECT word FROM secret",
        "SELECT load_extension('x')",
        "ATTACH '/tmp/x' AS x",
        "PRAGMA user_version = 1",
    ):
        with pytest.raises((PermissionRefused, InvalidValue)):
            await sessions.read(
                lambda each, text=text: each.raw(text, (), 1), SystemCall(), None, frozenset({"customer"})
            )
    await connection.aclose()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Who signs certificates."""
    return trustme.CA()


@pytest.fixture(params=["postgresql", "mariadb"], scope="module")
def over_tls(
    request: pytest.FixtureRequest, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SqlPeer]:
    """A server whose certificate is for db.example.com."""
    pair = write_pair(authority, tmp_path_factory.mktemp("tls"), "db.example.com")
    if request.param == "postgresql":
        with running_cluster() as cluster:
            for name, path in (("server.crt", pair.tls_cert), ("server.key", pair.tls_key)):
                (cluster.folder / name).write_bytes(path.read_bytes())
                cluster.give(name, mode=0o600)
                kind = "cert" if name.endswith("crt") else "key"
                cluster.sql(f"ALTER SYSTEM SET ssl_{kind}_file = '{cluster.folder / name}'")
            (cluster.folder / "ca.crt").write_bytes(authority.cert_pem.bytes())
            cluster.give("ca.crt", mode=0o600)
            cluster.sql(f"ALTER SYSTEM SET ssl_ca_file = '{cluster.folder / 'ca.crt'}'")
            cluster.sql("ALTER SYSTEM SET ssl = on")
            rules = cluster.folder / "data" / "pg_hba.conf"
            rules.write_text(f"hostssl all certified all scram-sha-256 clientcert=verify-ca\n{rules.read_text()}")
            cluster.restart()
            peer = postgresql_peer(cluster)
            cluster.sql("CREATE ROLE certified LOGIN PASSWORD 'secret'")
            yield peer
        return
    folder = pair.tls_cert.parent
    readable_by_mariadb(folder, pair.tls_key)
    (folder / "ca.crt").write_bytes(authority.cert_pem.bytes())
    with running_mariadb(
        f"--ssl-cert={pair.tls_cert}", f"--ssl-key={pair.tls_key}", f"--ssl-ca={folder / 'ca.crt'}"
    ) as server:
        peer = mariadb_peer(server)
        server.sql("CREATE USER certified@'%' IDENTIFIED BY 'secret' REQUIRE X509")
        server.sql("GRANT SELECT ON shop.* TO certified@'%'")
        yield peer


def readable_by_mariadb(folder: Path, key: Path) -> None:
    """Where the tests run as root the server is another user's."""
    for each in (folder, *folder.parents):
        # What all may enter is left as it is: others write there, too.
        if not each.stat().st_mode & 0o001:
            each.chmod(0o755)
    key.chmod(0o644)


async def test_the_certificate_is_checked_against_the_name(over_tls: SqlPeer, authority: trustme.CA) -> None:
    ca = authority.cert_pem.bytes().decode()
    good = TlsSettings(is_used=True, ca_certificate=ca)
    async with opened(replace(over_tls.settings, tls=good), over_tls) as connection:
        await connection.check(SystemCall())
    stranger = TlsSettings(is_used=True, ca_certificate=trustme.CA().cert_pem.bytes().decode())
    unknown = TlsSettings(is_used=True)
    elsewhere = over_tls.configured(host="other.example.com")
    for settings in (
        replace(over_tls.settings, tls=stranger),
        replace(over_tls.settings, tls=unknown),
        replace(elsewhere, tls=good),
    ):
        async with opened(settings, over_tls) as connection:
            with pytest.raises(SystemUnavailable, match="no TLS connection to the database came about"):
                await connection.check(SystemCall())


async def test_our_certificate_is_shown(over_tls: SqlPeer, authority: trustme.CA) -> None:
    ours = authority.issue_cert("client.example.com")
    without = TlsSettings(is_used=True, ca_certificate=authority.cert_pem.bytes().decode())
    certificate = b"".join(each.bytes() for each in ours.cert_chain_pems).decode()
    key = load_pem_private_key(ours.private_key_pem.bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"open sesame")).decode()
    plain = replace(without, client_certificate=certificate, client_key=ours.private_key_pem.bytes().decode())
    settings = replace(over_tls.settings, authentication=UserPassword("certified", "secret"))
    async with opened(replace(settings, tls=without), over_tls) as connection:
        with pytest.raises((AuthenticationRefused, SystemUnavailable)):
            await connection.check(SystemCall())
    for tls in (plain, replace(plain, client_key=locked, client_key_passphrase="open sesame")):
        async with opened(replace(settings, tls=tls), over_tls) as connection:
            await connection.check(SystemCall())


async def test_verification_may_be_skipped(over_tls: SqlPeer) -> None:
    tls = TlsSettings(is_used=True, skips_verification=True)
    async with opened(replace(over_tls.configured(host="other.example.com"), tls=tls), over_tls) as connection:
        assert "customer" in await connection.entity_names(SystemCall())


async def test_a_server_without_tls_is_refused_where_it_must_be_used(served: SqlPeer) -> None:
    for skips in (False, True):
        tls = TlsSettings(is_used=True, skips_verification=skips)
        async with opened(replace(served.settings, tls=tls), served) as connection:
            with pytest.raises(SystemUnavailable):
                await connection.check(SystemCall())
