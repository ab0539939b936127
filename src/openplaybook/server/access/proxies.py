"""Where a request came from, when proxies stand before the server."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


class Proxies:
    """The machines whose `X-Forwarded-For` is believed; what others say there is worth nothing."""

    def __init__(self, networks: Sequence[Network] = ()) -> None:
        self._networks = tuple(networks)

    @property
    def are_there(self) -> bool:
        """Whether any machine is believed."""
        return bool(self._networks)

    def client(self, peer: str, forwarded_for: str) -> str:
        """The address of the client behind `peer`, the other end of the connection.

        Each proxy adds at the right whom it was called by, so the first one from there that is no proxy of ours is
        the client; what stands to its left is what the client claims.
        """
        client = peer
        for entry in reversed([entry.strip() for entry in forwarded_for.split(",") if entry.strip()]):
            if not self._is_trusted(client):
                break
            address = _address(entry)
            if not address:
                break
            client = address
        return client

    def _is_trusted(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            plain = plain_address(address)
        except ValueError:
            return False
        return any(plain in network for network in self._networks)


def plain_address(text: str) -> IPv4Address | IPv6Address:
    """An address; one of IPv4 that a socket of IPv6 shows as `::ffff:10.0.0.1` (RFC 4291 §2.5.5.2) as what it is.

    Raises `ValueError`.
    """
    address = ip_address(text)
    return getattr(address, "ipv4_mapped", None) or address


def parse_proxies(text: str) -> Proxies:
    """`10.0.0.0/8,127.0.0.1`. Raises `ValueError`."""
    networks: list[Network] = []
    entries = [entry.strip() for entry in text.split(",") if entry.strip()]
    for number, entry in enumerate(entries, start=1):
        try:
            networks.append(ip_network(entry))
        except ValueError as error:
            raise ValueError(f"entry {number} is neither an address nor a network: {error}") from error
    return Proxies(networks)


def _address(entry: str) -> str:
    """An entry without the port that some proxies add; empty where it is no address."""
    bare = entry.removeprefix("[").partition("]")[0] if entry.startswith("[") else entry
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(plain_address(bare.strip()))
    except ValueError:
        return ""
