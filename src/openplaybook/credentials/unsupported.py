"""Kinds of authentication that are stored but cannot be done yet."""

from dataclasses import dataclass

from openplaybook.credentials.base import AuthContext
from openplaybook.credentials.errors import CredentialUnsupported
from openplaybook.egress.base import HttpRequest


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Refuses every call with a sentence that says what is missing; no request goes out without its credential."""

    what: str
    """The thing that is not supported, as the subject of a sentence."""

    async def apply(self, request: HttpRequest, context: AuthContext) -> HttpRequest:
        """Raises `CredentialUnsupported`."""
        raise CredentialUnsupported(f"{self.what} is not supported by this server yet, so the call was not made")

    def refused(self, request: HttpRequest, context: AuthContext) -> bool:
        """Nothing is ever sent."""
        return False
