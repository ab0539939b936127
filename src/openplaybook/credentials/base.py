"""The `Authenticator` port: adds what proves who we are to a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonValue


@dataclass(slots=True)
class AuthContext:
    """What an authenticator may know of the conversation, and what it tells about itself."""

    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Session parameters."""
    secrets: list[str] = field(default_factory=list[str])
    """The authenticator adds every secret it put into the request, so that traces can mask them."""


class Authenticator(Protocol):
    """One way to prove who we are; immutable, shared by all calls of a tool."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the credential in it; raises a subclass of `CredentialError`."""
        ...


class NoAuthentication:
    """For services that ask for none."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` as it is."""
        return request
