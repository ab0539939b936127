"""SQL Server's certificate is checked before a password leaves, by name, authority and time."""

import os
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.settings import TlsSettings
from openplaybook.connectors.sql.databases.base import DatabaseLogin
from openplaybook.connectors.sql.databases.sqlserver import SqlServerDatabase
from tests.kit.certificates import server_tls
from tests.kit.tds_peer import TdsPeer, tds_peer

HOST = "db.example"
PASSWORD = "s3cret-0123456789"
LOCAL = ("127.0.0.1",)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def peer(authority: trustme.CA) -> Iterator[TdsPeer]:
    with tds_peer(server_tls(authority, HOST)) as running:
        yield running


def trusting(authority: trustme.CA) -> TlsSettings:
    return TlsSettings(is_used=True, ca_certificate=authority.cert_pem.bytes().decode())


def told(peer: TdsPeer, tls: TlsSettings, host: str = HOST) -> str:
    """What becomes of a login, which the peer always refuses."""
    database = SqlServerDatabase(DatabaseLogin(host, peer.port, "shop", "u", PASSWORD, tls))
    try:
        database.connect(LOCAL)
    except database.driver_errors() as error:
        return f"{type(database.failure(error, None)).__name__}: {database.failure(error, None)}"
    finally:
        database.close()
    return "connected"


def test_a_certificate_of_the_host_is_taken_and_the_login_sent(authority: trustme.CA, peer: TdsPeer) -> None:
    assert told(peer, trusting(authority)).startswith("AuthenticationRefused")
    assert len(peer.logins) == 1


@pytest.mark.parametrize("host", ["other.example", "example", "db.example.evil", "127.0.0.1"])
def test_another_name_is_refused_before_the_login(host: str, authority: trustme.CA, peer: TdsPeer) -> None:
    said = told(peer, trusting(authority), host)
    assert said.startswith("SystemUnavailable: the server broke off before the login, or its certificate")
    assert host in said
    assert (peer.connections, peer.logins) == (1, [])


def test_what_another_connection_met_before_is_not_told_of_this_one(authority: trustme.CA, peer: TdsPeer) -> None:
    said = [told(peer, trusting(authority), host).partition(":")[0] for host in ("a.example", HOST, "b.example", HOST)]
    assert said == ["SystemUnavailable", "AuthenticationRefused", "SystemUnavailable", "AuthenticationRefused"]


def test_a_foreign_authority_is_refused_before_the_login(peer: TdsPeer) -> None:
    assert told(peer, trusting(trustme.CA())).startswith("SystemUnavailable")
    assert (peer.connections, peer.logins) == (1, [])


def test_the_machines_authorities_count_where_none_is_given(
    authority: trustme.CA, peer: TdsPeer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(peer, TlsSettings(is_used=True)).startswith("SystemUnavailable")
    assert peer.logins == []
    file = tmp_path / "all.pem"
    file.write_bytes(authority.cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    assert told(peer, TlsSettings(is_used=True)).startswith("AuthenticationRefused")


@pytest.mark.parametrize(("begin", "end"), [(-20, -10), (10, 20)], ids=["that has ended", "that has not begun"])
def test_a_certificate_is_refused(begin: int, end: int, authority: trustme.CA) -> None:
    now = datetime.now(UTC)
    context = server_tls(authority, HOST, not_before=now + timedelta(days=begin), not_after=now + timedelta(days=end))
    with tds_peer(context) as peer:
        assert told(peer, trusting(authority)).startswith("SystemUnavailable")
        assert (peer.connections, peer.logins) == (1, [])


def test_a_connection_that_checks_nothing_goes_on_as_before(peer: TdsPeer) -> None:
    unchecked = TlsSettings(is_used=True, skips_verification=True)
    assert told(peer, unchecked).startswith("AuthenticationRefused")
    assert len(peer.logins) == 1


def test_connections_of_many_threads_find_their_own_server(authority: trustme.CA) -> None:
    """Each has another name; those with the wrong one must never be let through by another's section."""
    found: dict[int, str] = {}
    with tds_peer(server_tls(authority, HOST)) as peer:

        def run(number: int) -> None:
            found[number] = told(peer, trusting(authority), HOST if number % 2 else f"h{number}.example")

        threads = [threading.Thread(target=run, args=(number,)) for number in range(12)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        # Which of them fails for which reason is not looked at: the driver has one place for the process, where the
        # reason of a connection that fails is kept until it is read.
        assert len(found) == 12
        assert len(peer.logins) == 6


def test_the_file_is_for_this_user_alone_and_holds_no_secret_and_forgets(authority: trustme.CA, peer: TdsPeer) -> None:
    database = SqlServerDatabase(DatabaseLogin(HOST, peer.port, "shop", "u", PASSWORD, trusting(authority)))
    server = str(database.parameters("127.0.0.1")["server"])
    assert database.parameters("127.0.0.1")["server"] == server
    file = Path(os.environ["FREETDSCONF"])
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert f"[{server}]" in file.read_text()
    assert PASSWORD not in file.read_text()
    database.close()
    assert server not in file.read_text()


@pytest.mark.parametrize("host", ["db.example\nca file = /tmp/x", "db example", "[global]", "db#", ""])
def test_a_host_that_could_say_something_else_is_refused(host: str, authority: trustme.CA) -> None:
    database = SqlServerDatabase(DatabaseLogin(host, 1433, "shop", "u", PASSWORD, trusting(authority)))
    with pytest.raises(InvalidConnection, match="no name that a certificate has"):
        database.connect(LOCAL)
    database.close()


def test_a_client_certificate_is_refused_since_it_would_not_be_shown(authority: trustme.CA) -> None:
    tls = TlsSettings(is_used=True, client_certificate="c", client_key="k")
    with pytest.raises(InvalidConnection, match="client certificate"):
        SqlServerDatabase(DatabaseLogin(HOST, 1433, "shop", "u", PASSWORD, tls))


def test_an_address_may_be_the_host(authority: trustme.CA) -> None:
    context: ssl.SSLContext = server_tls(authority, "127.0.0.1")
    with tds_peer(context) as peer:
        assert told(peer, trusting(authority), "127.0.0.1").startswith("AuthenticationRefused")
