"""The connectors that there are, as Integration Connectors lists them: one provider, a connector for each kind of
system, a version of each with the templates of what a connection to it is made of."""

from collections.abc import Iterator, Mapping, Sequence

from openplaybook.connectors.definitions import (
    AuthenticationKind,
    AuthenticationTemplate,
    ConfigTemplate,
    ConnectorDefinition,
    ValueType,
)
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.message_filters import message_test
from openplaybook.resources.names import CONNECTOR_VERSIONS, CONNECTORS, LOCATIONS, PROVIDERS, ResourceName
from openplaybook.resources.page_tokens import issue_token, page_size, read_token
from openplaybook.services.connectors.connection_rules import PROVIDER, Definitions
from openplaybook.services.connectors.name_pages import view_of
from openplaybook.services.errors import not_found
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CONNECTORS as PACKAGE
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_GLOBAL = "global"
_DRAFT_7 = "http://json-schema.org/draft-07/schema#"
_FIELDS: Mapping[AuthenticationKind, tuple[tuple[str, ValueType], ...]] = {
    AuthenticationKind.USER_PASSWORD: (("username", ValueType.STRING), ("password", ValueType.SECRET)),
    AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS: (
        ("client_id", ValueType.STRING),
        ("client_secret", ValueType.SECRET),
    ),
    AuthenticationKind.OAUTH2_AUTH_CODE_FLOW: (("client_id", ValueType.STRING), ("client_secret", ValueType.SECRET)),
    AuthenticationKind.OAUTH2_JWT_BEARER: (
        ("issuer", ValueType.STRING),
        ("subject", ValueType.STRING),
        ("audience", ValueType.STRING),
        ("client_key", ValueType.SECRET),
    ),
    AuthenticationKind.SSH_PUBLIC_KEY: (("username", ValueType.STRING), ("ssh_client_cert", ValueType.SECRET)),
}
"""What each kind of authentication is made of, besides its variables."""


class ConnectorCatalogue:
    """Providers, connectors, versions: get and list, of any project at `locations/global`."""

    def __init__(self, parts: ServiceParts, definitions: Definitions) -> None:
        self._parts = parts
        self._definitions = definitions

    async def get_provider(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The one provider."""
        name = PROVIDERS.parse(request.name)
        if name.id != PROVIDER or not _is_global(name):
            raise not_found("Provider", f"{request.name} (there is locations/global/providers/{PROVIDER})")
        return self._message("Provider", _provider(request.name))

    async def list_providers(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A list of one, at `locations/global`; elsewhere there is none."""
        is_there = LOCATIONS.parse(request.parent).id == _GLOBAL
        found = [_provider(f"{request.parent}/providers/{PROVIDER}")] if is_there else []
        return self._page("ListProvidersResponse", "providers", found, request)

    async def get_connector(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A kind of system."""
        return self._message("Connector", _connector(request.name, self._definition(CONNECTORS.parse(request.name))))

    async def list_connectors(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """All kinds of systems, those that pass the filter."""
        self._check_provider(PROVIDERS.parse(request.parent))
        kind = self._parts.api.message(f"{PACKAGE}Connector").DESCRIPTOR
        is_accepted = message_test(request.filter, kind)
        listed = [_connector(f"{request.parent}/connectors/{each.id}", each) for each in self._definitions().values()]
        found = [each for each in listed if is_accepted(self._message("Connector", each))]
        return self._page("ListConnectorsResponse", "connectors", found, request, request.filter)

    async def get_version(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A version with its templates."""
        return self._message("ConnectorVersion", _version(request.name, self._of_version(request.name)))

    async def list_versions(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The version of a connector."""
        definition = self._definition(CONNECTORS.parse(request.parent))
        found = [_version(f"{request.parent}/versions/{definition.version}", definition)]
        return self._page("ListConnectorVersionsResponse", "connectorVersions", found, request)

    async def fetch_auth_schema(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What each kind of authentication of a version is made of; in the view JSON_SCHEMA as a schema too."""
        definition = self._of_version(request.name)
        schemas = [_auth_schema(each, place) for place, each in enumerate(definition.authentications)]
        response: JsonObject = {"authSchemas": schemas}
        view = view_of(request)
        if view == "JSON_SCHEMA":
            response["jsonSchema"] = {"$schema": _DRAFT_7, "oneOf": [*map(_auth_object, schemas)]}
        return self._message("FetchAuthSchemaResponse", response)

    def _of_version(self, text: str) -> ConnectorDefinition:
        name = CONNECTOR_VERSIONS.parse(text)
        definition = self._definition(CONNECTORS.parse(name.parent))
        if name.id != str(definition.version):
            raise not_found("Version", f"{text} (there is version {definition.version})")
        return definition

    def _definition(self, name: ResourceName) -> ConnectorDefinition:
        self._check_provider(PROVIDERS.parse(name.parent))
        found = self._definitions().get(name.id)
        if found is None:
            raise not_found("Connector", str(name))
        return found

    def _check_provider(self, name: ResourceName) -> None:
        if name.id != PROVIDER or not _is_global(name):
            raise not_found("Provider", f"{name} (there is locations/global/providers/{PROVIDER})")

    def _page(
        self, message: str, member: str, items: Sequence[JsonObject], request: ApiMessage, filter_: str = ""
    ) -> ApiMessage:
        query = (message, request.parent, filter_)
        size, first = page_size(request.page_size), read_token(query, request.page_token)
        token = issue_token(query, first + size) if len(items) > first + size else ""
        return self._message(message, {member: [*items[first : first + size]], "nextPageToken": token})

    def _message(self, message: str, value: JsonObject) -> ApiMessage:
        return self._parts.api.codec.from_json(value, self._parts.api.message(PACKAGE + message)())


def _is_global(name: ResourceName) -> bool:
    return name.parent.endswith(f"/locations/{_GLOBAL}")


def _provider(name: str) -> JsonObject:
    return {"name": name, "displayName": "Google Cloud", "launchStage": "GA"}


def _connector(name: str, definition: ConnectorDefinition) -> JsonObject:
    return {
        "name": name,
        "displayName": definition.title,
        "description": f"{definition.description} Tested against: {definition.evidence_note}".strip(),
        "category": definition.category,
        "documentationUri": definition.documentation,
        "launchStage": "GA",
        "labels": _labels(definition),
        "tags": [definition.category] if definition.category else [],
    }


def _labels(definition: ConnectorDefinition) -> JsonObject:
    """What no member of a connector has: engine, evidence, and all that its connections can do."""
    operations = [each.value for each in definition.operations] if definition.has_entities else []
    operations += ["ACTIONS"] if definition.has_actions or definition.takes_queries else []
    operations += ["QUERIES"] if definition.takes_queries else []
    return {
        "engine": definition.engine.value,
        "evidence": definition.evidence.value,
        "operations": " ".join(operations),
    }


def _version(name: str, definition: ConnectorDefinition) -> JsonObject:
    version: JsonObject = {
        "name": name,
        "displayName": definition.title,
        "launchStage": "GA",
        "releaseVersion": f"{definition.version}.0.0",
        "authOverrideEnabled": True,
        "labels": _labels(definition),
        "configVariableTemplates": [*map(_template, definition.config)],
        "authConfigTemplates": [_auth_template(each, place) for place, each in enumerate(definition.authentications)],
        "supportedRuntimeFeatures": {
            "entityApis": definition.has_entities,
            "actionApis": definition.has_actions or definition.takes_queries,
            "sqlQuery": definition.takes_queries,
        },
    }
    if definition.takes_destination:
        version["destinationConfigTemplates"] = [_destination(definition)]
        version["sslConfigTemplate"] = {"sslType": "MTLS", "serverCertType": ["PEM"], "clientCertType": ["PEM"]}
    return version


def _destination(definition: ConnectorDefinition) -> JsonObject:
    return {
        "key": "host",
        "displayName": "Host and port",
        "description": (
            "Stands for the config variables host and port."
            if definition.default_port
            else "Where requests go instead. Begins with http:// for a server without TLS."
        ),
        "max": 1,
        "defaultPort": definition.default_port,
        "portFieldType": "OPTIONAL",
    }


def _template(template: ConfigTemplate) -> JsonObject:
    without = f"Without it: {template.default}." if template.default else ""
    return {
        "key": template.key,
        "displayName": template.display_name,
        "description": " ".join(filter(None, (template.description, without))),
        "valueType": template.value_type.value,
        "required": template.is_required,
        "validationRegex": template.pattern,
        "enumOptions": [{"id": option, "displayName": option} for option in template.options],
        "state": "ACTIVE",
    }


def _auth_template(template: AuthenticationTemplate, place: int) -> JsonObject:
    return {
        "authType": template.kind.value,
        "displayName": template.display_name,
        "isDefault": place == 0,
        "configVariableTemplates": [*map(_template, template.variables), *_consent(template)],
    }


def _consent(template: AuthenticationTemplate) -> Iterator[JsonObject]:
    """Where a user consents. It is no variable of a connection: what comes of it goes to `exchangeAuthCode`, or with a
    connection in `oauth2AuthCodeFlow.authCode`."""
    if template.consent is not None:
        link: JsonObject = {
            "uri": template.consent.authorize_url,
            "scopes": [*template.consent.scopes],
            "enablePkce": True,
        }
        yield {
            "key": "auth_code",
            "displayName": "Consent",
            "valueType": "AUTHORIZATION_CODE",
            "authorizationCodeLink": link,
            "state": "ACTIVE",
        }


def _auth_schema(template: AuthenticationTemplate, place: int) -> JsonObject:
    fields: list[JsonValue] = [{"key": key, "dataType": kind.value} for key, kind in _FIELDS.get(template.kind, ())]
    fields += [
        {"key": each.key, "dataType": each.value_type.value, "description": each.description}
        for each in template.variables
    ]
    return {
        "authType": template.kind.value,
        "displayName": template.display_name,
        "isDefault": place == 0,
        "authFields": fields,
    }


def _auth_object(schema: JsonObject) -> JsonObject:
    properties = {
        str(field["key"]): {"type": "string", "description": str(field.get("description", ""))}
        for field in schema["authFields"]
    }
    return {
        "type": "object",
        "authType": schema["authType"],
        "description": schema["displayName"],
        "isDefault": schema["isDefault"],
        "properties": properties,
    }


class ConnectorTypes:
    """All kinds of systems with what their tests stand on, as our own API lists them (ListConnectorTypes)."""

    def __init__(self, api: Api, definitions: Definitions) -> None:
        self._definitions = definitions
        self._response = api.message("openplaybook.v1.ListConnectorTypesResponse")

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every kind, by ID."""
        response = self._response()
        for _, definition in sorted(self._definitions().items()):
            _tell_type(definition, response.connector_types.add())
        return response


def _tell_type(definition: ConnectorDefinition, message: ApiMessage) -> None:
    message.id, message.title, message.description = definition.id, definition.title, definition.description
    message.category, message.documentation, message.extra = (
        definition.category,
        definition.documentation,
        definition.extra,
    )
    message.engine, message.evidence = definition.engine.value, definition.evidence.value
    message.evidence_note, message.default_port = definition.evidence_note, definition.default_port
    message.has_actions, message.takes_queries = definition.has_actions, definition.takes_queries
    _tell_fields(definition.config, message.fields)
    for each in definition.authentications:
        authentication = message.authentications.add(kind=each.kind.value, display_name=each.display_name)
        _tell_fields(each.variables, authentication.fields)
    if definition.has_entities:
        message.operations.extend(operation.name for operation in definition.operations)


def _tell_fields(templates: Sequence[ConfigTemplate], messages: ApiMessage) -> None:
    for template in templates:
        messages.add(
            key=template.key,
            display_name=template.display_name,
            description=template.description,
            type=template.value_type.value,
            required=template.is_required,
            pattern=template.pattern,
            options=template.options,
            default_value=template.default,
        )
