"""Authentication as the agent's service agent, or as a service account."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from openplaybook.credentials.base import AuthContext, CredentialSources, Identity
from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.static_credentials import with_token
from openplaybook.egress.base import HttpRequest
from openplaybook.egress.web_origin import origin_text

CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform"
"""The scope of tokens for Google's APIs; what the account may do is decided by its roles."""


@dataclass(frozen=True, slots=True)
class ServiceAgentIdToken:
    """Sends an OpenID Connect ID token whose audience is the origin of the API."""

    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …`; raises a subclass of `CredentialError`."""
        identity = self.sources.identity
        token = await _in_time(identity.id_token(origin_text(request.url), context.agent), context)
        return with_token(request, token, context, "the service agent's ID token")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Another is worth a try when this one was kept."""
        return _forget(self.sources.identity, context)


@dataclass(frozen=True, slots=True)
class ServiceAgentAccessToken:
    """Sends an access token of the service agent."""

    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …`; raises a subclass of `CredentialError`."""
        identity = self.sources.identity
        fetching = identity.access_token((CLOUD_PLATFORM,), origin_text(request.url), context.agent)
        token = await _in_time(fetching, context)
        return with_token(request, token, context, "the service agent's access token")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Another is worth a try when this one was kept."""
        return _forget(self.sources.identity, context)


@dataclass(frozen=True, slots=True)
class ServiceAccountToken:
    """Sends an access token of a service account that the operator allows."""

    account: str
    """Its email address."""
    sources: CredentialSources

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with `Authorization: Bearer …`; raises a subclass of `CredentialError`."""
        token = await _in_time(self.sources.identity.account_token((CLOUD_PLATFORM,), self.account), context)
        return with_token(request, token, context, f"the access token of {self.account}")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Another is worth a try when this one was kept."""
        return _forget(self.sources.identity, context)


async def _in_time(token: Awaitable[str], context: AuthContext) -> str:
    try:
        async with asyncio.timeout(context.timeout_s):
            return await token
    except TimeoutError as error:
        raise CredentialUnavailable(f"no token arrived within {context.timeout_s:.3g} s") from error


def _forget(identity: Identity, context: AuthContext) -> bool:
    """Which of the secrets is the token is not known where several credentials are sent."""
    forgotten = [identity.forget(secret) for secret in context.secrets]
    return any(forgotten)
