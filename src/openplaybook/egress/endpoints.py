"""Endpoints in a private network, in the form that aiohttp's connection pools keep apart.

aiohttp dials what its resolver says, asks it about names only, and shares connections between requests to one host. So
the endpoints themselves are spelled as a host name, which the resolver of a session of its own reads back; the
URL's host goes into the `Host` header, the server name and the check of the certificate.
"""

import socket
from collections.abc import Sequence
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from openplaybook.egress.base import Endpoint
from openplaybook.egress.errors import AddressRefused
from openplaybook.egress.policy import AddressPolicy
from openplaybook.egress.resolver import dialled

_MAX_ENDPOINTS = 16
_SUFFIX = ".endpoints.invalid"
_PORT_DIGITS = 4


def host_of(endpoints: Sequence[Endpoint], host: str, policy: AddressPolicy) -> str:
    """The name that stands for the first sixteen of `endpoints`, each checked by `policy`; `host` is the URL's.

    Raises `AddressRefused`.
    """
    labels: list[str] = []
    for endpoint in endpoints[:_MAX_ENDPOINTS]:
        policy.check_address(endpoint.address, host)
        if not 0 < endpoint.port < 65536:
            raise AddressRefused(f"port {endpoint.port} of an endpoint of {host} is not a port", rule="malformed_url")
        labels.append(f"{ip_address(endpoint.address).packed.hex()}{endpoint.port:0{_PORT_DIGITS}x}")
    return ".".join(labels) + _SUFFIX


class EndpointResolver(AbstractResolver):
    """Reads what `host_of` wrote; nothing is looked up."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The endpoints in their order."""
        return [
            dialled(host, int(label[-_PORT_DIGITS:], 16), str(ip_address(bytes.fromhex(label[:-_PORT_DIGITS]))))
            for label in host.removesuffix(_SUFFIX).split(".")
        ]

    async def close(self) -> None:
        """Nothing is held."""
