"""`ApiAuthentication` of CX Agent Studio in the words of Dialogflow's `Tool.Authentication`, and the other way round.

Secrets are versions of Secret Manager in both, but never stand in a tool of an app. What CX Agent Studio reads from the
session, `$context.variables.token`, Dialogflow reads from `$session.params.token`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.ces.app_variables import variable_name
from openplaybook.resources.tool_kinds import ConversionNotes

_VARIABLES, _PARAMETERS = "$context.variables.", "$session.params."


def v3beta1_authentication(api_authentication: JsonObject) -> JsonObject:
    """The same authentication (JSON of both messages); empty where none is configured."""
    for app_field, (field, convert) in _KINDS.items():
        if app_field in api_authentication:
            return {field: convert(as_object(api_authentication[app_field]))}
    return {}


def _api_key(config: JsonObject) -> JsonObject:
    return _renamed(config, {"apiKeySecretVersion": "secretVersionForApiKey"})


def _oauth(config: JsonObject) -> JsonObject:
    renamed = _renamed(config, {"clientSecretVersion": "secretVersionForClientSecret"})
    if config.get("oauthGrantType") in (None, "OAUTH_GRANT_TYPE_UNSPECIFIED"):
        renamed["oauthGrantType"] = "CLIENT_CREDENTIAL"
    return renamed


def _bearer(config: JsonObject) -> JsonObject:
    """`$context.variables.name` becomes `$session.params.name`; other tokens stay as they are."""
    token = str(config.get("token") or "")
    return {"token": _PARAMETERS + token.removeprefix(_VARIABLES) if token.startswith(_VARIABLES) else token}


def _renamed(config: JsonObject, names: Mapping[str, str]) -> JsonObject:
    return {names.get(name, name): value for name, value in config.items()}


_KINDS: Mapping[str, tuple[str, Callable[[JsonObject], JsonObject]]] = {
    "apiKeyConfig": ("apiKeyConfig", _api_key),
    "oauthConfig": ("oauthConfig", _oauth),
    "serviceAgentIdTokenAuthConfig": ("serviceAgentAuthConfig", lambda config: {"serviceAgentAuth": "ID_TOKEN"}),
    "serviceAccountAuthConfig": ("serviceAccountAuthConfig", dict[str, object]),
    "bearerTokenConfig": ("bearerTokenConfig", _bearer),
}
"""By the field of `ApiAuthentication`: the field of `Tool.Authentication`, and its message made from the other's."""


@dataclass(frozen=True, slots=True)
class AppAuthentication:
    """What came of an authentication."""

    authentication: JsonObject
    variables: tuple[str, ...] = ()
    """Variables that it reads."""


def ces_authentication(authentication: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    """The authentication of a tool of that name; what cannot be said is noted at its place.

    Secrets themselves are never carried over: an app only names versions of secrets.
    """
    for key, convert in _APP_KINDS.items():
        if key in authentication:
            return convert(as_object(authentication[key]), tool, place, notes)
    for key in authentication:
        notes.left_out(place, f"{key} is unknown to CX Agent Studio; the tool calls without it")
    return AppAuthentication({})


def _app_api_key(config: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    members = {key: config[key] for key in ("keyName", "requestLocation") if key in config}
    secret = _secret("apiKeySecretVersion", "key", config.get("secretVersionForApiKey"), place, notes)
    return AppAuthentication({"apiKeyConfig": {**members, **secret}})


def _app_oauth(config: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    members = {key: config[key] for key in ("oauthGrantType", "clientId", "tokenEndpoint", "scopes") if key in config}
    secret = _secret("clientSecretVersion", "secret", config.get("secretVersionForClientSecret"), place, notes)
    return AppAuthentication({"oauthConfig": {**members, **secret}})


def _secret(field: str, what: str, version: JsonValue, place: str, notes: ConversionNotes) -> JsonObject:
    """The field that names a secret's version, where there is one."""
    if version:
        return {field: version}
    notes.missing_secret(place, f"{field} names no secret yet; an app never holds the {what} itself")
    return {}


def _service_agent(config: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    if config.get("serviceAgentAuth") == "ACCESS_TOKEN":
        notes.changed(place, "the service agent's access token is unknown to CX Agent Studio; it sends an ID token")
    return AppAuthentication({"serviceAgentIdTokenAuthConfig": {}})


def _app_bearer(config: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    token = str(config.get("token") or "")
    variable = variable_name(token.removeprefix(_PARAMETERS))
    if not token.startswith(_PARAMETERS):
        variable = f"{tool}_token"
        notes.missing_secret(place, f"a bearer token comes from a variable; set {variable} in each session")
    return AppAuthentication({"bearerTokenConfig": {"token": f"{_VARIABLES}{variable}"}}, (variable,))


def _account(config: JsonObject, tool: str, place: str, notes: ConversionNotes) -> AppAuthentication:
    return AppAuthentication({"serviceAccountAuthConfig": config})


_APP_KINDS: Mapping[str, Callable[[JsonObject, str, str, ConversionNotes], AppAuthentication]] = {
    "apiKeyConfig": _app_api_key,
    "oauthConfig": _app_oauth,
    "serviceAgentAuthConfig": _service_agent,
    "bearerTokenConfig": _app_bearer,
    "serviceAccountAuthConfig": _account,
}
