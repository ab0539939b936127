"""Which credentials an operation sends: one authentication for all, or one for each security scheme."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from openplaybook.credentials.authenticator_builder import authenticator_for, kind_of
from openplaybook.credentials.base import Authenticator, CredentialSources, NoAuthentication
from openplaybook.credentials.combined_credentials import CombinedAuthenticators, UnconfiguredAuthenticator
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.credentials.static_credentials import ApiKeyInCookie, ApiKeyInHeader, ApiKeyInQuery
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.scheme_credentials import SchemeCredentials
from openplaybook.tools.openapi.security_schemes import SecurityScheme, fitted, schemes_of

_ENTRIES = "securitySchemeAuthentications"


class Security(Protocol):
    """Gives each operation its authenticator."""

    def of(self, entry: OperationEntry) -> Authenticator:
        """The authenticator of an operation."""
        ...


@dataclass(frozen=True, slots=True)
class OneForAll:
    """Used for every operation, whatever the description says, as Dialogflow does."""

    authenticator: Authenticator

    def of(self, entry: OperationEntry) -> Authenticator:
        """The one."""
        return self.authenticator


def security_of(
    spec: JsonObject, root: JsonObject | None, sources: CredentialSources, *, has_certificate: bool = False
) -> Security:
    """The credentials of an `openApiSpec` for the description `root`, None when that could not be read.

    Raises `InvalidAuthentication`, its path within the `openApiSpec`.
    """
    authentication = as_object(spec.get("authentication"))
    entries = [as_object(entry) for entry in as_list(spec.get(_ENTRIES))]
    with _within("$.authentication"):
        one = OneForAll(authenticator_for(authentication, sources))
        kind = kind_of(authentication)
    if not entries or root is None:
        return one
    if kind:
        raise InvalidAuthentication(
            f"$.{_ENTRIES}", "cannot be combined with authentication, which applies to all operations"
        )
    configured = _configured(entries, schemes_of(root), sources)
    return SchemeCredentials(configured, root, sources, has_certificate=has_certificate)


def covered(authenticator: Authenticator) -> frozenset[tuple[str, str]]:
    """Place (`header`, `query` or `cookie`) and name of what an authenticator sends; header names in lower case."""
    if isinstance(authenticator, NoAuthentication):
        return frozenset()
    parts = authenticator.parts if isinstance(authenticator, CombinedAuthenticators) else (authenticator,)
    return frozenset(place for part in parts if (place := _place(part)) is not None)


def _place(authenticator: Authenticator) -> tuple[str, str] | None:
    match authenticator:
        case ApiKeyInHeader(name=name):
            return "header", name.lower()
        case ApiKeyInQuery(name=name):
            return "query", name
        case ApiKeyInCookie(name=name):
            return "cookie", name
        case NoAuthentication() | UnconfiguredAuthenticator():
            return None
        case _:
            return "header", "authorization"


def _configured(
    entries: Sequence[JsonObject], schemes: Mapping[str, SecurityScheme], sources: CredentialSources
) -> dict[str, JsonObject]:
    """The authentications by scheme, each tried out."""
    configured: dict[str, JsonObject] = {}
    for position, entry in enumerate(entries):
        name, path = str(entry.get("scheme") or ""), f"$.{_ENTRIES}[{position}]"
        if name not in schemes:
            known = f"it defines {', '.join(schemes)}" if schemes else "it defines none"
            raise InvalidAuthentication(
                f"{path}.scheme", f"{name!r} is not a security scheme of the description; {known}"
            )
        if name in configured:
            raise InvalidAuthentication(f"{path}.scheme", f"{name!r} has an entry already")
        configured[name] = as_object(entry.get("authentication"))
        with _within(f"{path}.authentication"):
            authenticator_for(fitted(schemes[name], configured[name]), sources)
    return configured


@contextmanager
def _within(path: str) -> Generator[None]:
    """Makes the paths of `InvalidAuthentication` begin with `path`."""
    try:
        yield
    except InvalidAuthentication as error:
        raise InvalidAuthentication(f"{path}{error.path.removeprefix('$')}", error.message) from error
