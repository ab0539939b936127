"""Where a request came from."""

import pytest

from openplaybook.server.access.grpc_gate import address_of
from openplaybook.server.access.proxies import parse_proxies

TRUSTED = parse_proxies("10.0.0.0/8, ::1")


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"),
        ("10.0.0.1", "198.51.100.1:5000", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"),
        ("", "198.51.100.1", ""),
        ("10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "2001:DB8:0:0::7", "2001:db8::7"),
        ("::ffff:10.0.0.1", "198.51.100.1,::ffff:10.0.0.2", "198.51.100.1"),
    ],
)
def test_only_proxies_that_are_trusted_are_believed(peer: str, forwarded: str, client: str) -> None:
    assert TRUSTED.client(peer, forwarded) == client


def test_without_trusted_proxies_nobody_is_believed() -> None:
    assert parse_proxies("").client("127.0.0.1", "198.51.100.1") == "127.0.0.1"


@pytest.mark.parametrize("text", ["10.0.0.1/8", "proxy.example", "10.0.0.0/8,300.0.0.1"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"entry \d is neither an address nor a network"):
        parse_proxies(text)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:127.0.0.1:5000", "127.0.0.1"),
        ("ipv6:%5B::1%5D:5000", "::1"),
        ("ipv6:[::1]:5000", "::1"),
        ("unix:", ""),
    ],
)
def test_grpcs_name_of_a_peer_holds_its_address(peer: str, address: str) -> None:
    assert address_of(peer) == address
