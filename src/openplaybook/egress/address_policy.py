"""Which URLs and addresses tools may reach: public ones, and what the operator allows.

The blocks are those of the IANA special-purpose address registries; the metadata addresses are those the large
clouds document.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from yarl import URL

from openplaybook.egress.base import Endpoint
from openplaybook.egress.errors import AddressRefused

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

_METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
    )
)

_BLOCKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("unspecified", ("0.0.0.0/8", "::/128")),
    ("loopback", ("127.0.0.0/8", "::1/128")),
    ("private", ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")),
    ("shared", ("100.64.0.0/10",)),
    ("link_local", ("169.254.0.0/16", "fe80::/10")),
    ("multicast", ("224.0.0.0/4", "ff00::/8")),
    ("ipv4_mapped", ("::ffff:0:0/96", "::ffff:0:0:0/96")),
    ("ipv4_compatible", ("::/96",)),
    ("nat64", ("64:ff9b::/96", "64:ff9b:1::/48")),
    ("6to4", ("2002::/16", "192.88.99.0/24")),
    ("teredo", ("2001::/32",)),
    ("reserved", ("192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24")),
    ("reserved", ("240.0.0.0/4", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16")),
)
_RULES = tuple((rule, ip_network(block)) for rule, blocks in _BLOCKS for block in blocks)

_PRIVATE_NETWORK = ("loopback", "private", "shared")
"""Rules whose addresses an endpoint in a private network may have."""

_KEPT_HOSTS = 1024
"""Hosts that passed are remembered: every call of a tool asks about the same few."""

_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
_MAX_NAME = 253
_MAX_LABEL = 63
"""Characters of a name and of each of its parts (RFC 1035 §2.3.4)."""
_NUMBER_LABEL = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")

_FORBIDDEN_IN_URL = re.compile(r"[\x00-\x20\x7f\\]")
_ODD_PORT = re.compile(r":[^\]:]*[^\]:0-9][^\]:]*$", re.ASCII)
"""Signs, and digits of other scripts, which Python takes for numbers."""
_MAX_CHARACTERS = 64_000
"""More than any server takes in a request line."""


def parse_allow(text: str) -> tuple[Network, ...]:
    """The networks of a list such as `127.0.0.0/8, 10.1.2.3`, the form of OPENPLAYBOOK_EGRESS_ALLOW.

    Raises `ValueError` naming the entry that is not an address or a network.
    """
    networks: list[Network] = []
    for position, entry in enumerate(text.split(","), start=1):
        stripped = entry.strip()
        if not stripped:
            continue
        try:
            networks.append(ip_network(stripped))
        except ValueError as error:
            raise ValueError(
                f"entry {position} of the allowed egress ranges is {stripped!r}: {error}; "
                "allowed are addresses and networks, such as 127.0.0.0/8 or 10.1.2.3, separated by commas"
            ) from error
    return tuple(networks)


class AddressPolicy:
    """Refuses addresses that are not public, unless the operator allowed them; metadata addresses always."""

    def __init__(self, allow: Sequence[Network] = ()) -> None:
        self._allow = tuple(allow)
        self._passed: set[str] = set()

    def within_private_network(self) -> "AddressPolicy":
        """The policy for endpoints in a private network: these may be private, and what is refused else stays so."""
        blocks = (network for rule, network in _RULES if rule in _PRIVATE_NETWORK)
        return AddressPolicy((*self._allow, *blocks))

    def check_host(self, host: str) -> None:
        """Check the host of a URL before it is resolved; raises `AddressRefused`.

        An address is judged at once. A name passes here and its addresses are judged by `check_address`. A host
        that ends in a number but is not a canonical address (`127.1`, `0x7f000001`) is refused, because resolvers
        disagree about what it means.
        """
        if host in self._passed:
            return
        self._check_host(host)
        if len(self._passed) < _KEPT_HOSTS:
            self._passed.add(host)

    def _check_host(self, host: str) -> None:
        bare = host.rstrip(".")
        if ":" in bare:
            self.check_address(bare, host)
            return
        if not _NAME.fullmatch(host):
            raise AddressRefused(f"{host[:80]!r} is not a host name", rule="malformed_url")
        if len(bare) > _MAX_NAME or max(map(len, bare.split("."))) > _MAX_LABEL:
            raise AddressRefused(f"the host name {host[:80]!r}… is longer than names can be", rule="malformed_url")
        if _NUMBER_LABEL.fullmatch(bare.rpartition(".")[2]):
            if bare != host:
                raise AddressRefused(f"{host!r} is an address with a trailing dot", rule="odd_address")
            self.check_address(bare, host)

    def check_address(self, address: str, host: str) -> None:
        """Check one address that `host` stands for; raises `AddressRefused`."""
        try:
            parsed = ip_address(address)
        except ValueError:
            raise AddressRefused(f"{address[:80]!r} is not a canonical IP address", rule="odd_address") from None
        if isinstance(parsed, IPv6Address) and parsed.scope_id is not None:
            raise AddressRefused(f"{host} names a network interface, which is not allowed", rule="odd_address")
        rule = self._broken_rule(parsed)
        if rule is not None:
            named = host if host == address else f"{host} ({address})"
            raise AddressRefused(f"{named} may not be reached: {REASONS[rule]}", rule=rule)

    def check_endpoint(self, endpoint: Endpoint, host: str) -> None:
        """Check an endpoint that is dialled in place of `host`; raises `AddressRefused`."""
        self.check_address(endpoint.address, host)
        if not 0 < endpoint.port < 65536:
            raise AddressRefused(f"port {endpoint.port} of an endpoint of {host} is not a port", rule="malformed_url")

    def _broken_rule(self, address: Address) -> str | None:
        if address in _METADATA or any(inner in _METADATA for inner in _embedded(address)):
            return "metadata"
        if any(address in network for network in self._allow):
            return None
        rule = next((rule for rule, network in _RULES if address in network), None)
        if rule is None and not address.is_global:
            return "reserved"
        return rule


def checked_url(text: str, policy: AddressPolicy) -> URL:
    """The URL to send to, host checked by `policy`; raises `AddressRefused` with the rule it breaks."""
    if len(text) > _MAX_CHARACTERS:
        raise AddressRefused(f"the URL is longer than {_MAX_CHARACTERS} characters", rule="malformed_url")
    if _FORBIDDEN_IN_URL.search(text):
        raise AddressRefused("the URL contains a blank, a control character or a backslash", rule="malformed_url")
    try:
        url = URL(text, encoded=True)
        if url.raw_host and not url.raw_host.isascii():
            url = url.with_host(url.raw_host)
        host, port = url.raw_host, url.port
    except ValueError as error:
        raise AddressRefused("the URL cannot be read", rule="malformed_url") from error
    if url.scheme not in ("http", "https"):
        raise AddressRefused(f"only http and https are allowed, not {url.scheme[:20]!r}", rule="scheme")
    if url.raw_user is not None or url.raw_password is not None:
        raise AddressRefused("the URL contains a user name or password; set authentication instead", rule="userinfo")
    if not host or port is None or not 0 < port < 65536 or _ODD_PORT.search(url.raw_authority):
        raise AddressRefused("the URL has no host, or its port is not between 1 and 65535", rule="malformed_url")
    policy.check_host(host)
    return url


def _embedded(address: Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address carries, by any of the transition schemes."""
    if isinstance(address, IPv4Address):
        return ()
    value = int(address)
    inner = [IPv4Address(value & 0xFFFFFFFF), IPv4Address(~value & 0xFFFFFFFF)]
    if address.sixtofour is not None:
        inner.append(address.sixtofour)
    if address.teredo is not None:
        inner.extend(address.teredo)
    return tuple(inner)


_ALLOWED_BY = "the operator can allow it with the server's OPENPLAYBOOK_EGRESS_ALLOW"

REASONS = {
    "metadata": "it is the metadata service of a cloud",
    "unspecified": "it is not a valid destination",
    "loopback": f"it is this machine; {_ALLOWED_BY}",
    "private": f"it is in a private network; {_ALLOWED_BY}",
    "shared": f"it is in a carrier's shared network; {_ALLOWED_BY}",
    "link_local": f"it is link-local; {_ALLOWED_BY}",
    "multicast": "it is a multicast address",
    "ipv4_mapped": "it is an IPv4 address in an IPv6 disguise",
    "ipv4_compatible": "it is an IPv4 address in an IPv6 disguise",
    "nat64": "it is an IPv4 address behind a NAT64 prefix",
    "6to4": "it is an IPv4 address behind a 6to4 prefix",
    "teredo": "it is an IPv4 address behind a Teredo prefix",
    "reserved": "it is in a reserved block",
}
"""By rule, how the refusal of an address ends."""
