"""Who is who on a TLS connection: the service's certificate, our own, and what is said when one is refused."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.base import ClientCertificate, HttpLimits, HttpRequest
from openplaybook.egress.errors import AddressRefused, TlsFailed
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.tls_contexts import check_client_certificate
from tests.kit.certificates import KeyForm, client_certificate, server_tls
from tests.kit.egress import failure, get, on_loopback
from tests.kit.http_peer import Answer, Received, answer, http_peer
from tests.kit.tls_peer import tls_peer

HOST = "api.example"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
VERSIONS = pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


Clients = Callable[[KeyForm, bytes], ClientCertificate]


@pytest.fixture(scope="module")
def clients(authority: trustme.CA) -> Clients:
    """A client certificate of the authority for each form of its key and each passphrase, made once."""
    return cache(partial(client_certificate, authority))


@pytest.fixture(scope="module")
def stranger() -> trustme.CA:
    return trustme.CA(organization_name="Strangers")


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    made = on_loopback(HOST, "other.example")
    yield made
    await made.aclose()


def always(reply: bytes) -> Answer:
    return lambda _: reply


def to(port: int, authority: trustme.CA | None = None, client: ClientCertificate | None = None) -> HttpRequest:
    trusted = (authority.cert_pem.bytes(),) if authority else ()
    return HttpRequest("GET", f"https://{HOST}:{port}/", ca_certificates=trusted, client_certificate=client)


# What the service shows.


@pytest.mark.proves("A8")
async def test_a_certificate_of_an_unknown_authority_is_refused_and_the_authority_named(
    transport: HttpTransport, stranger: trustme.CA
) -> None:
    async with http_peer(always(answer()), server_tls(stranger, HOST)) as peer:
        error = await failure(transport.send(to(peer.port), HttpLimits()))
    assert (type(error), error.sent, peer.requests) == (TlsFailed, False, [])
    assert "is signed by an authority that is not trusted" in str(error)
    assert "O=Strangers" in str(error)
    assert str(error).endswith(": add it to tlsConfig.caCerts")


async def test_a_certificate_that_cannot_be_described_is_refused_all_the_same(
    transport: HttpTransport, tmp_path: Path
) -> None:
    async with http_peer(always(answer()), odd_tls(tmp_path, "Evil")) as peer:
        error = await failure(transport.send(to(peer.port), HttpLimits()))
    assert type(error) is TlsFailed
    assert str(error).endswith("its certificate is signed by itself and not trusted: add it to tlsConfig.caCerts")


async def test_names_in_a_certificate_are_told_without_what_steers_a_terminal(
    transport: HttpTransport, tmp_path: Path
) -> None:
    tls = odd_tls(tmp_path, "Evil\x1b[2J\nName", has_twice=False)
    async with http_peer(always(answer()), tls) as peer:
        trusted = (tmp_path / "odd.pem").read_bytes()
        error = await failure(transport.send(replace(to(peer.port), ca_certificates=(trusted,)), HttpLimits()))
    assert type(error) is TlsFailed
    assert f"its certificate is for CN=Evil\ufffd[2J\ufffdName, not {HOST}" in str(error)


def odd_tls(folder: Path, name: str, *, has_twice: bool = True) -> ssl.SSLContext:
    """A self-signed certificate; an extension that it has twice is read by OpenSSL, and by few others."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    built = x509.CertificateBuilder(subject, subject, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    for last in (5, 6) if has_twice else ():
        built = built.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(f"1.2.3.4.{last}"), b"\x05\x00"), critical=False
        )
    content = built.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)
    content = content.replace(b"\x06\x04\x2a\x03\x04\x06", b"\x06\x04\x2a\x03\x04\x05")
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "odd.pem").write_text(ssl.DER_cert_to_PEM_cert(content))
    (folder / "key.pem").write_bytes(private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "odd.pem", folder / "key.pem")
    return context


@pytest.mark.proves("A8")
async def test_own_authorities_stand_in_place_of_the_systems_and_the_error_says_so(
    transport: HttpTransport, authority: trustme.CA, stranger: trustme.CA
) -> None:
    async with http_peer(always(answer()), server_tls(stranger, HOST)) as peer:
        error = await failure(transport.send(to(peer.port, authority), HttpLimits()))
    assert str(error).endswith("add it to tlsConfig.caCerts, which replace the system's authorities")


@pytest.mark.proves("A8")
async def test_a_certificate_for_another_host_is_refused_and_its_hosts_named(
    transport: HttpTransport, authority: trustme.CA
) -> None:
    async with http_peer(always(answer()), server_tls(authority, "other.example")) as peer:
        error = await failure(transport.send(to(peer.port, authority), HttpLimits()))
    assert str(error) == (f"no TLS connection to {HOST}:{peer.port}: its certificate is for other.example, not {HOST}")


@pytest.mark.parametrize(
    ("begins", "ends", "said"),
    [
        (LONG_AGO, LONG_AGO + timedelta(days=1), "its certificate expired on 2020-01-02 00:00 UTC"),
        (datetime(2090, 1, 1, tzinfo=UTC), datetime(2091, 1, 1, tzinfo=UTC), "not valid before 2090-01-01 00:00 UTC"),
    ],
)
async def test_a_certificate_out_of_its_time_is_refused_with_the_date(
    transport: HttpTransport, authority: trustme.CA, begins: datetime, ends: datetime, said: str
) -> None:
    tls = server_tls(authority, HOST, not_before=begins, not_after=ends)
    async with http_peer(always(answer()), tls) as peer:
        error = await failure(transport.send(to(peer.port, authority), HttpLimits()))
    assert isinstance(error, TlsFailed)
    assert said in str(error)


async def test_what_does_not_speak_tls_is_named_as_such(transport: HttpTransport) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer(b"", "400 Bad Request"))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        error = await failure(transport.send(to(server.sockets[0].getsockname()[1]), HttpLimits()))
    assert isinstance(error, TlsFailed)
    assert "does not speak TLS; should the URL start with http://?" in str(error)


def pem(authority: trustme.CA) -> bytes:
    return authority.cert_pem.bytes()


def der(authority: trustme.CA) -> bytes:
    return x509.load_pem_x509_certificate(pem(authority)).public_bytes(Encoding.DER)


def bundle(authority: trustme.CA) -> bytes:
    return "# Behörde\n".encode("latin-1") + pem(trustme.CA()) + b"\r\nanother:\n" + pem(authority)


@pytest.mark.proves("A8")
@pytest.mark.parametrize("form", [pem, der, bundle])
async def test_own_authorities_are_trusted_in_every_form(
    transport: HttpTransport, authority: trustme.CA, form: Callable[[trustme.CA], bytes]
) -> None:
    async with http_peer(always(answer()), server_tls(authority, HOST)) as peer:
        trusted = (pem(trustme.CA()), form(authority))
        request = HttpRequest("GET", f"https://{HOST}:{peer.port}/", ca_certificates=trusted)
        assert (await transport.send(request, HttpLimits())).status == 200


@pytest.mark.proves("A8")
async def test_an_intermediate_authority_is_enough(transport: HttpTransport, authority: trustme.CA) -> None:
    between = authority.create_child_ca()
    async with http_peer(always(answer()), server_tls(between, HOST)) as peer:
        assert (await transport.send(to(peer.port, between), HttpLimits())).status == 200


async def test_connections_are_not_shared_between_different_trust(
    transport: HttpTransport, authority: trustme.CA
) -> None:
    async with http_peer(always(answer()), server_tls(authority, HOST)) as peer:
        assert (await transport.send(to(peer.port, authority), HttpLimits())).status == 200
        assert (await transport.send(to(peer.port, authority), HttpLimits())).status == 200
        assert peer.connections == 1
        assert isinstance(await failure(transport.send(to(peer.port), HttpLimits())), TlsFailed)


async def test_an_authority_that_cannot_be_read_is_numbered(transport: HttpTransport, authority: trustme.CA) -> None:
    request = HttpRequest("GET", f"https://{HOST}/", ca_certificates=(pem(authority), b"not a certificate"))
    error = await failure(transport.send(request, HttpLimits()))
    assert str(error) == "CA certificate 2 cannot be read; PEM and DER are accepted"


# What we show.


@pytest.mark.proves("A7")
@VERSIONS
@pytest.mark.parametrize("passphrase", [b"", b"open sesame"])
@pytest.mark.parametrize("form", ["PKCS#1", "PKCS#8", "EC"])
async def test_the_client_certificate_is_shown(
    transport: HttpTransport,
    authority: trustme.CA,
    clients: Clients,
    form: KeyForm,
    passphrase: bytes,
    newest: ssl.TLSVersion,
) -> None:
    tls = server_tls(authority, HOST, clients_of=authority, newest=newest)
    client = clients(form, passphrase)
    check_client_certificate(client)
    async with http_peer(always(answer()), tls) as peer:
        for _ in range(3):
            assert (await transport.send(to(peer.port, authority, client), HttpLimits())).status == 200
        assert peer.connections == 1


@pytest.mark.proves("A7")
async def test_connections_are_not_shared_between_client_certificates(
    transport: HttpTransport, authority: trustme.CA
) -> None:
    async with http_peer(always(answer()), server_tls(authority, HOST, clients_of=authority)) as peer:
        for client in (client_certificate(authority, "EC"), client_certificate(authority, "EC")):
            assert (await transport.send(to(peer.port, authority, client), HttpLimits())).status == 200
        assert peer.connections == 2
        assert isinstance(await failure(transport.send(to(peer.port, authority), HttpLimits())), TlsFailed)


@pytest.mark.proves("A7")
@VERSIONS
async def test_a_service_that_asks_for_a_client_certificate_is_named_as_such(
    transport: HttpTransport, authority: trustme.CA, newest: ssl.TLSVersion
) -> None:
    with tls_peer(server_tls(authority, HOST, clients_of=authority, newest=newest)) as port:
        error = await failure(transport.send(to(port, authority), HttpLimits()))
    assert (type(error), error.sent) == (TlsFailed, False)
    assert "asks for a client certificate: configure the agent's clientCertificateSettings" in str(error)


@pytest.mark.proves("A7")
@VERSIONS
async def test_a_client_certificate_of_an_unknown_authority_is_refused_in_words(
    transport: HttpTransport, authority: trustme.CA, stranger: trustme.CA, newest: ssl.TLSVersion
) -> None:
    with tls_peer(server_tls(authority, HOST, clients_of=authority, newest=newest)) as port:
        error = await failure(transport.send(to(port, authority, client_certificate(stranger, "EC")), HttpLimits()))
    assert str(error).endswith(": it does not trust the authority that signed the client certificate")


@VERSIONS
async def test_a_service_that_hangs_up_without_a_word_gets_a_guess(
    transport: HttpTransport, authority: trustme.CA, newest: ssl.TLSVersion
) -> None:
    # asyncio's servers end a handshake that they refuse without an alert.
    async with http_peer(always(answer()), server_tls(authority, HOST, clients_of=authority, newest=newest)) as peer:
        error = await failure(transport.send(to(peer.port, authority), HttpLimits()))
    assert isinstance(error, TlsFailed)
    assert "perhaps it asks for a client certificate" in str(error)


@pytest.mark.proves("A7")
async def test_a_redirect_to_another_origin_does_not_take_the_client_certificate_along(
    transport: HttpTransport, authority: trustme.CA
) -> None:
    asking = server_tls(authority, "other.example", clients_of=authority)
    async with http_peer(always(answer()), asking) as other:

        def lead(_: Received) -> bytes:
            return answer(b"", "302 Found", Location=f"https://other.example:{other.port}/")

        async with http_peer(lead, server_tls(authority, HOST, clients_of=authority)) as peer:
            request = to(peer.port, authority, client_certificate(authority, "EC"))
            error = await failure(transport.send(request, HttpLimits()))
            assert (len(peer.requests), other.requests) == (1, [])
    assert isinstance(error, TlsFailed)
    assert "asks for a client certificate" in str(error)


@pytest.mark.proves("A11")
async def test_a_redirect_from_https_to_http_is_not_followed(transport: HttpTransport, authority: trustme.CA) -> None:
    async with http_peer(always(answer())) as plain:
        moved = answer(b"", "302 Found", Location=f"http://{HOST}:{plain.port}/")
        async with http_peer(always(moved), server_tls(authority, HOST)) as peer:
            error = await failure(transport.send(to(peer.port, authority), HttpLimits()))
        assert plain.requests == []
    assert isinstance(error, AddressRefused)
    assert (error.rule, error.sent) == ("downgrade", True)


WRONG: dict[str, tuple[Callable[[ClientCertificate, ClientCertificate], ClientCertificate], str]] = {
    "certificate": (
        lambda ours, theirs: ClientCertificate(b"oops", ours.private_key),
        "the client certificate cannot be read; PEM is accepted",
    ),
    "key": (
        lambda ours, theirs: ClientCertificate(ours.certificate, b"oops"),
        "the private key of the client certificate cannot be read; PEM is accepted",
    ),
    "foreign key": (
        lambda ours, theirs: ClientCertificate(ours.certificate, theirs.private_key, theirs.passphrase),
        "the private key does not belong to the client certificate",
    ),
    "no passphrase": (
        lambda ours, theirs: ClientCertificate(theirs.certificate, theirs.private_key),
        "the private key of the client certificate is encrypted, but there is no passphrase",
    ),
    "wrong passphrase": (
        lambda ours, theirs: ClientCertificate(theirs.certificate, theirs.private_key, b"guess"),
        "the private key of the client certificate cannot be opened: the passphrase is wrong or the key damaged",
    ),
}


@pytest.mark.proves("A7")
@pytest.mark.parametrize("form", ["PKCS#1", "PKCS#8"])
@pytest.mark.parametrize("fault", WRONG)
async def test_a_client_certificate_that_cannot_be_used_is_refused_by_its_fault(
    transport: HttpTransport, authority: trustme.CA, clients: Clients, fault: str, form: KeyForm
) -> None:
    spoil, said = WRONG[fault]
    client = spoil(clients(form, b""), clients(form, b"secret"))
    with pytest.raises(TlsFailed) as caught:
        check_client_certificate(client)
    assert str(caught.value) == said
    error = await failure(transport.send(to(1, authority, client), HttpLimits()))
    assert (type(error), str(error), error.sent) == (TlsFailed, said, False)


async def test_a_client_certificate_that_has_expired_is_refused_with_the_date(authority: trustme.CA) -> None:
    client = client_certificate(authority, "EC", not_before=LONG_AGO, not_after=LONG_AGO + timedelta(days=1))
    with pytest.raises(TlsFailed, match="the client certificate expired on 2020-01-02 00:00 UTC"):
        check_client_certificate(client)


@pytest.mark.parametrize("in_memory", [True, False])
async def test_no_key_is_left_in_a_file(
    transport: HttpTransport,
    authority: trustme.CA,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    in_memory: bool,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if not in_memory:
        monkeypatch.delattr(os, "memfd_create")
    async with http_peer(always(answer()), server_tls(authority, HOST, clients_of=authority)) as peer:
        request = to(peer.port, authority, client_certificate(authority, "EC", b"secret"))
        assert (await transport.send(request, HttpLimits())).status == 200
    assert os.listdir(tmp_path) == []


def test_a_client_certificate_does_not_show_its_secrets(authority: trustme.CA) -> None:
    client = client_certificate(authority, "EC", b"open sesame")
    assert "open sesame" not in repr(client)
    assert "PRIVATE KEY" not in repr(client)


async def test_the_policy_holds_for_the_second_look_too(stranger: trustme.CA) -> None:
    transport = HttpTransport(AddressPolicy())
    error = await failure(get(transport, "https://127.0.0.1:1/"))
    await transport.aclose()
    assert isinstance(error, AddressRefused)
