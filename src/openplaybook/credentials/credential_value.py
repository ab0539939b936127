"""Where the value of a credential comes from."""

import re
from dataclasses import dataclass, field

from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.errors import CredentialError, CredentialMissing

_VISIBLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


@dataclass(frozen=True, slots=True)
class CredentialValue:
    """A credential that stands in the tool, perhaps sealed, in a secret's version, or in a session parameter."""

    what: str
    """What it is, as the subject of a sentence: `the API key`."""
    text: str = field(default="", repr=False)
    version: str = ""
    """`projects/P/secrets/S/versions/V`; goes before the others, as in Dialogflow."""
    parameter: str = ""
    """Name of the session parameter that holds it."""

    async def read(self, sources: CredentialSources, context: AuthContext) -> str:
        """The value as it is now; raises a subclass of `CredentialError`."""
        if self.version:
            return await sources.secrets.access(self.version)
        if self.parameter:
            return self._of_session(context)
        return sources.sealed.unseal(self.text)

    async def read_for_header(self, sources: CredentialSources, context: AuthContext) -> str:
        """The value, which a header can carry; raises a subclass of `CredentialError`."""
        value = await self.read(sources, context)
        if not _VISIBLE.fullmatch(value):
            raise CredentialError(f"{self.what} is empty or contains what a header cannot carry, such as a line break")
        return value

    def _of_session(self, context: AuthContext) -> str:
        token = context.parameters.get(self.parameter)
        if not isinstance(token, str) or not token:
            raise CredentialMissing(
                f"the session parameter {self.parameter} contains no token; "
                f"send it as a string in queryParams.parameters.{self.parameter}"
            )
        return token
