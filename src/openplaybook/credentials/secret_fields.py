"""Which fields of stored resources hold a secret itself, and where they are: the one list for sealing, masking in
answers, and leaving out of exports.

A reference to a secret version is no secret, and neither is an expression such as `$session.params.token`, or
`$context.variables.token` in an app, which stands for a value of the session.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object


@dataclass(frozen=True, slots=True)
class SecretField:
    """A field that holds a secret, by the JSON names of v3beta1, or of v1beta for resources of apps."""

    holder: tuple[str, ...]
    """Keys from the resource down to the object that has the field; a list on the way stands for its items."""
    key: str
    version_key: str | None = None
    """Its neighbour that names a secret version instead."""


_AUTHENTICATIONS = (
    ("openApiSpec", "authentication"),
    ("openApiSpec", "securitySchemeAuthentications", "authentication"),
)
_APP_AUTHENTICATIONS = tuple(
    (kind, "apiAuthentication") for kind in ("openApiTool", "openApiToolset", "mcpTool", "mcpToolset")
)
"""Of apps. Google takes only variables there; what others made may hold secrets all the same."""
_END_USERS = (
    ("connectorSpec", "endUserAuthConfig"),
    ("connectorTool", "authConfig"),
    ("connectorToolset", "authConfig"),
)

SECRET_FIELDS: tuple[SecretField, ...] = (
    *(SecretField((*at, "apiKeyConfig"), "apiKey", "secretVersionForApiKey") for at in _AUTHENTICATIONS),
    *(SecretField((*at, "oauthConfig"), "clientSecret", "secretVersionForClientSecret") for at in _AUTHENTICATIONS),
    *(SecretField((*at, "bearerTokenConfig"), "token", "secretVersionForToken") for at in _AUTHENTICATIONS),
    *(SecretField((*at, "basicAuthConfig"), "password", "secretVersionForPassword") for at in _AUTHENTICATIONS),
    *(SecretField((*at, "bearerTokenConfig"), "token") for at in _APP_AUTHENTICATIONS),
    *(SecretField((*at, "oauth2AuthCodeConfig"), "oauthToken") for at in _END_USERS),
    *(SecretField((*at, "oauth2JwtBearerConfig"), "clientKey") for at in _END_USERS),
    SecretField(("gitIntegrationSettings", "githubSettings"), "accessToken"),
)


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """A place in a resource where a secret is, or should be."""

    path: str
    """JSON path, such as `$.openApiSpec.authentication.apiKeyConfig.apiKey`."""
    holder: JsonObject
    """The object that has the field, part of the resource."""
    field: SecretField

    @property
    def value(self) -> JsonValue:
        """What stands there; None when nothing does."""
        return self.holder.get(self.field.key)

    @property
    def is_secret(self) -> bool:
        """Whether a secret itself stands there, sealed or not."""
        return bool(self.value) and not (isinstance(self.value, str) and is_reference(self.value))


def is_reference(text: str) -> bool:
    """Whether a text stands for a value that comes with a request."""
    return text.startswith(("$session.params.", "$request.payload.", "$context.variables."))


def secret_places(resource: JsonObject) -> Iterator[SecretPlace]:
    """Every place of a tool, a toolset or an agent (JSON form) that is there for a secret."""
    for field in SECRET_FIELDS:
        # Most resources have nothing of the kind: one look is all that they cost.
        if field.holder[0] not in resource:
            continue
        for path, holder in _holders(resource, field.holder, "$"):
            yield SecretPlace(f"{path}.{field.key}", holder, field)


def _holders(value: JsonValue, keys: tuple[str, ...], path: str) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(value, list):
        for index, item in enumerate(as_list(value)):
            yield from _holders(item, keys, f"{path}[{index}]")
    elif isinstance(value, dict):
        if not keys:
            yield path, as_object(value)
        else:
            yield from _holders(as_object(value).get(keys[0]), keys[1:], f"{path}.{keys[0]}")
