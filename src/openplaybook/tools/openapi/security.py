"""Which credentials an operation asks for: its `security`, alternatives of schemes that are sent together."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.credentials.base import Authenticator, CredentialSources
from openplaybook.credentials.builder import authenticator_for
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.tools.openapi.index import Entry


@dataclass(frozen=True, slots=True)
class Security:
    """Gives each operation its authenticator."""

    only: Authenticator
    """Used for every operation, whatever the description says, as Dialogflow does."""
    by_operation: Mapping[str, Authenticator] = field(default_factory=dict[str, Authenticator])

    def of(self, entry: Entry) -> Authenticator:
        """The authenticator of an operation."""
        return self.by_operation.get(entry.name, self.only)


def security_of(spec: JsonObject, root: JsonObject, sources: CredentialSources) -> Security:
    """The credentials of an `openApiSpec` for the description `root`; raises `InvalidAuthentication`."""
    try:
        return Security(authenticator_for(as_object(spec.get("authentication")), sources))
    except InvalidAuthentication as error:
        raise InvalidAuthentication(f"$.authentication{error.path.removeprefix('$')}", error.message) from error
