"""Hosts and origins, compared as what they mean."""

import pytest

from openplaybook.egress.web_origin import WebOrigin, authority_of, bare_origin, canonical_host, origin_of


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://API.Example/x?y#z", "https://api.example"),
        ("https://api.example:443/", "https://api.example"),
        ("https://api.example.:0443", "https://api.example"),
        ("https://api.example:", "https://api.example"),
        ("http://[0:0:0:0:0:0:0:1]:80/x", "http://[::1]"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example"),
        ("http://127.0.0.1?x=/", "http://127.0.0.1"),
    ],
)
def test_two_spellings_of_one_origin_are_one(url: str, same: str) -> None:
    assert origin_of(url) == origin_of(same)
    assert str(origin_of(url)) == same


@pytest.mark.parametrize(
    "other",
    [
        "http://api.example",
        "https://api.example:8443",
        "https://api.example.evil",
        "https://xapi.example",
        "https://api",
    ],
)
def test_another_scheme_host_or_port_is_another_origin(other: str) -> None:
    assert origin_of("https://api.example") != origin_of(other)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example",
        "//api.example",
        "ftp://api.example",
        "https://",
        "https://:443",
        "https://user@api.example",
        "http://evil@localhost",
        "http://localhost\\@evil.example",
        "https://api.example:0",
        "https://api.example:65536",
        "https://api.example:8x",
        "https://api.example:\u0664\u0664\u0663",
        "https://api%2eexample",
        "https://api..example",
        "https://127.1",
        "https://0x7f000001",
        "https://2130706433",
        "https://127.0.0.01",
        "https://[::1",
        "https://::1",
        "https://[127.0.0.1]",
        "https://[fe80::1%25eth0]",
        "https://[::1]evil.example",
        "https://a b.example",
        f"https://{'a' * 64}.example",
        f"https://{'a.' * 2000}example",
    ],
)
def test_what_two_readers_could_take_for_different_hosts_is_no_origin(url: str) -> None:
    assert origin_of(url) is None


def test_an_origin_that_stands_alone_has_no_path() -> None:
    assert bare_origin("https://api.example") == WebOrigin("https", "api.example", 443)
    assert [bare_origin(f"https://api.example{rest}") for rest in ("/", "?x", "#x", "/x")] == [None] * 4


def test_an_authority_is_a_host_and_a_port() -> None:
    found = [authority_of(text, 80) for text in ("LocalHost.", "localhost:8080", "[::1]:9", "[::1]", "::1", "a@b", "")]
    assert found == [("localhost", 80), ("localhost", 8080), ("::1", 9), ("::1", 80), None, None, None]


def test_a_host_has_one_spelling() -> None:
    hosts = ("Example.COM.", "2001:DB8::0:1", "127.0.0.1", "a_b-c", "*", "é.example", "")
    assert [canonical_host(host) for host in hosts] == [
        "example.com",
        "2001:db8::1",
        "127.0.0.1",
        "a_b-c",
        "",
        "xn--9ca.example",
        "",
    ]
