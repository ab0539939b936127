"""The ports of this room: what authenticates a request, and where secrets and identities come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.credentials.errors import CredentialUnsupported
from openplaybook.egress.base import Endpoint, HttpRequest, Transport
from openplaybook.jsonvalues import JsonValue


@dataclass(slots=True)
class AuthContext:
    """What an authenticator may know of the conversation, and what it tells about itself."""

    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Session parameters."""
    secrets: list[str] = field(default_factory=list[str])
    """The authenticator adds every secret it put into the request, so that traces can mask them."""
    timeout_s: float = 30.0
    """Time left for getting a credential."""


class Authenticator(Protocol):
    """One way to prove who we are; shared by all calls of a tool."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with the credential in it; raises a subclass of `CredentialError`."""
        ...

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Told that the service answered 401 to `request`, as `apply` gave it.

        Whether `apply` may give another credential now: true for tokens that were kept and are forgotten here, false
        for what is written in the tool.
        """
        ...


class NoAuthentication:
    """For services that ask for none."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` as it is."""
        return request

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """There is no other."""
        return False


class Secrets(Protocol):
    """Values by the name of their version."""

    async def access(self, version: str) -> str:
        """The value of `projects/P/secrets/S/versions/V`, V a number or `latest`, without a newline at its end.

        Asked at every call, so that a new version is used without a restart. Raises `CredentialError`.
        """
        ...


class NoSecrets:
    """For where no store of secrets is configured."""

    async def access(self, version: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported(f"the secret {version} cannot be read: no store of secrets is configured here")


class Identity(Protocol):
    """Who this server is to services that trust its issuer, and what it may act as at Google."""

    async def id_token(self, audience: str, agent: str) -> str:
        """A signed OpenID Connect ID token of the agent's service agent; raises `CredentialError`."""
        ...

    async def access_token(self, scopes: Sequence[str], service_account: str) -> str:
        """An OAuth access token of a service account, or of the service agent when it is empty.

        Raises `CredentialError`.
        """
        ...

    def forget(self, token: str) -> bool:
        """Drop a kept token that was refused; whether there was one."""
        ...


class NoIdentity:
    """For where no identity is configured."""

    async def id_token(self, audience: str, agent: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported("authentication as the service agent is not configured here")

    async def access_token(self, scopes: Sequence[str], service_account: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported("access tokens of service accounts are not configured here")

    def forget(self, token: str) -> bool:
        """There is none."""
        return False


class ServiceDirectory(Protocol):
    """Endpoints of private services."""

    async def endpoints(self, service: str) -> Sequence[Endpoint]:
        """Where `projects/P/locations/L/namespaces/N/services/S` listens; raises `CredentialError`."""
        ...


class NoServiceDirectory:
    """For where no directory is configured."""

    async def endpoints(self, service: str) -> Sequence[Endpoint]:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported(f"the service {service} cannot be looked up: no service directory is configured")


class Unsealing(Protocol):
    """Opens values that are kept encrypted."""

    def unseal(self, text: str) -> str:
        """The value of a sealed text; a text that is not sealed is its own value. Raises `CredentialError`."""
        ...


class NotSealed:
    """For where nothing is sealed."""

    def unseal(self, text: str) -> str:
        """`text` itself."""
        return text


@dataclass(frozen=True, slots=True)
class CredentialSources:
    """Everything authenticators are made from; one for a server."""

    transport: Transport
    """The way out to token endpoints that tools name; the address policy holds for them too."""
    secrets: Secrets = field(default_factory=NoSecrets)
    identity: Identity = field(default_factory=NoIdentity)
    directory: ServiceDirectory = field(default_factory=NoServiceDirectory)
    sealed: Unsealing = field(default_factory=NotSealed)
