"""FTP over TLS: nothing is said in the open, certificates are held to, data goes where the control connection is."""

import ssl

import pytest
import trustme

from openplaybook.connectors.base import EntityQuery
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError, OperationUnsupported, SystemUnavailable
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import ConfigValue, ConnectionSettings, TlsSettings, UserPassword
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.plugin_peers import NAME, LoopbackNames, call
from tests.kit.secure_ftp import SecureFtp, secure_ftp
from tests.kit.sql_databases import NoTransport

_NAME = "files.example"


def _settings(port: int, tls: TlsSettings, **config: ConfigValue) -> ConnectionSettings:
    login = UserPassword("clerk", "s3cret-w0rd")
    return ConnectionSettings(
        NAME, "ftp", config={"host": _NAME, "port": port, **config}, authentication=login, tls=tls
    )


def _access() -> SystemAccess:
    return SystemAccess(NoTransport(), LoopbackNames())


def _authority(authority: trustme.CA) -> str:
    return authority.cert_pem.bytes().decode()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Whom both sides trust."""
    return trustme.CA()


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_files_go_both_ways_over_tls(authority: trustme.CA, newest: ssl.TLSVersion) -> None:
    with secure_ftp(SecureFtp(server_tls(authority, _NAME, newest=newest))) as server:
        server.files["ada"] = b"one"
        settings = _settings(server.port, TlsSettings(ca_certificate=_authority(authority)))
        connection = await open_plugin(settings, _access())
        await connection.execute("UploadFile", {"path": "bob", "content": "two", "overwrite": True}, call())
        page = await connection.list(EntityQuery("Files", fields=("name", "size")), call())
        [row] = (await connection.execute("DownloadFile", {"path": "ada"}, call())).rows
    assert server.files["bob"] == b"two"
    assert [each.fields for each in page.entities] == [{"name": "ada", "size": 3}, {"name": "bob", "size": 3}]
    assert row["content"] == "one"
    assert set(server.plain_commands) == {"AUTH TLS"}
    assert server.resumed == [True, True, True]


async def test_data_never_goes_where_pasv_says(authority: trustme.CA) -> None:
    with secure_ftp(SecureFtp(server_tls(authority, _NAME), pasv_address="192.0.2.7")) as server:
        server.files["ada"] = b"one"
        settings = _settings(server.port, TlsSettings(ca_certificate=_authority(authority)))
        connection = await open_plugin(settings, _access())
        [row] = (await connection.execute("DownloadFile", {"path": "ada"}, call())).rows
    assert row["content"] == "one"


async def test_a_server_that_has_no_tls_learns_nothing() -> None:
    with secure_ftp(SecureFtp(None)) as server:
        for config in ({}, {"protocol": "ftps"}):
            connection = await open_plugin(_settings(server.port, TlsSettings(), **config), _access())
            with pytest.raises(OperationUnsupported):
                await connection.check(call())
        connection = await open_plugin(_settings(server.port, TlsSettings(is_used=True), protocol="ftp"), _access())
        with pytest.raises(OperationUnsupported):
            await connection.check(call())
    assert set(server.commands) == {"AUTH TLS"}


async def test_certificates_are_held_to(authority: trustme.CA) -> None:
    trusted = TlsSettings(ca_certificate=_authority(authority))
    for name, tls in ((_NAME, TlsSettings()), ("other.example", trusted)):
        with secure_ftp(SecureFtp(server_tls(authority, name))) as server:
            connection = await open_plugin(_settings(server.port, tls), _access())
            with pytest.raises(SystemUnavailable, match="certificate"):
                await connection.check(call())
        assert set(server.commands) == {"AUTH TLS"}
    with secure_ftp(SecureFtp(server_tls(authority, "other.example"))) as server:
        connection = await open_plugin(_settings(server.port, TlsSettings(skips_verification=True)), _access())
        await connection.check(call())


async def test_a_client_certificate_is_shown(authority: trustme.CA) -> None:
    ours = client_certificate(authority, passphrase=b"words")
    tls = TlsSettings(
        ca_certificate=_authority(authority),
        client_certificate=ours.certificate.decode(),
        client_key=ours.private_key.decode(),
        client_key_passphrase="words",
    )
    with secure_ftp(SecureFtp(server_tls(authority, _NAME, clients_of=authority))) as server:
        connection = await open_plugin(_settings(server.port, tls), _access())
        await connection.check(call())
        without = TlsSettings(ca_certificate=_authority(authority))
        connection = await open_plugin(_settings(server.port, without), _access())
        with pytest.raises(ConnectorError):
            await connection.check(call())
