"""A server that speaks TLS on both ports: real handshakes, with certificates of an authority of the test's own."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Mapping
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest
import trustme
from cryptography import x509

from openplaybook.cli.access import client_of
from openplaybook.cli.errors import CommandError
from openplaybook.server.errors import SettingsError
from openplaybook.server.lifecycle import RunningServer
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory
from tests.kit.server_certificates import Pair, write_pair

from .conftest import Start, running

AGENTS = "/v3/projects/p/locations/global/agents"
CHECK = "/grpc.health.v1.Health/Check"
SERVING = b"\x08\x01"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA(key_type=trustme.KeyType.ECDSA)


@pytest.fixture
def pair(authority: trustme.CA, tmp_path: Path) -> Pair:
    return write_pair(authority, tmp_path)


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


async def get(server: RunningServer, context: ssl.SSLContext, path: str = "/healthz") -> tuple[int, Mapping[str, str]]:
    async with aiohttp.ClientSession(server.http) as session, session.get(path, ssl=context) as answer:
        return answer.status, await answer.json()


async def health_over_grpc(server: RunningServer, authority: trustme.CA) -> bytes:
    credentials = grpc.ssl_channel_credentials(authority.cert_pem.bytes())
    async with grpc.aio.secure_channel(server.grpc, credentials) as channel:
        return await channel.unary_unary(CHECK)(b"")


async def shown(address: str) -> int:
    """The serial number of the certificate that a port shows to a new client."""
    host, port = address.rsplit(":", 1)
    pem = await asyncio.to_thread(ssl.get_server_certificate, (host, int(port)))
    return x509.load_pem_x509_certificate(pem.encode()).serial_number


def serial(pair: Pair) -> int:
    return x509.load_pem_x509_certificates(pair.tls_cert.read_bytes())[0].serial_number


async def test_both_ports_speak_tls(start: Start, pair: Pair, authority: trustme.CA) -> None:
    server = await start(**pair.settings)
    assert server.http.startswith("https://127.0.0.1:")
    assert await get(server, trusting(authority)) == (200, {"status": "ok"})
    assert await get(server, trusting(authority), AGENTS) == (200, {})
    assert await health_over_grpc(server, authority) == SERVING


async def test_a_key_with_a_passphrase_serves_both_ports(start: Start, authority: trustme.CA, tmp_path: Path) -> None:
    pair = write_pair(authority, tmp_path, passphrase=b"open it", key_type=trustme.KeyType.RSA)
    (tmp_path / "passphrase").write_text("open it\n")
    server = await start(**pair.settings, tls_passphrase_file=tmp_path / "passphrase")
    assert await get(server, trusting(authority)) == (200, {"status": "ok"})
    assert await health_over_grpc(server, authority) == SERVING


async def test_a_client_that_keeps_its_connection_does_not_keep_the_server(
    pair: Pair, authority: trustme.CA, tmp_path: Path
) -> None:
    def connected(address: str) -> ssl.SSLSocket:
        host, port = address.removeprefix("https://").split(":")
        client = trusting(authority).wrap_socket(socket.create_connection((host, int(port))), server_hostname=host)
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(15) == b"HTTP/1.1 200 OK"
        return client

    data = tmp_path / "data"
    settings = Settings(port=0, grpc_port=0, data_dir=data, tls_cert=pair.tls_cert, tls_key=pair.tls_key)
    async with asyncio.timeout(settings.drain_seconds / 2):
        async with running(settings) as server:
            client = await asyncio.to_thread(connected, server.http)
    client.close()


async def test_plain_clients_are_not_served(start: Start, pair: Pair) -> None:
    server = await start(**pair.settings)
    async with aiohttp.ClientSession(server.http.replace("https", "http")) as session:
        with pytest.raises(aiohttp.ClientError):
            await session.get("/healthz")
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await channel.unary_unary(CHECK)(b"")
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")
@pytest.mark.parametrize("port", ["http", "grpc"])
@pytest.mark.parametrize(("version", "is_served"), [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)])
async def test_tls_is_1_2_at_least(
    start: Start, pair: Pair, port: str, version: ssl.TLSVersion, is_served: bool
) -> None:
    server = await start(**pair.settings)
    host, number = getattr(server, port).removeprefix("https://").rsplit(":", 1)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    # The library of this machine refuses 1.1 by itself unless told otherwise.
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    context.set_alpn_protocols(["h2"])
    try:
        _, writer = await asyncio.open_connection(host, int(number), ssl=context)
    except (ssl.SSLError, ConnectionError):
        assert not is_served
    else:
        assert is_served
        writer.close()


async def test_a_client_that_does_not_know_the_authority_refuses(start: Start, pair: Pair) -> None:
    server = await start(**pair.settings)
    with pytest.raises(aiohttp.ClientConnectorCertificateError):
        await get(server, ssl.create_default_context())


async def test_the_certificate_is_exchanged_under_a_running_server(
    start: Start, pair: Pair, authority: trustme.CA, tmp_path: Path
) -> None:
    server = await start(**pair.settings)
    context = trusting(authority)
    async with aiohttp.ClientSession(server.http) as kept:
        async with kept.get("/healthz", ssl=context) as answer:
            assert answer.status == 200
        assert await shown(server.http.removeprefix("https://")) == serial(pair)
        renewed = write_pair(authority, tmp_path, key_type=trustme.KeyType.RSA)
        server.reload()
        assert await shown(server.http.removeprefix("https://")) == serial(renewed)
        assert await shown(server.grpc) == serial(renewed)
        async with kept.get("/healthz", ssl=context) as answer:
            assert answer.status == 200
    await asyncio.to_thread(list_agents, tmp_path)


async def test_a_certificate_that_cannot_be_used_leaves_the_old_one(
    start: Start, pair: Pair, authority: trustme.CA, caplog: pytest.LogCaptureFixture
) -> None:
    server = await start(**pair.settings)
    pair.tls_key.write_text("half a ke")
    with caplog.at_level(logging.ERROR):
        server.reload()
    assert "the certificate was not reloaded" in caplog.text
    assert await get(server, trusting(authority)) == (200, {"status": "ok"})
    assert await health_over_grpc(server, authority) == SERVING


def list_agents(folder: Path) -> object:
    address = DataDirectory(folder / "data").running_server()
    assert address is not None
    return client_of(address).get(AGENTS.removeprefix("/"))


async def test_commands_trust_the_servers_own_certificate_whatever_its_name(
    start: Start, authority: trustme.CA, tmp_path: Path
) -> None:
    pair = write_pair(authority, tmp_path, "bot.example")
    await start(**pair.settings)
    assert await asyncio.to_thread(list_agents, tmp_path) == {}


async def test_commands_refuse_another_certificate_of_the_same_authority(
    start: Start, pair: Pair, authority: trustme.CA, tmp_path: Path
) -> None:
    server = await start(**pair.settings)
    (tmp_path / "other").mkdir()
    other = write_pair(authority, tmp_path / "other")
    impostor = await start(**other.settings, data_dir=tmp_path / "elsewhere")
    address = DataDirectory(tmp_path / "data").running_server()
    assert address is not None
    assert address.http == server.http
    lured = type(address)(address.pid, impostor.http, impostor.grpc, address.started, address.certificate)
    with pytest.raises(CommandError, match="certificate verify failed"):
        await asyncio.to_thread(client_of(lured).get, "healthz")


async def test_a_pair_that_cannot_be_used_keeps_the_server_from_starting(start: Start, pair: Pair) -> None:
    pair.tls_cert.write_text("no certificate")
    with pytest.raises(SettingsError, match="contains no certificate in PEM form"):
        await start(**pair.settings)
