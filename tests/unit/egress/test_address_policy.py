from ipaddress import ip_network

import pytest

from openplaybook.egress.address_policy import AddressPolicy, checked_url, parse_allow
from openplaybook.egress.errors import AddressRefused
from tests.kit.hostile_web.urls import URLS


def rule_of(url: str, allow: str = "") -> str | None:
    try:
        checked_url(url, AddressPolicy(parse_allow(allow)))
    except AddressRefused as error:
        return error.rule
    return None


@pytest.mark.proves("A11")
@pytest.mark.parametrize("url", URLS, ids=lambda url: repr(url[:60]))
def test_a_hostile_url_is_refused_by_the_rule_it_breaks(url: str) -> None:
    assert rule_of(url) == URLS[url]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a?b=c#d",
        "http://example.com:8080/",
        "http://EXAMPLE.com./",
        "http://bücher.example/",
        "http://8.8.8.8/",
        "http://[2606:4700::1111]/",
        "http://a_b.example.com/",
        "http://3com.example/",
        "http://localhost/",
    ],
)
def test_public_addresses_and_names_yet_to_be_resolved_pass(url: str) -> None:
    assert rule_of(url) is None


@pytest.mark.parametrize("metadata", [url for url, rule in URLS.items() if rule == "metadata"])
def test_metadata_services_stay_refused_when_everything_is_allowed(metadata: str) -> None:
    assert rule_of(metadata, "0.0.0.0/0, ::/0") == "metadata"


def test_endpoints_in_a_private_network_may_be_private_and_nothing_else() -> None:
    policy = AddressPolicy().within_private_network()
    for address in ("10.1.2.3", "127.0.0.1", "100.64.0.1", "192.168.1.1", "fd00::1", "::1", "8.8.8.8"):
        policy.check_address(address, "api.example")
    refused = (
        "169.254.169.254",
        "169.254.1.1",
        "224.0.0.1",
        "0.0.0.0",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "240.0.0.1",
    )
    for address in refused:
        with pytest.raises(AddressRefused):
            policy.check_address(address, "api.example")


def test_an_allowed_range_opens_itself_and_nothing_else() -> None:
    assert rule_of("http://10.1.2.3/", "10.1.2.0/24") is None
    assert rule_of("http://10.1.3.3/", "10.1.2.0/24") == "private"
    assert rule_of("http://127.0.0.1/", "10.1.2.0/24") == "loopback"


def test_allowing_ipv4_does_not_allow_its_ipv6_disguises() -> None:
    assert rule_of("http://[::ffff:127.0.0.1]/", "127.0.0.0/8") == "ipv4_mapped"


def test_a_host_that_passed_once_does_not_let_its_neighbour_pass() -> None:
    policy = AddressPolicy()
    policy.check_host("8.8.8.8")
    policy.check_host("8.8.8.8")
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1 may not be reached") as caught:
        policy.check_host("10.0.0.1")
    assert str(caught.value).endswith(
        ": it is in a private network; the operator can allow it with the server's OPENPLAYBOOK_EGRESS_ALLOW"
    )


def test_allowed_ranges_are_read_from_a_list() -> None:
    assert parse_allow(" 127.0.0.0/8, 10.1.2.3,::1 ,") == (
        ip_network("127.0.0.0/8"),
        ip_network("10.1.2.3/32"),
        ip_network("::1/128"),
    )
    assert parse_allow("") == ()


@pytest.mark.parametrize(("text", "entry"), [("127.0.0.0/8,oops", "entry 2"), ("10.0.0.1/8", "entry 1")])
def test_an_unreadable_range_is_named(text: str, entry: str) -> None:
    with pytest.raises(ValueError, match=entry):
        parse_allow(text)
