"""Secrets that stand in resources themselves: never written into a package, and missed when one is read.

Google's exports hold none since 15 August 2025. A reference to a secret version is no secret, and neither is an
expression such as `$session.params.token`, which stands for a value of the session.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_object

_EXPRESSION = re.compile(r"\$(session\.params|request\.payload)\.[\w.\-]+")


@dataclass(frozen=True, slots=True)
class SecretField:
    """A field that holds a secret."""

    holder: tuple[str, ...]
    """Keys from the resource down to the object that has the field."""
    key: str
    version_key: str | None
    """Its neighbour that names a secret version instead."""

    @property
    def path(self) -> str:
        """JSON path of the field."""
        return ".".join(("$", *self.holder, self.key))

    def find(self, resource: JsonObject) -> JsonObject | None:
        """The object of `resource` that has, or should have, the field."""
        at: JsonObject = resource
        for key in self.holder:
            if not isinstance(at.get(key), dict):
                return None
            at = as_object(at[key])
        return at


_AUTHENTICATION = ("openApiSpec", "authentication")
_END_USER = ("connectorSpec", "endUserAuthConfig")
_FIELDS = (
    SecretField((*_AUTHENTICATION, "apiKeyConfig"), "apiKey", "secretVersionForApiKey"),
    SecretField((*_AUTHENTICATION, "oauthConfig"), "clientSecret", "secretVersionForClientSecret"),
    SecretField((*_AUTHENTICATION, "bearerTokenConfig"), "token", "secretVersionForToken"),
    SecretField((*_END_USER, "oauth2AuthCodeConfig"), "oauthToken", None),
    SecretField((*_END_USER, "oauth2JwtBearerConfig"), "clientKey", None),
    SecretField(("gitIntegrationSettings", "githubSettings"), "accessToken", None),
)


def missing_secrets(resource: JsonObject) -> Iterator[SecretField]:
    """Fields of a tool or an agent that need a secret and have neither one nor a secret version."""
    for field in _FIELDS:
        holder = field.find(resource)
        if (
            holder is not None
            and not holder.get(field.key)
            and not (field.version_key and holder.get(field.version_key))
        ):
            yield field


def raw_secrets(resource: JsonObject) -> Iterator[SecretField]:
    """Fields of a tool or an agent that hold a secret itself."""
    for field in _FIELDS:
        value = (field.find(resource) or {}).get(field.key)
        if value and not (isinstance(value, str) and _EXPRESSION.fullmatch(value)):
            yield field


def without_secrets(resource: JsonObject) -> JsonObject:
    """The resource without the secrets it holds."""
    for field in raw_secrets(resource):
        resource = _without(resource, (*field.holder, field.key))
    return resource


def _without(value: JsonObject, keys: tuple[str, ...]) -> JsonObject:
    first, *rest = keys
    if not rest:
        return {key: member for key, member in value.items() if key != first}
    return {**value, first: _without(as_object(value[first]), tuple(rest))}
