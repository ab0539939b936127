"""Listening, and who may be let near."""

import socket

import pytest

from openplaybook.server.errors import CannotBind, Unprotected
from openplaybook.server.sockets import authority, bind, check_exposure, is_loopback, port_of, reachable_host


def test_the_socket_says_that_it_is_tcp() -> None:
    with bind("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_port_0_takes_a_free_port() -> None:
    with bind("127.0.0.1", 0) as listener:
        assert 1024 <= port_of(listener) <= 65535


def test_a_taken_port_is_refused_with_what_to_do() -> None:
    with bind("127.0.0.1", 0) as listener, pytest.raises(CannotBind) as refused:
        bind("127.0.0.1", port_of(listener), option="--grpc-port")
    assert str(refused.value).endswith("the port is taken; choose another --grpc-port, or 0 for a free one")


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host"])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(CannotBind, match=host):
        bind(host, 0)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("bot.example", False),
    ],
)
def test_only_loopback_addresses_are_this_machine_only(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_other_machines_are_not_served_without_authentication() -> None:
    with pytest.raises(Unprotected, match="--api-key-file"):
        check_exposure("0.0.0.0", is_authenticated=False, insecure=False)


@pytest.mark.parametrize(
    ("host", "has_keys", "insecure"), [("127.0.0.1", False, False), ("0.0.0.0", True, False), ("0.0.0.0", False, True)]
)
def test_loopback_keys_or_the_operators_word_are_enough(host: str, has_keys: bool, insecure: bool) -> None:
    check_exposure(host, is_authenticated=has_keys, insecure=insecure)


def test_an_ipv6_address_stands_in_brackets() -> None:
    assert (authority("::1", 80), authority("bot.example", 80)) == ("[::1]:80", "bot.example:80")


def test_a_server_on_every_address_is_reached_by_loopback() -> None:
    assert [reachable_host(host) for host in ("0.0.0.0", "::", "10.0.0.1")] == ["127.0.0.1", "::1", "10.0.0.1"]
