"""Whether a known caller may call an RPC now."""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_network

from openplaybook.server.access.principals import Principal
from openplaybook.server.access.proxies import plain_address
from openplaybook.server.access.rates import Caller, RateLimiter
from openplaybook.server.access.refusals import role_missing, too_many
from openplaybook.server.access.rpc_roles import TURNS, needed_role, unversioned

_ADDRESS = "address"
"""The kind of a caller whom nothing was asked."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Roles and limits."""

    requests: RateLimiter | None = None
    turns: RateLimiter | None = None

    @property
    def is_limiting(self) -> bool:
        """Whether callers have to be told apart at all."""
        return self.requests is not None or self.turns is not None

    def admit(self, method: str, principal: Principal | None, client: str) -> None:
        """Return when a caller may call an RPC, by its full name; None is somebody whom nothing was asked.

        Raises `RpcError`: PERMISSION_DENIED or RESOURCE_EXHAUSTED.
        """
        if principal is not None:
            needed = needed_role(method)
            if not principal.role.may(needed):
                raise role_missing(method, principal.role, needed)
            if not principal.is_limited:
                return
        caller = (_ADDRESS, share_of(client)) if principal is None else (principal.kind.value, principal.name)
        _take(self.requests, caller)
        if unversioned(method) in TURNS:
            _take(self.turns, caller)


def share_of(client: str) -> str:
    """Who is counted as one: an address of IPv4, or the whole /64 that one host has of IPv6 (RFC 6177)."""
    try:
        address = plain_address(client)
    except ValueError:
        return client
    return str(ip_network((address.packed, 64), strict=False) if isinstance(address, IPv6Address) else address)


def _take(limiter: RateLimiter | None, caller: Caller) -> None:
    wait_s = limiter.take(caller) if limiter is not None else 0.0
    if limiter is not None and wait_s:
        raise too_many(wait_s, limiter.rate.text)
