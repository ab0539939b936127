"""What a connection must look like for its connector: each thing that is wrong, with the field and what is allowed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from openplaybook.connectors.definitions import (
    AuthenticationKind,
    ConfigTemplate,
    ConnectorDefinition,
    ValueType,
)
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import CONNECTOR_VERSIONS
from openplaybook.resources.secret_names import SecretVersionName

PROVIDER = "gcp"
"""The provider of all connectors, as at Google."""

Definitions: TypeAlias = Callable[[], Mapping[str, ConnectorDefinition]]
"""All connectors by id, in the order of lists; reading them takes time when they are first asked for."""

Violation: TypeAlias = tuple[str, str]
"""Field path and what is wrong there."""

_MEMBERS: Mapping[ValueType, str] = {
    ValueType.STRING: "stringValue",
    ValueType.INT: "intValue",
    ValueType.BOOL: "boolValue",
    ValueType.SECRET: "secretValue",
    ValueType.ENUM: "stringValue",
}
_VALUES = ("stringValue", "intValue", "boolValue", "secretValue", "encryptionKeyValue")
_SECTIONS: Mapping[AuthenticationKind, tuple[str, tuple[str, ...]]] = {
    AuthenticationKind.USER_PASSWORD: ("userPassword", ("username", "password")),
    AuthenticationKind.OAUTH2_JWT_BEARER: ("oauth2JwtBearer", ("clientKey", "jwtClaims")),
    AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS: ("oauth2ClientCredentials", ("clientId", "clientSecret")),
    AuthenticationKind.SSH_PUBLIC_KEY: ("sshPublicKey", ("username", "sshClientCert")),
    AuthenticationKind.OAUTH2_AUTH_CODE_FLOW: ("oauth2AuthCodeFlow", ("clientId", "clientSecret")),
}
"""By kind: the member of `authConfig` that has it, and what must stand there."""
_TLS_SECRETS = ("privateServerCertificate", "clientCertificate", "clientPrivateKey", "clientPrivateKeyPass")
_TLS = "TLS"
_BY_DESTINATION = ("host", "port")
"""Config variables that a destination stands for."""


def connector_of(version: str, definitions: Mapping[str, ConnectorDefinition]) -> ConnectorDefinition | str:
    """The connector of a version's name, or a sentence that says why there is none."""
    try:
        name = CONNECTOR_VERSIONS.parse(version)
    except InvalidName as error:
        return str(error)
    provider, connector = name.parent.split("/")[5], name.parent.rpartition("/")[2]
    found = definitions.get(connector) if provider == PROVIDER else None
    if found is None:
        return f"there is no connector {provider}/{connector}; there are, at {PROVIDER}: {', '.join(definitions)}"
    if name.id != str(found.version):
        return f"there is no version {name.id} of {found.title}; there is: {found.version}"
    return found


def connection_violations(connection: JsonObject, definition: ConnectorDefinition) -> Iterator[Violation]:
    """What is wrong with a connection (JSON form); field paths are in the names of its message."""
    given = as_object(connection.get("authConfig"))
    kind = str(given.get("authType", AuthenticationKind.NONE.value))
    chosen = next((each for each in definition.authentications if each.kind.value == kind), None)
    if chosen is None:
        allowed = ", ".join(each.kind.value for each in definition.authentications)
        yield "connection.auth_config.auth_type", f"{definition.title} does not take {kind}; it takes: {allowed}"
    else:
        yield from _section_violations(given, chosen.kind)
    variables = _numbered(connection.get("configVariables"), "connection.config_variables")
    additional = _numbered(given.get("additionalVariables"), "connection.auth_config.additional_variables")
    is_dialled = bool(definition.default_port and as_list(connection.get("destinationConfigs")))
    stands_for = _BY_DESTINATION if is_dialled else ()
    yield from _variable_violations(variables, definition.config, definition.title, stands_for)
    yield from _variable_violations(additional, chosen.variables if chosen else (), definition.title)
    yield from _destination_violations(connection, definition)
    yield from _tls_violations(as_object(connection.get("sslConfig")), definition)


def _tls_violations(tls: JsonObject, definition: ConnectorDefinition) -> Iterator[Violation]:
    path = "connection.ssl_config"
    is_plain = tls.keys() <= {"type", "useSsl"} and tls.get("type", _TLS) == _TLS
    if not definition.takes_destination and not is_plain:
        yield path, f"{definition.title} is reached by TLS with the certificates that this server trusts; leave it out"
    yield from _secret_violations(tls, _TLS_SECRETS, path)


def _numbered(variables: JsonValue, path: str) -> list[tuple[str, JsonObject]]:
    return [(f"{path}[{place}]", as_object(each)) for place, each in enumerate(as_list(variables))]


def _variable_violations(
    variables: Sequence[tuple[str, JsonObject]],
    templates: Sequence[ConfigTemplate],
    title: str,
    stands_for: Sequence[str] = (),
) -> Iterator[Violation]:
    known = {each.key: each for each in templates}
    met: set[str] = set()
    for path, variable in variables:
        key = str(variable.get("key", ""))
        if key in met:
            yield f"{path}.key", f"{key!r} is given twice"
        elif key not in known:
            allowed = ", ".join(known) or "none"
            yield f"{path}.key", f"{key!r} is no config variable of {title}; there are: {allowed}"
        else:
            yield from _value_violations(path, variable, known[key])
        met.add(key)
    root = variables[0][0].partition("[")[0] if variables else "connection.config_variables"
    for key, template in known.items():
        if template.is_required and key not in met and key not in stands_for:
            yield root, f"{key} is required: {template.description or template.display_name}"


def _value_violations(path: str, variable: JsonObject, template: ConfigTemplate) -> Iterator[Violation]:
    member = _MEMBERS[template.value_type]
    sent = next((each for each in _VALUES if each in variable), None)
    if sent != member:
        found = f", not {sent}" if sent else ""
        yield path, f"{template.key} takes {member}{found}"
        return
    if template.value_type is ValueType.SECRET:
        yield from _secret_violations(variable, (member,), path)
        return
    value = str(variable[member])
    if template.options and value not in template.options:
        yield f"{path}.string_value", f"{template.key} is {value!r}, none of {', '.join(template.options)}"
    elif template.pattern and not re.fullmatch(template.pattern, value):
        about = f": {template.description}" if template.description else ""
        yield (
            f"{path}.{_snake_case(member)}",
            f"{template.key} is {value!r}, which does not fit {template.pattern}{about}",
        )


def _section_violations(given: JsonObject, kind: AuthenticationKind) -> Iterator[Violation]:
    path = "connection.auth_config"
    wanted, needs = _SECTIONS.get(kind, ("", ()))
    for member, _ in _SECTIONS.values():
        if member in given and member != wanted:
            yield f"{path}.{_snake_case(member)}", f"does not belong to {kind.value}"
    section = as_object(given.get(wanted))
    for need in needs:
        if not section.get(need):
            yield f"{path}.{_snake_case(wanted)}.{_snake_case(need)}", "is required"
    secrets = [each for each in section if isinstance(section[each], dict) and each != "jwtClaims"]
    yield from _secret_violations(section, secrets, f"{path}.{_snake_case(wanted)}")


def _secret_violations(holder: JsonObject, members: Sequence[str], path: str) -> Iterator[Violation]:
    for member in members:
        if member not in holder:
            continue
        version = str(as_object(holder[member]).get("secretVersion", ""))
        try:
            SecretVersionName.parse(version)
        except InvalidName as error:
            yield f"{path}.{_snake_case(member)}.secret_version", str(error)


def _destination_violations(connection: JsonObject, definition: ConnectorDefinition) -> Iterator[Violation]:
    configs = _numbered(connection.get("destinationConfigs"), "connection.destination_configs")
    if configs and not definition.takes_destination:
        yield "connection.destination_configs", f"{definition.title} is found by its config variables alone"
    elif len(configs) + sum(max(0, len(as_list(each.get("destinations"))) - 1) for _, each in configs) > 1:
        yield "connection.destination_configs", "must have one destination: a connection leads to one system"
    for path, config in configs:
        for place, each in enumerate(as_list(config.get("destinations"))):
            destination, at = as_object(each), f"{path}.destinations[{place}]"
            if destination.get("serviceAttachment"):
                yield f"{at}.service_attachment", "is not served; give a host"
            elif not destination.get("host"):
                yield f"{at}.host", "is required"
            if not 0 <= int(destination.get("port", 0)) <= 65535:
                yield f"{at}.port", "must be 1 to 65535, or 0 for the usual one"
        if not as_list(config.get("destinations")):
            yield f"{path}.destinations", "must have one destination"


def _snake_case(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)
