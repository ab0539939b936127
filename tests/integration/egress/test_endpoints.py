"""Endpoints in a private network: dialled as given, while everything else goes by the URL's host."""

from collections.abc import AsyncIterator

import pytest
import trustme

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.base import Endpoint, HttpLimits, HttpRequest
from openplaybook.egress.errors import AddressRefused, ConnectFailed, TlsFailed
from openplaybook.egress.http_transport import HttpTransport
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.egress import QUICK, Names, failure
from tests.kit.http_peer import Answer, Received, answer, http_peer

pytestmark = pytest.mark.proves("A10")


@pytest.fixture
def names() -> Names:
    return Names({"public.example": [("10.0.0.1",)]})


@pytest.fixture
async def transport(names: Names) -> AsyncIterator[HttpTransport]:
    made = HttpTransport(AddressPolicy(), names)
    yield made
    await made.aclose()


def always(reply: bytes) -> Answer:
    return lambda _: reply


def at(*ports: int) -> tuple[Endpoint, ...]:
    return tuple(Endpoint("127.0.0.1", port) for port in ports)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://api.example", "api.example"),
        ("http://api.example:8080", "api.example:8080"),
        ("http://10.9.8.7", "10.9.8.7"),
        ("http://[fd00::7]:81", "[fd00::7]:81"),
    ],
)
async def test_an_endpoint_is_dialled_and_the_host_stays_the_urls(
    transport: HttpTransport, names: Names, origin: str, host: str
) -> None:
    async with http_peer(always(answer())) as peer:
        request = HttpRequest("GET", f"{origin}/a?b=c", endpoints=at(peer.port))
        assert (await transport.send(request, HttpLimits())).status == 200
        assert (peer.requests[0].target, peer.requests[0].header("Host")) == ("/a?b=c", host)
    assert names.asked == []


@pytest.mark.parametrize("host", ["api.example", "10.9.8.7"])
async def test_the_certificate_is_checked_against_the_urls_host(transport: HttpTransport, host: str) -> None:
    authority = trustme.CA()
    trusted = (authority.cert_pem.bytes(),)
    tls = server_tls(authority, host, clients_of=authority)
    client = client_certificate(authority, "EC")
    async with http_peer(always(answer()), tls) as peer:
        request = HttpRequest("GET", f"https://{host}/", (), None, trusted, client, at(peer.port))
        assert (await transport.send(request, HttpLimits())).status == 200
        other = HttpRequest("GET", "https://other.example/", (), None, trusted, client, at(peer.port))
        error = await failure(transport.send(other, HttpLimits()))
    assert isinstance(error, TlsFailed)
    assert str(error) == f"no TLS connection to other.example:443: its certificate is for {host}, not other.example"


async def test_endpoints_are_tried_in_their_order(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as gone:
        closed = gone.port
    async with http_peer(always(answer(b'"first"'))) as first, http_peer(always(answer(b'"second"'))) as second:

        async def body_from(*ports: int) -> bytes:
            request = HttpRequest("GET", "http://api.example/", endpoints=at(*ports))
            return (await transport.send(request, HttpLimits())).body

        assert await body_from(first.port, second.port) == b'"first"'
        assert await body_from(second.port, first.port) == b'"second"'
        assert await body_from(closed, second.port) == b'"second"'
    error = await failure(transport.send(HttpRequest("GET", "http://api.example/", endpoints=at(closed)), HttpLimits()))
    assert (type(error), error.sent) == (ConnectFailed, False)


async def test_connections_are_kept_for_an_endpoint_and_not_shared_with_another(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as one, http_peer(always(answer())) as two:
        for peer in (one, two, one, two):
            request = HttpRequest("GET", "http://api.example/", endpoints=at(peer.port))
            assert (await transport.send(request, HttpLimits())).status == 200
        assert [(len(peer.requests), peer.connections) for peer in (one, two)] == [(2, 1), (2, 1)]


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("169.254.169.254", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("169.254.1.1", "link_local"),
        ("224.0.0.1", "multicast"),
        ("0.0.0.0", "unspecified"),
        ("::", "unspecified"),
        ("::ffff:10.0.0.1", "ipv4_mapped"),
        ("64:ff9b::a00:1", "nat64"),
        ("2002:a00:1::", "6to4"),
        ("10.1", "odd_address"),
        ("fe80::1%eth0", "odd_address"),
        ("internal.example", "odd_address"),
    ],
)
async def test_what_is_no_private_address_is_no_endpoint(transport: HttpTransport, address: str, rule: str) -> None:
    request = HttpRequest("GET", "http://api.example/", endpoints=(Endpoint("127.0.0.1", 1), Endpoint(address, 80)))
    error = await failure(transport.send(request, QUICK))
    assert isinstance(error, AddressRefused)
    assert (error.rule, error.sent) == (rule, False)


@pytest.mark.parametrize("port", [0, 65536, -1])
async def test_an_endpoint_has_a_port(transport: HttpTransport, port: int) -> None:
    request = HttpRequest("GET", "http://api.example/", endpoints=at(port))
    assert isinstance(await failure(transport.send(request, QUICK)), AddressRefused)


async def test_a_metadata_host_stays_refused_whatever_the_endpoint(transport: HttpTransport) -> None:
    error = await failure(transport.send(HttpRequest("GET", "http://169.254.169.254/", endpoints=at(1)), QUICK))
    assert isinstance(error, AddressRefused)
    assert error.rule == "metadata"


async def test_a_redirect_within_the_host_stays_in_the_private_network(transport: HttpTransport) -> None:
    def lead(request: Received) -> bytes:
        if request.target == "/here":
            return answer(b'"here"')
        return answer(b"moved", "302 Found", Location="http://api.example/here")

    async with http_peer(lead) as peer:
        request = HttpRequest("GET", "http://api.example/", endpoints=at(peer.port))
        assert (await transport.send(request, HttpLimits())).body == b'"here"'
        assert peer.connections == 1


@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("http://127.0.0.1/", "loopback"),
        ("http://10.0.0.5/", "private"),
        ("http://public.example/", "private"),
        ("http://169.254.169.254/", "metadata"),
        ("http://127000001.0050.endpoints.invalid/", "unknown"),
    ],
)
async def test_a_redirect_to_another_host_leaves_the_private_network(
    transport: HttpTransport, location: str, rule: str
) -> None:
    async with http_peer(always(answer(b"", "302 Found", Location=location))) as peer:
        request = HttpRequest("GET", "http://api.example/", endpoints=at(peer.port))
        error = await failure(transport.send(request, QUICK))
    assert getattr(error, "rule", "unknown") == rule
    assert error.sent


async def test_a_public_url_cannot_spell_an_endpoint(transport: HttpTransport) -> None:
    async with http_peer(always(answer())) as peer:
        url = f"http://7f000001{peer.port:04x}.endpoints.invalid/"
        assert isinstance(await failure(transport.send(HttpRequest("GET", url), QUICK)), ConnectFailed)
        assert peer.requests == []
