"""Several credentials for one request, and none where some are missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.credentials.base import AuthContext, Authenticator
from openplaybook.credentials.errors import CredentialMissing
from openplaybook.egress.base import HttpRequest


@dataclass(frozen=True, slots=True)
class CombinedAuthenticators:
    """Sends all of some credentials together."""

    parts: Sequence[Authenticator]

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """`request` with each of them; raises what the first that fails raises."""
        for part in self.parts:
            request = await part.apply(request, context)
        return request

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Whether any of them may have another; each is told."""
        answers = [part.refused(request, context) for part in self.parts]
        return any(answers)


@dataclass(frozen=True, slots=True)
class UnconfiguredAuthenticator:
    """Refuses every call: no request goes out without the credential it needs."""

    message: str

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """Raises `CredentialMissing`."""
        raise CredentialMissing(self.message)

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Nothing is ever sent."""
        return False
