"""Credentials by security scheme: each operation sends those of the first of its alternatives that it can meet."""

from collections.abc import Iterable, Mapping, Sequence

from openplaybook.credentials.authenticator_builder import authenticator_for
from openplaybook.credentials.base import Authenticator, CredentialSources, NoAuthentication
from openplaybook.credentials.combined_credentials import CombinedAuthenticators, UnconfiguredAuthenticator
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.security_schemes import fitted, schemes_of

_NONE = NoAuthentication()


class SchemeCredentials:
    """The `security` of a description (OAS 3.1.1 §4.8.30), with an authentication for some of its schemes."""

    def __init__(
        self,
        configured: Mapping[str, JsonObject],
        root: JsonObject,
        sources: CredentialSources,
        *,
        has_certificate: bool = False,
    ) -> None:
        """`configured` are authentications by name of a scheme, checked before; `has_certificate`: the agent's."""
        self._configured = configured
        self._root = root
        self._schemes = schemes_of(root)
        self._sources = sources
        self._has_certificate = has_certificate
        self._chosen: dict[str, Authenticator] = {}
        self._made: dict[tuple[str, ...], Authenticator] = {}
        """By name of the scheme and the scopes it is asked for."""

    def of(self, entry: OperationEntry) -> Authenticator:
        """The authenticator of an operation; one that refuses every call where a credential is missing."""
        authenticator = self._chosen.get(entry.name)
        if authenticator is None:
            authenticator = self._chosen[entry.name] = self._choose(entry)
        return authenticator

    def _choose(self, entry: OperationEntry) -> Authenticator:
        """Optional security (`{}` among the alternatives) is met when there is something to meet it with."""
        alternatives = _alternatives(entry, self._root)
        for alternative in alternatives:
            if alternative and all(map(self._has, alternative)):
                return self._together(alternative)
        if not alternatives or {} in alternatives:
            return _NONE
        return UnconfiguredAuthenticator(self._lack(entry, alternatives))

    def _has(self, name: str) -> bool:
        scheme = self._schemes.get(name)
        if scheme is not None and scheme.is_client_certificate:
            return self._has_certificate
        return scheme is not None and name in self._configured

    def _together(self, alternative: JsonObject) -> Authenticator:
        # The certificate is shown by the connection, whatever the operation.
        parts = [
            self._made_for(name, [str(scope) for scope in as_list(scopes)])
            for name, scopes in alternative.items()
            if not self._schemes[name].is_client_certificate
        ]
        return parts[0] if len(parts) == 1 else CombinedAuthenticators(parts)

    def _made_for(self, name: str, scopes: Sequence[str]) -> Authenticator:
        authenticator = self._made.get((name, *scopes))
        if authenticator is None:
            adapted = fitted(self._schemes[name], self._configured[name], scopes)
            authenticator = self._made[name, *scopes] = authenticator_for(adapted, self._sources)
        return authenticator

    def _lack(self, entry: OperationEntry, alternatives: Sequence[JsonObject]) -> str:
        wanted = ", or ".join(" and ".join(map(self._description, alternative)) for alternative in alternatives)
        has = ", ".join(self._configured)
        return (
            f"{entry.operation_id} requires {wanted}; securitySchemeAuthentications has only {has}: "
            "add an entry for what is missing"
        )

    def _description(self, name: str) -> str:
        scheme = self._schemes.get(name)
        if scheme is None:
            return f"{name} (which the description does not define)"
        if scheme.is_client_certificate:
            return f"{name} (the agent's clientCertificateSettings)"
        return f"{name} ({' or '.join(scheme.fitting) or 'not supported'})"


def asked_for(entries: Iterable[OperationEntry], root: JsonObject) -> str:
    """The schemes, in words, of the first operation that asks for a credential of the tool; empty when none does.

    A client certificate is no credential of the tool but the agent's.
    """
    schemes = schemes_of(root)
    certificates = {name for name, scheme in schemes.items() if scheme.is_client_certificate}
    for entry in entries:
        alternatives = [[name for name in each if name not in certificates] for each in _alternatives(entry, root)]
        if alternatives and all(alternatives):
            return " or ".join(" and ".join(each) for each in alternatives)
    return ""


def schemes_in(security: JsonValue) -> frozenset[str]:
    """The schemes that a list of alternatives names."""
    return frozenset(name for alternative in as_list(security) for name in as_object(alternative))


def _alternatives(entry: OperationEntry, root: JsonObject) -> list[JsonObject]:
    """An operation's own list goes before that of the description, also when it is empty (OAS 3.1.1 §4.8.10.1)."""
    own = entry.operation.get("security")
    return [as_object(each) for each in as_list(own if isinstance(own, list) else root.get("security"))]
