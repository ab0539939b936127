"""From a tool's `authentication` (v3beta1 `Tool.Authentication`, JSON form) to its authenticator."""

import re
from collections.abc import Callable, Mapping

from openplaybook.credentials.base import Authenticator, CredentialSources, NoAuthentication
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.credentials.inline import ApiKeyInHeader, ApiKeyInQuery, BearerToken, SessionBearerToken
from openplaybook.credentials.unsupported import Unsupported
from openplaybook.jsonvalues import JsonObject, as_object

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SESSION_PARAMETER = re.compile(r"\$session\.params\.(.+)", re.DOTALL)
_VALUE = re.compile(r"[\x20-\x7e]+")


def authenticator_for(authentication: JsonObject, sources: CredentialSources) -> Authenticator:
    """The authenticator of a tool; raises `InvalidAuthentication` when the configuration is not well formed.

    Kinds this server cannot do yet give an authenticator that refuses at call time.
    """
    given = [kind for kind in _BUILDERS if kind in authentication]
    if not given:
        return NoAuthentication()
    if len(given) > 1:
        raise InvalidAuthentication("$", f"only one kind of authentication is allowed, not {' and '.join(given)}")
    return _BUILDERS[given[0]](as_object(authentication[given[0]]), sources)


def secret_parameters(authentication: JsonObject) -> frozenset[str]:
    """Names of the session parameters that hold credentials of this authentication."""
    token = as_object(authentication.get("bearerTokenConfig")).get("token")
    match = _SESSION_PARAMETER.fullmatch(token) if isinstance(token, str) else None
    return frozenset({match[1]}) if match else frozenset()


def _api_key(config: JsonObject, sources: CredentialSources) -> Authenticator:
    name = config.get("keyName")
    if not isinstance(name, str) or not name:
        raise InvalidAuthentication("$.apiKeyConfig.keyName", "is required (the header or query parameter to send)")
    location = config.get("requestLocation", "REQUEST_LOCATION_UNSPECIFIED")
    if location not in ("HEADER", "QUERY_STRING"):
        raise InvalidAuthentication("$.apiKeyConfig.requestLocation", "must be HEADER or QUERY_STRING")
    if location == "HEADER" and not _HEADER_NAME.fullmatch(name):
        raise InvalidAuthentication("$.apiKeyConfig.keyName", f"{name!r} is not a header name")
    if config.get("secretVersionForApiKey"):
        return Unsupported("reading an API key from a secret version (secretVersionForApiKey)")
    key = config.get("apiKey")
    if not isinstance(key, str) or not key:
        raise InvalidAuthentication("$.apiKeyConfig.apiKey", "is required, or secretVersionForApiKey in its place")
    if location == "QUERY_STRING":
        return ApiKeyInQuery(name, key)
    if not _VALUE.fullmatch(key):
        raise InvalidAuthentication("$.apiKeyConfig.apiKey", "holds characters that a header cannot carry")
    return ApiKeyInHeader(name, key)


def _bearer(config: JsonObject, sources: CredentialSources) -> Authenticator:
    if config.get("secretVersionForToken"):
        return Unsupported("reading a bearer token from a secret version (secretVersionForToken)")
    token = config.get("token")
    if not isinstance(token, str) or not token:
        raise InvalidAuthentication("$.bearerTokenConfig.token", "is required, or secretVersionForToken in its place")
    if match := _SESSION_PARAMETER.fullmatch(token):
        return SessionBearerToken(match[1])
    if token.startswith("$"):
        raise InvalidAuthentication(
            "$.bearerTokenConfig.token", "a reference has the form $session.params.NAME; nothing else is allowed"
        )
    if not _VALUE.fullmatch(token):
        raise InvalidAuthentication("$.bearerTokenConfig.token", "holds characters that a header cannot carry")
    return BearerToken(token)


def _oauth(config: JsonObject, sources: CredentialSources) -> Authenticator:
    for field in ("clientId", "tokenEndpoint"):
        if not config.get(field):
            raise InvalidAuthentication(f"$.oauthConfig.{field}", "is required")
    return Unsupported("OAuth with client credentials (oauthConfig)")


def _service_agent(config: JsonObject, sources: CredentialSources) -> Authenticator:
    return Unsupported("authentication as the service agent (serviceAgentAuthConfig)")


def _service_account(config: JsonObject, sources: CredentialSources) -> Authenticator:
    if not config.get("serviceAccount"):
        raise InvalidAuthentication("$.serviceAccountAuthConfig.serviceAccount", "is required (an email address)")
    return Unsupported("authentication as a service account (serviceAccountAuthConfig)")


_BUILDERS: Mapping[str, Callable[[JsonObject, CredentialSources], Authenticator]] = {
    "apiKeyConfig": _api_key,
    "oauthConfig": _oauth,
    "serviceAgentAuthConfig": _service_agent,
    "bearerTokenConfig": _bearer,
    "serviceAccountAuthConfig": _service_account,
}
