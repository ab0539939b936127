"""From `KEY=VALUE` pairs to a `Connection`, or to what an update changes of one, by the templates of its connector."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_SECTIONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "USER_PASSWORD": ("userPassword", {"username": "username", "password": "password"}),
    "OAUTH2_CLIENT_CREDENTIALS": (
        "oauth2ClientCredentials",
        {"client_id": "clientId", "client_secret": "clientSecret"},
    ),
    "OAUTH2_AUTH_CODE_FLOW": ("oauth2AuthCodeFlow", {"client_id": "clientId", "client_secret": "clientSecret"}),
    "OAUTH2_JWT_BEARER": ("oauth2JwtBearer", {"client_key": "clientKey"}),
    "SSH_PUBLIC_KEY": ("sshPublicKey", {"username": "username", "ssh_client_cert": "sshClientCert"}),
}
"""Member of `AuthConfig` and its own members, by what they are called on the command line."""
_CLAIMS = ("issuer", "subject", "audience")
"""Of `oauth2JwtBearer`."""
_SECRETS = frozenset({"password", "client_secret", "client_key", "ssh_client_cert"})


@dataclass(frozen=True, slots=True)
class GivenValues:
    """What the command line says."""

    texts: Mapping[str, str]
    versions: Mapping[str, str]
    """Names of secret versions, by key."""
    asked: tuple[str, ...] = ()
    """Keys of secrets whose values are still to be asked for."""

    @property
    def keys(self) -> frozenset[str]:
        """All that are given."""
        return frozenset({*self.texts, *self.versions})


def connection_json(version: JsonObject, given: GivenValues, auth: str, *, takes_override: bool) -> JsonObject:
    """The `Connection` for a connector's version (both JSON). Raises `CommandError` for a key that it does not know."""
    templates = {str(each["key"]): each for each in map(as_object, as_list(version.get("configVariableTemplates")))}
    kind = _kind(version, given, auth)
    more = {str(each["key"]): each for each in own_templates(kind)}
    auth_type = str(kind.get("authType", ""))
    section, members = _SECTIONS.get(auth_type, ("", {}))
    claims = _CLAIMS if auth_type == "OAUTH2_JWT_BEARER" else ()
    known = [*templates, *members, *claims, *(key for key in more if key not in members)]
    for key in given.keys:
        if key not in known:
            raise CommandError(f"there is no {key!r} in such a connection; there are: {', '.join(known)}", exit_code=2)
    connection: JsonObject = {"connectorVersion": version["name"]}
    if variables := [_variable(each, given) for key, each in templates.items() if key in given.keys]:
        connection["configVariables"] = variables
    if section:
        connection["authConfig"] = _auth_config(auth_type, section, members, claims, more, given)
    elif extra := [_variable(each, given) for key, each in more.items() if key in given.keys]:
        connection["authConfig"] = {"additionalVariables": extra}
    elif auth_type and auth_type != "AUTH_TYPE_UNSPECIFIED":
        connection["authConfig"] = {"authType": auth_type}
    return {**connection, "authOverrideEnabled": True} if takes_override else connection


def _kind(version: JsonObject, given: GivenValues, auth: str) -> JsonObject:
    """The template of the authentication: the one that is named, else the first that has most of what is given, which
    is the default where nothing of the kind is."""
    kinds = [as_object(each) for each in as_list(version.get("authConfigTemplates"))]
    names = [str(each.get("authType", "AUTH_TYPE_UNSPECIFIED")) for each in kinds]
    if auth:
        wanted = auth.upper().replace("-", "_")
        if wanted not in names:
            raise CommandError(f"--auth {auth} is not among: {', '.join(names)}", exit_code=2)
        return kinds[names.index(wanted)]
    shared = {str(as_object(each)["key"]) for each in as_list(version.get("configVariableTemplates"))}
    wanted = given.keys - shared
    owns = [wanted & {line[0].partition(" ")[2] for line in option_lines(kind)} for kind in kinds]
    fullest = max(map(len, owns), default=0)
    return next((kind for kind, own in zip(kinds, owns, strict=True) if len(own) == fullest), JsonObject())


def _auth_config(
    auth_type: str,
    section: str,
    members: Mapping[str, str],
    claims: tuple[str, ...],
    more: Mapping[str, JsonObject],
    given: GivenValues,
) -> JsonObject:
    held: JsonObject = {}
    for key, member in members.items():
        if key in given.versions:
            held[member] = {"secretVersion": given.versions[key]}
        elif key in given.texts:
            if key in _SECRETS:
                raise CommandError(f"{key} is a secret: give it with --secret {key}", exit_code=2)
            held[member] = given.texts[key]
    if told := {claim: given.texts[claim] for claim in claims if claim in given.texts}:
        held["jwtClaims"] = told
    config: JsonObject = {"authType": auth_type, section: held}
    if extra := [_variable(each, given) for key, each in more.items() if key in given.keys and key not in members]:
        config["additionalVariables"] = extra
    return config


def _variable(template: JsonObject, given: GivenValues) -> JsonObject:
    key, kind = str(template["key"]), template.get("valueType")
    if key in given.versions:
        return {"key": key, "secretValue": {"secretVersion": given.versions[key]}}
    text = given.texts[key]
    if kind == "SECRET":
        raise CommandError(f"{key} is a secret: give it with --secret {key}", exit_code=2)
    if kind == "BOOL":
        if text.lower() not in ("true", "false"):
            raise CommandError(f"{key} must be true or false, not {text!r}", exit_code=2)
        return {"key": key, "boolValue": text.lower() == "true"}
    return {"key": key, "intValue": text} if kind == "INT" else {"key": key, "stringValue": text}


def given_values(connection: str, pairs: list[str], secrets: list[str]) -> GivenValues:
    """Read `KEY=VALUE` pairs, and secrets: `KEY=projects/P/secrets/S/versions/V`, or `KEY` alone, whose value is still
    to be asked for and kept under `secret_name`. Raises `CommandError`."""
    texts: dict[str, str] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not key or not sign:
            raise CommandError(f"--set must be KEY=VALUE, not {_without_value(pair)}", exit_code=2)
        texts[key] = value
    versions: dict[str, str] = {}
    asked: list[str] = []
    for secret in secrets:
        key, sign, version = secret.partition("=")
        if not key or (sign and not version.startswith("projects/")):
            raise CommandError(
                f"--secret {key} takes the name of a secret's version, or no value: then it is asked for", exit_code=2
            )
        versions[key] = version or f"{secret_name(connection, key)}/versions/latest"
        asked += [] if version else [key]
    if twice := next((key for key in texts if key in versions), None):
        raise CommandError(f"{twice} is given with --set and with --secret", exit_code=2)
    return GivenValues(texts, versions, tuple(asked))


def _without_value(pair: str) -> str:
    return repr(pair) if "=" not in pair else repr(f"={'…' if pair[1:] else ''}")


def secret_name(connection: str, key: str) -> str:
    """Under which the server keeps what was asked for."""
    project, id = connection.split("/")[1], connection.rpartition("/")[2]
    return f"projects/{project}/secrets/{id}-{key.replace('_', '-')}"


def keep_secret(api: ApiClient, connection: str, key: str, value: str) -> None:
    """Keep a secret of a connection as the newest version under its name."""
    data = b64encode(value.encode()).decode("ascii")
    api.post(f"v1/{secret_name(connection, key)}:addVersion", {"payload": {"data": data}})


def option_lines(kind: JsonObject) -> list[tuple[str, str, bool]]:
    """What the options of a kind of authentication (an `AuthConfigTemplate`) are: option, title, whether required."""
    auth_type = str(kind.get("authType", ""))
    members = _SECTIONS.get(auth_type, ("", {}))[1]
    more = own_templates(kind)
    own = [*members, *(_CLAIMS if auth_type == "OAUTH2_JWT_BEARER" else ())]
    lines = [(f"--{'secret' if key in _SECRETS else 'set'} {key}", "", key in members) for key in own]
    return lines + [option_line(each) for each in more if each["key"] not in own]


def own_templates(kind: JsonObject) -> list[JsonObject]:
    """The variables of a template of an authentication; a link to a user's consent is none of them."""
    templates = map(as_object, as_list(kind.get("configVariableTemplates")))
    return [each for each in templates if each.get("valueType") != "AUTHORIZATION_CODE"]


def option_line(template: JsonObject) -> tuple[str, str, bool]:
    """The option of a config variable: option, title, whether required."""
    option = "--secret" if template.get("valueType") == "SECRET" else "--set"
    return f"{option} {template['key']}", str(template.get("displayName", "")), bool(template.get("required"))


def changed_json(connection: JsonObject, version: JsonObject, given: GivenValues) -> JsonObject:
    """The members of a connection (JSON) that are others with the given values, by its connector's version.

    Raises `CommandError` for a key that such a connection does not have.
    """
    kept = values_of(connection)
    texts = {key: text for key, text in kept.texts.items() if key not in given.versions}
    versions = {key: name for key, name in kept.versions.items() if key not in given.texts}
    merged = GivenValues({**texts, **given.texts}, {**versions, **given.versions})
    before = as_object(connection.get("authConfig"))
    auth_type = str(before.get("authType", ""))
    made = connection_json(version, merged, auth_type if auth_type in _SECTIONS else "", takes_override=False)
    changed: JsonObject = {"configVariables": made["configVariables"]} if "configVariables" in made else {}
    if "authConfig" in made:
        after = as_object(made["authConfig"])
        section = _SECTIONS.get(auth_type, ("", {}))[0]
        if section:
            after[section] = {**as_object(before.get(section)), **as_object(after.get(section))}
        changed["authConfig"] = after
    return changed


def values_of(connection: JsonObject) -> GivenValues:
    """The values of a connection, as the command line has them."""
    texts: dict[str, str] = {}
    versions: dict[str, str] = {}
    auth = as_object(connection.get("authConfig"))
    variables = [*as_list(connection.get("configVariables")), *as_list(auth.get("additionalVariables"))]
    for variable in map(as_object, variables):
        key = str(variable.get("key", ""))
        if "secretValue" in variable:
            versions[key] = str(as_object(variable["secretValue"]).get("secretVersion", ""))
        elif "boolValue" in variable:
            texts[key] = str(variable["boolValue"]).lower()
        else:
            texts[key] = str(variable.get("intValue", variable.get("stringValue", "")))
    section, members = _SECTIONS.get(str(auth.get("authType", "")), ("", {}))
    held = as_object(auth.get(section))
    for key, member in members.items():
        if isinstance(held.get(member), dict):
            versions[key] = str(as_object(held[member]).get("secretVersion", ""))
        elif member in held:
            texts[key] = str(held[member])
    texts |= {claim: str(text) for claim, text in as_object(held.get("jwtClaims")).items() if claim in _CLAIMS}
    return GivenValues(texts, versions)
