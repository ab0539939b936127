"""The security schemes of a description (OAS 3.1.1 §4.8.27; 2.0's Security Definitions), and what fits each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.credentials.authenticator_builder import kind_of
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve

_TOKENS = ("bearerTokenConfig", "oauthConfig", "serviceAgentAuthConfig", "serviceAccountAuthConfig")
_CHALLENGES = frozenset({"hoba", "mutual", "negotiate", "scram-sha-1", "scram-sha-256"})
"""HTTP authentication schemes that need more than one exchange, and of which nothing is sent here."""

_LOCATIONS: Mapping[JsonValue, JsonObject] = {
    "header": {"requestLocation": "HEADER", "inCookie": False},
    "query": {"requestLocation": "QUERY_STRING", "inCookie": False},
    "cookie": {"requestLocation": "HEADER", "inCookie": True},
}
_CLIENT_CREDENTIALS = ("clientCredentials", "application")
"""The flow's name in OpenAPI 3 and in 2.0."""


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """One security scheme."""

    name: str
    definition: JsonObject

    @property
    def kind(self) -> str:
        """Its type; of an HTTP scheme the authentication scheme's name in lower case, such as `basic`."""
        kind = str(self.definition.get("type", ""))
        return str(self.definition.get("scheme", "")).lower() if kind == "http" else kind

    @property
    def is_client_certificate(self) -> bool:
        """Whether the agent's client certificate is what it asks for."""
        return self.kind == "mutualTLS"

    @property
    def fitting(self) -> Sequence[str]:
        """The kinds of authentication that can give what it asks for."""
        match self.kind:
            case "apiKey":
                in_authorization = str(self.definition.get("name", "")).lower() == "authorization"
                return ("apiKeyConfig", *(("basicAuthConfig", *_TOKENS) if in_authorization else ()))
            case "basic" | "digest":
                return ("basicAuthConfig",)
            case "bearer" | "oauth2" | "openIdConnect":
                return _TOKENS
            case kind if self.definition.get("type") == "http" and kind and kind not in _CHALLENGES:
                return ("bearerTokenConfig",)
            case _:
                return ()


def schemes_of(root: JsonObject) -> dict[str, SecurityScheme]:
    """The schemes that a description defines, by name; one that cannot be resolved is left out."""
    declared = {
        **as_object(root.get("securityDefinitions")),
        **as_object(as_object(root.get("components")).get("securitySchemes")),
    }
    schemes: dict[str, SecurityScheme] = {}
    for name, definition in declared.items():
        try:
            schemes[name] = SecurityScheme(name, resolve(root, definition))
        except UnresolvableReference:
            continue
    return schemes


def fitted(scheme: SecurityScheme, authentication: JsonObject, scopes: Sequence[str] = ()) -> JsonObject:
    """An authentication with what the scheme says filled in: name and place of a key, token endpoint, scopes.

    `scopes` are those an operation asks for. Raises `InvalidAuthentication` when it does not fit the scheme.
    """
    kind = kind_of(authentication)
    if kind not in scheme.fitting:
        raise InvalidAuthentication(f"$.{kind}" if kind else "$", _misfit(scheme))
    config = as_object(authentication[kind])
    match kind:
        case "apiKeyConfig":
            config = {**config, "keyName": scheme.definition.get("name"), **_location(scheme)}
        case "oauthConfig":
            written = {"tokenEndpoint": _token_url(scheme), "scopes": list(scopes)}
            config = {
                **written,
                **{name: value for name, value in config.items() if value},
                **_provider(scheme, config),
            }
        case "basicAuthConfig":
            config = {**config, "scheme": scheme.kind}
        case "bearerTokenConfig" if scheme.definition.get("type") == "http" and scheme.kind != "bearer":
            config = {**config, "scheme": scheme.definition["scheme"]}
        case _:
            pass
    return {kind: config}


def _misfit(scheme: SecurityScheme) -> str:
    subject = f"the security scheme {scheme.name} ({scheme.kind or 'of no type'})"
    if scheme.is_client_certificate:
        return f"{subject} takes no entry here: it is the agent's clientCertificateSettings"
    if not scheme.fitting:
        return f"{subject} is not supported"
    return f"{subject} takes {' or '.join(scheme.fitting)}"


def _location(scheme: SecurityScheme) -> JsonObject:
    place = scheme.definition.get("in")
    if place not in _LOCATIONS:
        raise InvalidAuthentication("$.apiKeyConfig", f"the security scheme {scheme.name} has no valid in")
    return _LOCATIONS[place]


def _token_url(scheme: SecurityScheme) -> str:
    """The token endpoint of its client credentials flow; empty when it has none."""
    flows = as_object(scheme.definition.get("flows"))
    written = [as_object(flows.get(name)) for name in _CLIENT_CREDENTIALS]
    if scheme.definition.get("flow") in _CLIENT_CREDENTIALS:
        written.append(scheme.definition)
    return next((str(flow["tokenUrl"]) for flow in written if flow.get("tokenUrl")), "")


def _provider(scheme: SecurityScheme, config: JsonObject) -> JsonObject:
    """Where the OpenID provider describes itself, when nobody says where its token endpoint is."""
    url = scheme.definition.get("openIdConnectUrl")
    return {"openIdConnectUrl": url} if scheme.kind == "openIdConnect" and not config.get("tokenEndpoint") else {}
