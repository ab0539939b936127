"""Reads a manifest's YAML into its classes. Raises `InvalidManifest` with the place and what is allowed there."""

import re
from collections.abc import Iterable

from openplaybook.connectors.base import CUSTOM_QUERY, EntityOperation
from openplaybook.connectors.definitions import (
    AuthenticationKind,
    AuthenticationTemplate,
    ConfigTemplate,
    ConnectorDefinition,
    ConsentEndpoints,
    Engine,
    Evidence,
    ValueType,
)
from openplaybook.connectors.rest.manifest.authentication_keys import read_authentications
from openplaybook.connectors.rest.manifest.authentication_model import AuthenticationManifest
from openplaybook.connectors.rest.manifest.entity_keys import read_action, read_entity, read_query
from openplaybook.connectors.rest.manifest.kinds import FailureClass
from openplaybook.connectors.rest.manifest.list_keys import read_line
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest, ManifestNode
from openplaybook.connectors.rest.manifest.model import (
    DiscoverManifest,
    EntityManifest,
    FailureManifest,
    SystemManifest,
)
from openplaybook.connectors.rest.manifest.placeholders import check_address, text_placeholders
from openplaybook.connectors.rest.manifest.soap_keys import read_soap, service_actions
from openplaybook.jsonvalues import JsonObject, JsonValue

_WHOLE_HOST = re.compile(r"https://\{config\.(\w+)\}(?:/|$)")
_ANY_HOST = "desk.example"
KINDS = {
    "none": AuthenticationKind.NONE,
    "bearer": AuthenticationKind.NONE,
    "api_key": AuthenticationKind.NONE,
    "two_step": AuthenticationKind.NONE,
    "basic": AuthenticationKind.USER_PASSWORD,
    "username_token": AuthenticationKind.USER_PASSWORD,
    "oauth2_client_credentials": AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS,
    "oauth2_auth_code": AuthenticationKind.OAUTH2_AUTH_CODE_FLOW,
    "jwt_bearer": AuthenticationKind.OAUTH2_JWT_BEARER,
    "google": AuthenticationKind.GOOGLE_AUTHENTICATION,
}
_TYPES = {
    "string": ValueType.STRING,
    "integer": ValueType.INT,
    "boolean": ValueType.BOOL,
    "secret": ValueType.SECRET,
    "enum": ValueType.ENUM,
}
_READ_ONLY = ConfigTemplate(
    "read_only", "Read only", "Whether nothing may be changed.", ValueType.BOOL, default="false"
)
_WRITE_CAP = ConfigTemplate(
    "write_cap", "Write cap", "Entities that one write by condition may change.", ValueType.INT, default="50"
)
_SPELLINGS = {"oauth2": "OAuth2", "jwt": "JWT", "api": "API"}
_ENGINES = {"rest": Engine.REST, "odata": Engine.ODATA, "graphql": Engine.GRAPHQL}


def read_manifest(value: JsonValue, name: str) -> SystemManifest:
    """The manifest of a parsed YAML text; `name` is that of the file without its ending, which is the id, too."""
    node = ManifestNode(value, name)
    if node.required_text("id") != name:
        node.fail("id", f"must be {name!r}, as the file is named")
    transport = node.text("transport", "rest")
    if transport not in _ENGINES:
        node.fail("transport", f"is {transport!r}; one of {', '.join(_ENGINES)} is expected")
    config = tuple(read_config(each) for each in node.children("config"))
    ways = read_authentications(node.children("auth"))
    defaults = node.mapping("defaults")
    entities = {name: read_entity(name, each, defaults) for name, each in node.named("entities")}
    actions = {name: read_action(name, each, defaults) for name, each in node.named("actions")}
    soap = read_soap(node.child("soap")) if "soap" in node else None
    if soap is not None:
        actions = service_actions(soap) | actions
    query = read_query(node.child("query")) if "query" in node else None
    if CUSTOM_QUERY in actions:
        node.fail("actions", f"may not hold {CUSTOM_QUERY}; the key `query` says how queries are run")
    urls = _base_url(node)
    operations = _operations(entities.values())
    definition = ConnectorDefinition(
        id=name,
        title=node.required_text("title"),
        engine=_ENGINES[transport],
        evidence=node.choice("evidence", Evidence, Evidence.COMPILED_ONLY),
        evidence_note=node.required_text("evidence_note"),
        authentications=_templates(node, ways),
        config=(*config, _READ_ONLY, _WRITE_CAP),
        version=node.number("version", 1),
        description=node.text("description"),
        category=node.text("category"),
        documentation=node.text("documentation"),
        has_own_host=any(_is_own_host(url, config) for url in urls.values()),
        has_entities=bool(entities),
        operations=operations,
        has_actions=bool(actions),
        takes_queries=query is not None or EntityOperation.LIST in operations,
    )
    made = SystemManifest(
        definition=definition,
        base_url=urls,
        hosts=_texts(node, "hosts"),
        authentications=tuple(way for way, _ in ways),
        headers=_texts(node, "headers"),
        params=_texts(node, "params"),
        idempotency_header=node.text("idempotency"),
        failures=_read_failures(node.child("errors")),
        most_concurrent=node.number("concurrent"),
        entities=entities,
        actions=actions,
        query=query,
        check=read_line(node, "check") if "check" in node else None,
        discover=_read_discover(node.child("discover")) if "discover" in node else None,
        transport=transport,
        soap=soap,
        extra=node.mapping(transport) if transport != "rest" else {},
    )
    node.close()
    _check_names(made, name)
    return made


def read_config(node: ManifestNode) -> ConfigTemplate:
    """A config variable."""
    kind = node.text("type", "enum" if "options" in node else "string")
    if kind not in _TYPES:
        node.fail("type", f"is {kind!r}; one of {', '.join(_TYPES)} is expected")
    key = node.required_text("key")
    made = ConfigTemplate(
        key=key,
        display_name=node.text("title", key.replace("_", " ").capitalize()),
        description=node.text("description"),
        value_type=_TYPES[kind],
        is_required=node.flag("required"),
        pattern=node.expression("pattern"),
        options=node.texts("options"),
        default=node.text("default"),
    )
    node.close()
    return made


def _templates(
    node: ManifestNode, ways: list[tuple[AuthenticationManifest, ManifestNode]]
) -> tuple[AuthenticationTemplate, ...]:
    made: list[AuthenticationTemplate] = []
    for way, each in ways:
        if way.kind not in KINDS:
            each.fail("kind", f"is {way.kind!r}; one of {', '.join(KINDS)} is expected")
        variables = tuple(read_config(variable) for variable in each.children("variables"))
        title = each.text("title", _way_title(way.kind))
        made.append(AuthenticationTemplate(KINDS[way.kind], title, variables, _consent(way)))
        each.close()
    kinds = [each.kind for each in made]
    if not made or len(set(kinds)) < len(kinds):
        node.fail("auth", "needs one way to prove oneself at least, and one of each AuthenticationKind at most")
    return tuple(made)


def _consent(way: AuthenticationManifest) -> ConsentEndpoints | None:
    if not way.authorize or way.request is None:
        return None
    return ConsentEndpoints(way.authorize, way.request.url, way.scopes, way.request.client_in)


def _base_url(node: ManifestNode) -> dict[str, str]:
    value = node.take("base_url")
    if isinstance(value, str):
        return {"*": value}
    found = {str(kind): str(url) for kind, url in node.mapping("base_url").items()}
    unknown = next((kind for kind in found if kind not in (*KINDS, "*")), None)
    if not found or unknown is not None:
        node.fail("base_url", f"must be a URL, or URLs by kind of authentication ({', '.join(KINDS)}, `*`)")
    return found


def _is_own_host(url: str, config: Iterable[ConfigTemplate]) -> bool:
    """Whether one config variable is the whole host of a URL, and may be of any domain."""
    found = _WHOLE_HOST.match(url)
    template = next((each for each in config if found and each.key == found[1]), None)
    return template is not None and not template.options and bool(re.fullmatch(template.pattern, _ANY_HOST))


def _texts(node: ManifestNode, key: str) -> dict[str, str]:
    return {str(name): str(value) for name, value in node.mapping(key).items()}


def _read_failures(node: ManifestNode) -> FailureManifest:
    codes: dict[str, FailureClass] = {}
    statuses: dict[int, FailureClass] = {}
    inner = node.child("codes")
    for kind in FailureClass:
        for code in inner.texts(kind.value):
            if code.isdigit() and len(code) == 3:
                statuses[int(code)] = kind
            codes[code] = kind
    inner.close()
    words = node.child("words")
    patterns = {kind: words.expression(kind.value) for kind in FailureClass if kind.value in words}
    words.close()
    made = FailureManifest(
        message=node.texts("message"),
        code=node.texts("code"),
        blamed=node.texts("field"),
        fields=node.text("fields"),
        ok=node.text("ok"),
        failed=node.texts("failed"),
        codes=codes,
        words=patterns,
        statuses=statuses,
    )
    node.close()
    return made


def _read_discover(node: ManifestNode) -> DiscoverManifest:
    made = DiscoverManifest(
        read_line(node, "http"),
        items=node.text("items"),
        name=node.text("name", "name"),
        label=node.text("label"),
        when=node.texts("when"),
    )
    node.close()
    return made


def _check_names(manifest: SystemManifest, name: str) -> None:
    """Placeholders name config variables that there are, and the host only those with a pattern."""
    templates = [*manifest.definition.config]
    for each in manifest.definition.authentications:
        templates += each.variables
    known = {each.key: each for each in templates}
    for url in (*manifest.base_url.values(), *manifest.hosts.values()):
        check_address(url, known, f"{name}.base_url")
    texts: JsonObject = {"headers": dict(manifest.headers), "params": dict(manifest.params)}
    for index, way in enumerate(manifest.authentications):
        texts[f"auth[{index}]"] = [each.value for each in way.credentials]
        if way.request is not None:
            check_address(way.request.url, known, f"{name}.auth[{index}].token_url")
    if manifest.soap is not None:
        texts["soap"] = manifest.soap.version
    _check_config(texts, set(known), name)
    _check_hosts(manifest, name)
    for entity in manifest.entities.values():
        _check_entity(entity, set(known), f"{name}.entities.{entity.name}")
    for action in manifest.actions.values():
        _check_config([action.http.path, dict(action.params)], set(known), f"{name}.actions.{action.name}")


def _check_entity(entity: EntityManifest, known: set[str], path: str) -> None:
    names = {each.name for each in entity.fields} | {"entity", "changed"}
    keys = {each.name for each in entity.fields if each.field.is_key}
    for key, operation in (("get", entity.get), ("update", entity.update), ("delete", entity.delete)):
        is_told = entity.schema is not None and entity.schema.metadata is not None
        if operation is not None and not keys and not is_told:
            raise InvalidManifest(f"{path}.fields", f"has no key, which {key} needs (a field such as `id: key`)")
    lines = [("list", entity.list), ("search", entity.search), ("get", entity.get), ("create", entity.create)]
    lines += [("update", entity.update), ("delete", entity.delete)]
    for key, operation in lines:
        if operation is None:
            continue
        _check_config([operation.http.path, dict(operation.params)], known, f"{path}.{key}")
        unknown = next(
            (each for each in text_placeholders(operation.http.path) if "." not in each and each not in names), None
        )
        if unknown is not None:
            raise InvalidManifest(
                f"{path}.{key}",
                f"names {{{unknown}}}, which is no field: {', '.join(each.name for each in entity.fields)}",
            )


def _check_config(value: JsonValue, known: set[str], path: str) -> None:
    for each in text_placeholders(value):
        kind, _, key = each.partition(".")
        if kind == "config" and key not in known:
            raise InvalidManifest(path, f"names {{{each}}}; config variables are: {', '.join(sorted(known)) or 'none'}")


def _operations(entities: Iterable[EntityManifest]) -> tuple[EntityOperation, ...]:
    """What entities of one kind or another take."""
    taken: set[EntityOperation] = set()
    for each in entities:
        operations = {
            EntityOperation.LIST: each.list or each.search,
            EntityOperation.GET: each.get,
            EntityOperation.CREATE: each.create,
            EntityOperation.UPDATE: each.update,
            EntityOperation.DELETE: each.delete,
        }
        taken |= {operation for operation, line in operations.items() if line is not None}
    return tuple(each for each in EntityOperation if each in taken)


def _check_hosts(manifest: SystemManifest, name: str) -> None:
    if manifest.soap is not None and manifest.soap.host not in manifest.hosts:
        raise InvalidManifest(f"{name}.soap.host", f"is {manifest.soap.host!r}, which `hosts` does not have")
    lines = [(each.name, each.http) for each in manifest.actions.values()]
    for entity in manifest.entities.values():
        operations = (entity.list, entity.search, entity.get, entity.create, entity.update, entity.delete)
        lines += [(entity.name, each.http) for each in operations if each is not None]
    for owner, line in lines:
        if line.host and line.host not in manifest.hosts:
            known = ", ".join(manifest.hosts) or "none"
            raise InvalidManifest(f"{name}.{owner}", f"names the host {line.host!r}; `hosts` has: {known}")


def _way_title(kind: str) -> str:
    """A way to log in, such as `OAuth2 auth code` of `oauth2_auth_code`."""
    words = [_SPELLINGS.get(each, each) for each in kind.split("_")]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])
