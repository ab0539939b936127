"""`Tool.Authentication` of Dialogflow CX as `ApiAuthentication` of CX Agent Studio."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.conversion.naming import variable_name
from openplaybook.packages.report import Notes
from openplaybook.tools.schema.dialect import CONTEXT, VARIABLES

_PARAMETERS = "$session.params."


@dataclass(frozen=True, slots=True)
class Converted:
    """What came of an authentication."""

    authentication: JsonObject
    variables: tuple[str, ...] = ()
    """Variables that it reads."""


def ces_authentication(authentication: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    """The authentication of a tool of that name; what cannot be said is noted at its place.

    Secrets themselves are never carried over: an app only names versions of secrets.
    """
    for key, convert in _KINDS.items():
        if key in authentication:
            return convert(as_object(authentication[key]), tool, place, notes)
    for key in authentication:
        notes.left_out(place, f"{key} is unknown to CX Agent Studio; the tool calls without it")
    return Converted({})


def _api_key(config: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    kept = {key: config[key] for key in ("keyName", "requestLocation") if key in config}
    secret = _secret("apiKeySecretVersion", "key", config.get("secretVersionForApiKey"), place, notes)
    return Converted({"apiKeyConfig": {**kept, **secret}})


def _oauth(config: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    kept = {key: config[key] for key in ("oauthGrantType", "clientId", "tokenEndpoint", "scopes") if key in config}
    secret = _secret("clientSecretVersion", "secret", config.get("secretVersionForClientSecret"), place, notes)
    return Converted({"oauthConfig": {**kept, **secret}})


def _secret(field: str, what: str, version: JsonValue, place: str, notes: Notes) -> JsonObject:
    """The field that names a secret's version, where there is one."""
    if version:
        return {field: version}
    notes.missing_secret(place, f"{field} names no secret yet; an app never holds the {what} itself")
    return {}


def _service_agent(config: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    if config.get("serviceAgentAuth") == "ACCESS_TOKEN":
        notes.changed(place, "the service agent's access token is unknown to CX Agent Studio; it sends an ID token")
    return Converted({"serviceAgentIdTokenAuthConfig": {}})


def _bearer(config: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    token = str(config.get("token") or "")
    variable = variable_name(token.removeprefix(_PARAMETERS))
    if not token.startswith(_PARAMETERS):
        variable = f"{tool}_token"
        notes.missing_secret(place, f"a bearer token comes from a variable; set {variable} in each session")
    return Converted({"bearerTokenConfig": {"token": f"{CONTEXT}{VARIABLES}{variable}"}}, (variable,))


def _account(config: JsonObject, tool: str, place: str, notes: Notes) -> Converted:
    return Converted({"serviceAccountAuthConfig": config})


_KINDS: Mapping[str, Callable[[JsonObject, str, str, Notes], Converted]] = {
    "apiKeyConfig": _api_key,
    "oauthConfig": _oauth,
    "serviceAgentAuthConfig": _service_agent,
    "bearerTokenConfig": _bearer,
    "serviceAccountAuthConfig": _account,
}
