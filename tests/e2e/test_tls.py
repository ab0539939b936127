"""A server with a certificate and keys, as Google's own clients and our commands see it."""

import json
import signal
import ssl
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import grpc
import pytest
import trustme
from cryptography import x509
from google.api_core import exceptions
from google.api_core.client_options import ClientOptions
from google.cloud import dialogflowcx_v3

from tests.e2e.kit.rest import LOCATION
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.preloaded.commands import quick_command
from tests.kit.server_certificates import write_pair

pytestmark = pytest.mark.proves("X1")

KEY = "key-of-an-editor-of-agents"
AGENT = dialogflowcx_v3.Agent(display_name="Shop", default_language_code="en", time_zone="Etc/UTC")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA(key_type=trustme.KeyType.ECDSA)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> Iterator[Server]:
    """A server on TLS that knows the digest of one key."""
    folder = tmp_path_factory.mktemp("secure")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    pair = write_pair(authority, folder)
    (folder / "keys").write_text(f"editor shop sha256:{sha256(KEY.encode()).hexdigest()}\n")
    flags = ["--tls-cert", pair.tls_cert, "--tls-key", pair.tls_key, "--api-key-file", folder / "keys"]
    with running(folder, *map(str, flags)) as server:
        yield server


@pytest.fixture
def over_rest(secure: Server, monkeypatch: pytest.MonkeyPatch) -> dialogflowcx_v3.AgentsClient:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(secure.log.with_name("ca.pem")))
    options = ClientOptions(api_endpoint=secure.http, api_key=KEY)
    return dialogflowcx_v3.AgentsClient(client_options=options, transport="rest")


@pytest.fixture
def over_grpc(secure: Server, authority: trustme.CA) -> Iterator[dialogflowcx_v3.AgentsClient]:
    credentials = grpc.ssl_channel_credentials(authority.cert_pem.bytes())
    with grpc.secure_channel(secure.grpc, credentials) as channel:
        transport = dialogflowcx_v3.AgentsClient.get_transport_class("grpc")
        yield dialogflowcx_v3.AgentsClient(transport=transport(channel=channel))


def test_googles_clients_are_served_over_both_ports(
    over_rest: dialogflowcx_v3.AgentsClient, over_grpc: dialogflowcx_v3.AgentsClient
) -> None:
    made = over_rest.create_agent(parent=LOCATION, agent=AGENT)
    assert over_grpc.get_agent(name=made.name, metadata=[("x-goog-api-key", KEY)]) == made


def test_a_client_that_trusts_other_authorities_is_not(secure: Server) -> None:
    credentials = grpc.ssl_channel_credentials(trustme.CA().cert_pem.bytes())
    with grpc.secure_channel(secure.grpc, credentials) as channel:
        transport = dialogflowcx_v3.AgentsClient.get_transport_class("grpc")
        client = dialogflowcx_v3.AgentsClient(transport=transport(channel=channel))
        with pytest.raises(exceptions.ServiceUnavailable):
            client.list_agents(parent=LOCATION, retry=None)


def test_a_command_beside_the_server_needs_neither_key_nor_authority(secure: Server) -> None:
    assert secure.http.startswith("https://")
    data_dir = secure.log.with_name("data")
    done = subprocess.run(
        [quick_command(), "agents", "list", "--json", "--data-dir", data_dir],
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert isinstance(json.loads(done.stdout)["agents"], list)


def test_what_lets_commands_in_is_for_the_servers_user_alone(secure: Server) -> None:
    published: Path = secure.log.with_name("data") / "server.json"
    assert published.stat().st_mode & 0o777 == 0o600
    key = json.loads(published.read_text())["key"]
    assert len(key) > 40
    assert key not in secure.log.read_text()


def shown(server: Server) -> list[int]:
    """The serial numbers of the certificates that both ports show."""
    pems = [
        ssl.get_server_certificate((host, int(port)))
        for host, port in (address.removeprefix("https://").rsplit(":", 1) for address in (server.http, server.grpc))
    ]
    return [x509.load_pem_x509_certificate(pem.encode()).serial_number for pem in pems]


def test_sighup_makes_both_ports_show_the_renewed_certificate(tmp_path: Path, authority: trustme.CA) -> None:
    pair = write_pair(authority, tmp_path)
    with running(tmp_path, "--tls-cert", str(pair.tls_cert), "--tls-key", str(pair.tls_key)) as server:
        first = shown(server)
        write_pair(authority, tmp_path)
        renewed = x509.load_pem_x509_certificates(pair.tls_cert.read_bytes())[0].serial_number
        assert shown(server) == first != [renewed, renewed]
        server.process.send_signal(signal.SIGHUP)
        while "certificate reloaded" not in server.log.read_text():
            assert server.process.poll() is None
        assert shown(server) == [renewed, renewed]
