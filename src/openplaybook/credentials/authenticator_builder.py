"""From a tool's `authentication` (v3beta1 `Tool.Authentication`, JSON form) to its authenticator, and from an agent's
`clientCertificateSettings` to the certificate that its tools show."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from openplaybook.credentials.base import Authenticator, CredentialSources, NoAuthentication, Secrets
from openplaybook.credentials.credential_value import CredentialValue
from openplaybook.credentials.errors import CredentialError, CredentialMissing, InvalidAuthentication
from openplaybook.credentials.http_digest import DigestCredentials
from openplaybook.credentials.oauth import ClientCredentials
from openplaybook.credentials.service_identity import ServiceAccountToken, ServiceAgentAccessToken, ServiceAgentIdToken
from openplaybook.credentials.static_credentials import (
    ApiKeyInCookie,
    ApiKeyInHeader,
    ApiKeyInQuery,
    BasicCredentials,
    BearerToken,
)
from openplaybook.egress.base import ClientCertificate, is_framing
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.secret_names import SecretVersionName

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SESSION_PARAMETER = re.compile(r"\$session\.params\.([\w.-]+)")
_VALUE = re.compile(r"[\x20-\x7e]+")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_UNUSABLE_IN_USERNAME = re.compile(r"[:\x00-\x1f\x7f]")


def authenticator_for(authentication: JsonObject, sources: CredentialSources) -> Authenticator:
    """The authenticator of a tool; raises `InvalidAuthentication` when the configuration is not well formed."""
    kind = kind_of(authentication)
    return _BUILDERS[kind](as_object(authentication[kind]), sources) if kind else NoAuthentication()


def kind_of(authentication: JsonObject) -> str:
    """The one member that says how to authenticate, empty when there is none; raises `InvalidAuthentication`."""
    kinds = [kind for kind in _BUILDERS if kind in authentication]
    if len(kinds) > 1:
        raise InvalidAuthentication("$", f"only one kind of authentication is allowed, not {' and '.join(kinds)}")
    return kinds[0] if kinds else ""


def _api_key(config: JsonObject, sources: CredentialSources) -> Authenticator:
    path = "$.apiKeyConfig"
    name = config.get("keyName")
    if not isinstance(name, str) or not name:
        raise InvalidAuthentication(f"{path}.keyName", "is required (the header or query parameter to send)")
    location = config.get("requestLocation", "REQUEST_LOCATION_UNSPECIFIED")
    in_cookie = config.get("inCookie") is True
    if not in_cookie and location not in ("HEADER", "QUERY_STRING"):
        raise InvalidAuthentication(f"{path}.requestLocation", "must be HEADER or QUERY_STRING")
    if (in_cookie or location == "HEADER") and not _TOKEN.fullmatch(name):
        place = "cookie" if in_cookie else "header"
        raise InvalidAuthentication(f"{path}.keyName", f"{name!r} is not a {place} name")
    if location == "HEADER" and not in_cookie and is_framing(name):
        raise InvalidAuthentication(f"{path}.keyName", f"{name} is a header of the HTTP connection, not for a key")
    key = _value(config, "apiKey", "secretVersionForApiKey", path, sources, "the API key")
    if in_cookie:
        return ApiKeyInCookie(name, key, sources)
    if location == "QUERY_STRING":
        return ApiKeyInQuery(name, key, sources)
    _check_for_header(key, sources, f"{path}.apiKey")
    return ApiKeyInHeader(name, key, sources)


def _bearer(config: JsonObject, sources: CredentialSources) -> Authenticator:
    path = "$.bearerTokenConfig"
    text = config.get("token")
    if isinstance(text, str) and not config.get("secretVersionForToken"):
        if match := _SESSION_PARAMETER.fullmatch(text):
            return BearerToken(CredentialValue("the bearer token", parameter=match[1]), sources)
        if text.startswith("$") or "$session.params." in text:
            raise InvalidAuthentication(
                f"{path}.token", "a reference has the form $session.params.NAME; nothing else is allowed"
            )
    token = _value(config, "token", "secretVersionForToken", path, sources, "the bearer token")
    _check_for_header(token, sources, f"{path}.token")
    if _text_of(token, sources).lower().startswith("bearer "):
        raise InvalidAuthentication(f"{path}.token", "must be only the token: the word Bearer is added to it")
    word = str(config.get("scheme", "Bearer"))
    if not _TOKEN.fullmatch(word):
        raise InvalidAuthentication(path, f"{word!r} is not the name of an HTTP authentication scheme")
    return BearerToken(token, sources, word)


def _basic(config: JsonObject, sources: CredentialSources) -> Authenticator:
    path = "$.basicAuthConfig"
    username = config.get("username", "")
    if not isinstance(username, str) or _UNUSABLE_IN_USERNAME.search(username):
        raise InvalidAuthentication(f"{path}.username", "must be text without a colon or control characters (RFC 7617)")
    if not username and not config.get("password") and not config.get("secretVersionForPassword"):
        raise InvalidAuthentication(f"{path}.username", "is required, or a password where the user name is empty")
    # Services that take a key as the user name want an empty password.
    version = _version(config, "secretVersionForPassword", path)
    text = config.get("password", "")
    _refuse_reference(text, f"{path}.password")
    password = CredentialValue("the password", str(text), version)
    if config.get("scheme") == "digest":
        return DigestCredentials(username, password, sources)
    return BasicCredentials(username, password, sources)


def _oauth(config: JsonObject, sources: CredentialSources) -> Authenticator:
    path = "$.oauthConfig"
    provider = str(config.get("openIdConnectUrl") or "")
    for field in ("clientId",) if provider else ("clientId", "tokenEndpoint"):
        if not isinstance(config.get(field), str) or not config[field]:
            raise InvalidAuthentication(f"{path}.{field}", "is required")
    grant = config.get("oauthGrantType", "CLIENT_CREDENTIAL")
    if grant not in ("CLIENT_CREDENTIAL", "OAUTH_GRANT_TYPE_UNSPECIFIED"):
        raise InvalidAuthentication(
            f"{path}.oauthGrantType",
            "must be CLIENT_CREDENTIAL; for other flows let the client pass the token in a session parameter, with "
            "bearerTokenConfig.token $session.params.NAME",
        )
    endpoint = str(config.get("tokenEndpoint") or "")
    if not all(map(_is_reachable, filter(None, (endpoint, provider)))):
        raise InvalidAuthentication(f"{path}.tokenEndpoint", "must be an http or https URL without a fragment")
    secret = _value(config, "clientSecret", "secretVersionForClientSecret", path, sources, "the client secret")
    scopes = [str(scope) for scope in as_list(config.get("scopes")) if scope]
    return ClientCredentials(endpoint, str(config["clientId"]), secret, scopes, sources, provider=provider)


def _is_reachable(url: str) -> bool:
    """Whether it is an http or https URL, or a path at the API's origin (OAS 3.1.1 §4.6: URLs may be relative)."""
    return "#" not in url and (url.startswith("/") or urlsplit(url).scheme in ("http", "https"))


def _service_agent(config: JsonObject, sources: CredentialSources) -> Authenticator:
    kind = config.get("serviceAgentAuth", "SERVICE_AGENT_AUTH_UNSPECIFIED")
    if kind == "ACCESS_TOKEN":
        return ServiceAgentAccessToken(sources)
    if kind in ("ID_TOKEN", "SERVICE_AGENT_AUTH_UNSPECIFIED"):
        return ServiceAgentIdToken(sources)
    raise InvalidAuthentication("$.serviceAgentAuthConfig.serviceAgentAuth", "must be ID_TOKEN or ACCESS_TOKEN")


def _service_account(config: JsonObject, sources: CredentialSources) -> Authenticator:
    path = "$.serviceAccountAuthConfig.serviceAccount"
    account = config.get("serviceAccount")
    if not isinstance(account, str) or not _EMAIL.fullmatch(account):
        raise InvalidAuthentication(path, "is required (an email address)")
    if refusal := sources.identity.refusal(account):
        raise InvalidAuthentication(path, refusal)
    return ServiceAccountToken(account, sources)


def _value(
    config: JsonObject, field: str, version_field: str, path: str, sources: CredentialSources, what: str
) -> CredentialValue:
    version = _version(config, version_field, path)
    text = config.get(field)
    if not version and (not isinstance(text, str) or not text):
        raise InvalidAuthentication(f"{path}.{field}", f"is required, or {version_field} in its place")
    if field != "token":
        _refuse_reference(text, f"{path}.{field}")
    return CredentialValue(what, "" if version else str(text), version)


def _version(config: JsonObject, field: str, path: str) -> str:
    version = config.get(field) or ""
    if version:
        try:
            SecretVersionName.parse(str(version))
        except InvalidName as error:
            raise InvalidAuthentication(f"{path}.{field}", str(error)) from error
    return str(version)


def _refuse_reference(text: object, path: str) -> None:
    """Only tokens are read from the session; elsewhere the reference itself would be sent."""
    if isinstance(text, str) and _SESSION_PARAMETER.fullmatch(text):
        raise InvalidAuthentication(path, "cannot be a session parameter; only bearerTokenConfig.token can")


def _check_for_header(value: CredentialValue, sources: CredentialSources, path: str) -> None:
    text = _text_of(value, sources)
    if text and not _VALUE.fullmatch(text):
        raise InvalidAuthentication(path, "contains characters that a header cannot carry")


def _text_of(value: CredentialValue, sources: CredentialSources) -> str:
    """A value that stands in the tool; empty when it stands elsewhere, or does not open now: it is judged when used."""
    try:
        return sources.sealed.unseal(value.text)
    except CredentialError:
        return ""


_BUILDERS: Mapping[str, Callable[[JsonObject, CredentialSources], Authenticator]] = {
    "apiKeyConfig": _api_key,
    "oauthConfig": _oauth,
    "serviceAgentAuthConfig": _service_agent,
    "bearerTokenConfig": _bearer,
    "serviceAccountAuthConfig": _service_account,
    "basicAuthConfig": _basic,
}


async def client_certificate(settings: JsonObject, secrets: Secrets) -> ClientCertificate:
    """What settings in JSON form, `{sslCertificate, privateKey, passphrase}`, stand for now.

    `privateKey` and `passphrase` name versions of secrets; only the passphrase may be missing. Raises
    `CredentialMissing`, and what the secrets raise. Whether key and certificate fit is seen when they are used.
    """
    for field in ("sslCertificate", "privateKey"):
        if not settings.get(field):
            raise CredentialMissing(
                f"the agent's clientCertificateSettings have no {field}; certificate and private key are both required"
            )
    private_key = await secrets.access(str(settings["privateKey"]))
    passphrase = await secrets.access(str(settings["passphrase"])) if settings.get("passphrase") else ""
    return ClientCertificate(str(settings["sslCertificate"]).encode(), private_key.encode(), passphrase.encode())
