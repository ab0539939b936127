"""Whether a known caller may call an RPC now: by its role, as `rpc_roles.toml` says, and by how much it called."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from ipaddress import IPv6Address, ip_network

from openplaybook.jsonvalues import as_list
from openplaybook.server.access.principals import Principal, Role, current_client, current_principal
from openplaybook.server.access.proxies import plain_address
from openplaybook.server.access.rate_limits import Caller, RateLimiter
from openplaybook.server.access.refusals import Report, role_missing, too_many
from openplaybook.wire.api import Method, unversioned
from openplaybook.wire.errors import RpcError

TURNS = frozenset(
    {
        "google.cloud.dialogflow.cx.Sessions.DetectIntent",
        "google.cloud.dialogflow.cx.Sessions.ServerStreamingDetectIntent",
        "google.cloud.dialogflow.cx.Sessions.StreamingDetectIntent",
        "google.cloud.ces.SessionService.BidiRunSession",
        "google.cloud.ces.SessionService.RunSession",
        "google.cloud.ces.SessionService.StreamRunSession",
    }
)
"""RPCs, by name without version, that take a turn of a conversation."""

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
        if not self.is_limiting:
            return
        caller = (_ADDRESS, share_of(client)) if principal is None else (principal.kind.value, principal.name)
        _take(self.requests, caller)
        if unversioned(method) in TURNS:
            _take(self.turns, caller)


def admit_current(gate: Gate, report: Report, method: Method) -> None:
    """`Gate.admit` for the caller whose request this task answers, over REST; who is refused is reported."""
    principal, client = current_principal(), current_client()
    try:
        gate.admit(method.full_name, principal, client)
    except RpcError as error:
        report(method.full_name, error, "rest", principal, client)
        raise


def needed_role(method: str) -> Role:
    """The least role that may call an RPC, by its full name; an administrator's where the table does not name it."""
    name = unversioned(method)
    named = roles_by_name()
    return named.get(name) or named.get(f"{name.rpartition('.')[0]}.*") or Role.ADMIN


@functools.cache
def roles_by_name() -> Mapping[str, Role]:
    """The table: names of RPCs, or `Service.*`, without versions."""
    text = resources.files(__package__ or "").joinpath("rpc_roles.toml").read_text(encoding="utf-8")
    return {str(name): Role(role) for role, names in tomllib.loads(text).items() for name in as_list(names)}


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
