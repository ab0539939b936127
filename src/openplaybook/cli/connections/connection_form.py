"""From `KEY=VALUE` pairs to a `Connection`, or to what an update changes of one, by the templates of its connector."""

from collections.abc import Mapping

from openplaybook.cli.connections.given_values import GivenValues
from openplaybook.cli.connections.system_place import place_json, place_lines, place_values
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_SECTIONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "USER_PASSWORD": ("userPassword", {"username": "username", "password": "password"}),
    "OAUTH2_CLIENT_CREDENTIALS": (
        "oauth2ClientCredentials",
        {"client_id": "clientId", "client_secret": "clientSecret"},
    ),
    "OAUTH2_AUTH_CODE_FLOW": (
        "oauth2AuthCodeFlow",
        {"client_id": "clientId", "client_secret": "clientSecret", "redirect_uri": "redirectUri"},
    ),
    "OAUTH2_JWT_BEARER": ("oauth2JwtBearer", {"client_key": "clientKey"}),
    "SSH_PUBLIC_KEY": (
        "sshPublicKey",
        {"username": "username", "ssh_client_cert": "sshClientCert", "ssh_client_cert_pass": "sshClientCertPass"},
    ),
}
"""Member of `AuthConfig` and its own members, by what they are called on the command line."""
_CLAIMS = ("issuer", "subject", "audience")
"""Of `oauth2JwtBearer`."""
_SECRETS = frozenset({"password", "client_secret", "client_key", "ssh_client_cert", "ssh_client_cert_pass"})
_OPTIONAL = frozenset({"redirect_uri", "ssh_client_cert_pass"})
_MEANINGS: Mapping[str, str] = {
    "redirect_uri": "Where the browser ends after the consent. Without it: http://localhost:8976/consent.",
    "ssh_client_cert": "The private key (PEM).",
    "ssh_client_cert_pass": "Its passphrase.",
    "client_key": "The private key (PEM) that signs.",
    "issuer": "Claim iss.",
    "subject": "Claim sub.",
    "audience": "Claim aud.",
}


def connection_json(version: JsonObject, given: GivenValues, auth: str, *, takes_override: bool) -> JsonObject:
    """The `Connection` for a connector's version (both JSON). Raises `CommandError` for a key that it does not know."""
    templates = {str(each["key"]): each for each in map(as_object, as_list(version.get("configVariableTemplates")))}
    kind = _kind(version, given, auth)
    more = {str(each["key"]): each for each in own_templates(kind)}
    auth_type = str(kind.get("authType", ""))
    section, members = _SECTIONS.get(auth_type, ("", {}))
    claims = _CLAIMS if auth_type == "OAUTH2_JWT_BEARER" else ()
    place = [line[0].partition(" ")[2] for line in place_lines(version)]
    known = [*templates, *members, *claims, *(key for key in more if key not in members), *place]
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
    connection |= place_json(version, given)
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
    shared |= {line[0].partition(" ")[2] for line in place_lines(version)}
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


def option_lines(kind: JsonObject) -> list[tuple[str, str, bool]]:
    """What the options of a kind of authentication (an `AuthConfigTemplate`) are: option, what it is, whether
    required."""
    auth_type = str(kind.get("authType", ""))
    members = _SECTIONS.get(auth_type, ("", {}))[1]
    more = own_templates(kind)
    own = [*members, *(_CLAIMS if auth_type == "OAUTH2_JWT_BEARER" else ())]
    lines = [
        (f"--{'secret' if key in _SECRETS else 'set'} {key}", _MEANINGS.get(key, ""), key in members.keys() - _OPTIONAL)
        for key in own
    ]
    return lines + [option_line(each) for each in more if each["key"] not in own]


def own_templates(kind: JsonObject) -> list[JsonObject]:
    """The variables of a template of an authentication; a link to a user's consent is none of them."""
    templates = map(as_object, as_list(kind.get("configVariableTemplates")))
    return [each for each in templates if each.get("valueType") != "AUTHORIZATION_CODE"]


def option_line(template: JsonObject) -> tuple[str, str, bool]:
    """The option of a config variable: option, what it is, whether required."""
    option = "--secret" if template.get("valueType") == "SECRET" else "--set"
    options = ", ".join(str(as_object(each).get("id", "")) for each in as_list(template.get("enumOptions")))
    about = str(template.get("description") or template.get("displayName", ""))
    return (
        f"{option} {template['key']}",
        f"{about} One of: {options}." if options else about,
        bool(template.get("required")),
    )


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
    place = place_json(version, merged)
    return changed | {member: place[member] for member in place_json(version, given)}


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
    place = place_values(connection)
    return GivenValues({**texts, **place.texts}, {**versions, **place.versions})


def value_words(connection: JsonObject) -> list[str]:
    """The values of a connection for people; of secrets the names of their versions."""
    found = values_of(connection)
    return [f"{key}={value}" for key, value in sorted({**found.texts, **found.versions}.items())]
