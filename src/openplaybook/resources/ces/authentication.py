"""`ApiAuthentication` of CX Agent Studio in the words of Dialogflow's `Tool.Authentication`: one house knows one form.

Secrets are versions of Secret Manager in both, but never stand in a tool of an app. What CX Agent Studio reads from the
session, `$context.variables.token`, Dialogflow reads from `$session.params.token`.
"""

from collections.abc import Callable, Mapping

from openplaybook.jsonvalues import JsonObject, as_object

_VARIABLES, _PARAMETERS = "$context.variables.", "$session.params."


def v3beta1_authentication(api_authentication: JsonObject) -> JsonObject:
    """The same authentication (JSON of both messages); empty where none is configured."""
    for given, (field, made) in _KINDS.items():
        if given in api_authentication:
            return {field: made(as_object(api_authentication[given]))}
    return {}


def _session_reference(text: str) -> str:
    """`$context.variables.name` as `$session.params.name`; other texts as they are."""
    return _PARAMETERS + text.removeprefix(_VARIABLES) if text.startswith(_VARIABLES) else text


def _api_key(config: JsonObject) -> JsonObject:
    return _renamed(config, {"apiKeySecretVersion": "secretVersionForApiKey"})


def _oauth(config: JsonObject) -> JsonObject:
    renamed = _renamed(config, {"clientSecretVersion": "secretVersionForClientSecret"})
    if config.get("oauthGrantType") in (None, "OAUTH_GRANT_TYPE_UNSPECIFIED"):
        renamed["oauthGrantType"] = "CLIENT_CREDENTIAL"
    return renamed


def _id_token(config: JsonObject) -> JsonObject:
    return {"serviceAgentAuth": "ID_TOKEN"}


def _bearer(config: JsonObject) -> JsonObject:
    return {"token": _session_reference(str(config.get("token") or ""))}


def _renamed(config: JsonObject, names: Mapping[str, str]) -> JsonObject:
    return {names.get(name, name): value for name, value in config.items()}


_KINDS: Mapping[str, tuple[str, Callable[[JsonObject], JsonObject]]] = {
    "apiKeyConfig": ("apiKeyConfig", _api_key),
    "oauthConfig": ("oauthConfig", _oauth),
    "serviceAgentIdTokenAuthConfig": ("serviceAgentAuthConfig", _id_token),
    "serviceAccountAuthConfig": ("serviceAccountAuthConfig", dict[str, object]),
    "bearerTokenConfig": ("bearerTokenConfig", _bearer),
}
"""By the field of `ApiAuthentication`: the field of `Tool.Authentication`, and its message made from the other's."""
