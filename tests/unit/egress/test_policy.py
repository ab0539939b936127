from ipaddress import ip_network

import pytest

from openplaybook.egress.errors import AddressRefused
from openplaybook.egress.http import checked_url
from openplaybook.egress.policy import AddressPolicy, parse_allow

HOSTILE = {
    # Plain addresses that are not public.
    "http://127.0.0.1/": "loopback",
    "http://127.255.255.254/": "loopback",
    "http://0.0.0.0/": "unspecified",
    "http://0.1.2.3/": "unspecified",
    "http://10.0.0.1/": "private",
    "http://10.255.255.255/": "private",
    "http://172.16.0.1/": "private",
    "http://172.31.255.255/": "private",
    "http://192.168.0.1/": "private",
    "http://100.64.0.1/": "shared",
    "http://100.127.255.255/": "shared",
    "http://169.254.0.1/": "link_local",
    "http://192.0.0.1/": "reserved",
    "http://192.0.2.1/": "reserved",
    "http://198.18.0.1/": "reserved",
    "http://198.51.100.7/": "reserved",
    "http://203.0.113.7/": "reserved",
    "http://192.88.99.1/": "6to4",
    "http://224.0.0.1/": "multicast",
    "http://239.255.255.255/": "multicast",
    "http://240.0.0.1/": "reserved",
    "http://255.255.255.255/": "reserved",
    # Metadata services.
    "http://169.254.169.254/latest/meta-data/": "metadata",
    "http://169.254.170.2/v2/credentials": "metadata",
    "http://169.254.170.23/": "metadata",
    "http://100.100.100.200/": "metadata",
    "http://168.63.129.16/": "metadata",
    "http://192.0.0.192/": "metadata",
    "http://[fd00:ec2::254]/": "metadata",
    "http://[fd20:ce::254]/": "metadata",
    # IPv6, and IPv4 within it.
    "http://[::]/": "unspecified",
    "http://[::1]/": "loopback",
    "http://[0:0:0:0:0:0:0:1]/": "loopback",
    "http://[fc00::1]/": "private",
    "http://[fdff::1]/": "private",
    "http://[fec0::1]/": "private",
    "http://[fe80::1]/": "link_local",
    "http://[fe80::1%25eth0]/": "odd_address",
    "http://[ff02::1]/": "multicast",
    "http://[::ffff:127.0.0.1]/": "ipv4_mapped",
    "http://[::ffff:8.8.8.8]/": "ipv4_mapped",
    "http://[::ffff:169.254.169.254]/": "metadata",
    "http://[::127.0.0.1]/": "ipv4_compatible",
    "http://[64:ff9b::a00:1]/": "nat64",
    "http://[64:ff9b::169.254.169.254]/": "metadata",
    "http://[64:ff9b:1::1]/": "nat64",
    "http://[2002:7f00:1::]/": "6to4",
    "http://[2002:a9fe:a9fe::]/": "metadata",
    "http://[2001:0:1::1]/": "teredo",
    "http://[2001:db8::1]/": "reserved",
    "http://[100::1]/": "reserved",
    # Odd spellings of addresses.
    "http://127.1/": "odd_address",
    "http://127.0.1/": "odd_address",
    "http://2130706433/": "odd_address",
    "http://0x7f000001/": "odd_address",
    "http://0x7f.0.0.1/": "odd_address",
    "http://0177.0.0.1/": "odd_address",
    "http://127.0.0.01/": "odd_address",
    "http://127.0.0.1./": "odd_address",
    "http://1.2.3.4.5/": "odd_address",
    "http://example.0x10/": "odd_address",
    "http://256.256.256.256/": "odd_address",
    "http://①②⑦.⓪.⓪.①/": "loopback",
    "http://127。0。0。1/": "loopback",
    "http://%31%32%37.0.0.1/": "malformed_url",
    # URLs that two parsers read in two ways.
    "http://example.com\\@127.0.0.1/": "malformed_url",
    "http://example.com /": "malformed_url",
    "http://exa\tmple.com/": "malformed_url",
    "http://example.com\r\nHost: other/": "malformed_url",
    "http://user:password@example.com/": "userinfo",
    "http://example.com@127.0.0.1/": "userinfo",
    "http:///path": "malformed_url",
    "http://exa_mple!.com/": "malformed_url",
    "http://example.com:0/": "malformed_url",
    "http://example.com:99999/": "malformed_url",
    "http://[::1/": "malformed_url",
    # Other schemes.
    "file:///etc/passwd": "scheme",
    "ftp://example.com/": "scheme",
    "gopher://example.com/": "scheme",
    "data:text/plain,hello": "scheme",
    "//example.com/": "scheme",
    "": "scheme",
}


def rule_of(url: str, allow: str = "") -> str | None:
    try:
        checked_url(url, AddressPolicy(parse_allow(allow)))
    except AddressRefused as error:
        return error.rule
    return None


@pytest.mark.proves("A11")
@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_refused_by_the_rule_it_breaks(url: str) -> None:
    assert rule_of(url) == HOSTILE[url]


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


@pytest.mark.parametrize("metadata", [url for url, rule in HOSTILE.items() if rule == "metadata"])
def test_metadata_services_stay_refused_when_everything_is_allowed(metadata: str) -> None:
    assert rule_of(metadata, "0.0.0.0/0, ::/0") == "metadata"


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
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1 may not be reached"):
        policy.check_host("10.0.0.1")


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
