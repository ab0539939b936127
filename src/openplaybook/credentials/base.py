"""The ports of this room: what authenticates a request, and where secrets and identities come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from openplaybook.credentials.errors import CredentialUnsupported
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import Endpoint, HttpRequest, Transport
from openplaybook.jsonvalues import JsonValue


@dataclass(slots=True)
class AuthContext:
    """What an authenticator may know of the conversation, and what it tells about itself."""

    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], repr=False)
    """Session parameters."""
    secrets: list[str] = field(default_factory=list[str], repr=False)
    """The authenticator adds every secret it put into the request, so that traces can mask them."""
    timeout_s: float = 30.0
    """Time left for getting a credential."""
    agent: str = ""
    """Resource name of the agent on whose behalf the request is sent."""
    sent: list[str] = field(default_factory=list[str])
    """The authenticator adds what it put into the request, in words and without the secret: for when it is refused."""
    challenge: str = ""
    """What the service asked for when it answered 401 (`WWW-Authenticate`, RFC 9110 §11.6.1)."""


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

    async def access_token(self, scopes: Sequence[str], audience: str, agent: str) -> str:
        """An OAuth access token of the agent's service agent, for an API at `audience`; raises `CredentialError`."""
        ...

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        """An OAuth access token of a service account; raises `CredentialError`."""
        ...

    def refusal(self, service_account: str) -> str:
        """Why tools may not act as a service account, with what to do about it; empty when they may."""
        ...

    def forget(self, token: str) -> bool:
        """Drop a kept token that was refused; whether there was one."""
        ...


class NoIdentity:
    """For where no identity is configured."""

    async def id_token(self, audience: str, agent: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported("authentication as the service agent is not configured here")

    async def access_token(self, scopes: Sequence[str], audience: str, agent: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported("authentication as the service agent is not configured here")

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported("access tokens of service accounts are not configured here")

    def refusal(self, service_account: str) -> str:
        """Nothing is known of accounts here; a call would fail."""
        return ""

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
        raise CredentialUnsupported(
            f"the service {service} cannot be looked up: no service directory is configured for it; the operator of "
            "this server has to set service_directory"
        )


class Unsealer(Protocol):
    """Opens values that are kept encrypted, each bound to the place where it is kept."""

    def unseal(self, text: str) -> str:
        """The value of a sealed text; a text that is not sealed is its own value. Raises `CredentialError`."""
        ...

    def at(self, place: str) -> "Unsealer":
        """What opens the values of a place, such as a tool by its resource name."""
        ...


class NotSealed:
    """For where nothing is sealed."""

    def unseal(self, text: str) -> str:
        """`text` itself."""
        return text

    def at(self, place: str) -> Unsealer:
        """The same everywhere."""
        return self


@dataclass(frozen=True, slots=True)
class CredentialSources:
    """Everything authenticators are made from; one for a server."""

    transport: Transport
    """The way out to token endpoints that tools name; the address policy holds for them too."""
    secrets: Secrets = field(default_factory=NoSecrets)
    identity: Identity = field(default_factory=NoIdentity)
    directory: ServiceDirectory = field(default_factory=NoServiceDirectory)
    sealed: Unsealer = field(default_factory=NotSealed)
    tokens: TokenCache = field(default_factory=TokenCache)
    """Access tokens that token endpoints gave."""
