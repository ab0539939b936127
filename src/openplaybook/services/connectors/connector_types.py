"""The kinds of systems that there are, with what their tests stand on: OpenPlaybook.ListConnectorTypes."""

from collections.abc import Sequence

from openplaybook.connectors.definitions import ConfigTemplate, ConnectorDefinition
from openplaybook.services.connectors.connection_rules import Definitions
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class ConnectorTypes:
    """Lists them all: they are few."""

    def __init__(self, api: Api, definitions: Definitions) -> None:
        self._definitions = definitions
        self._response = api.message("openplaybook.v1.ListConnectorTypesResponse")

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Every kind, by ID."""
        response = self._response()
        for _, definition in sorted(self._definitions().items()):
            _tell(definition, response.connector_types.add())
        return response


def _tell(definition: ConnectorDefinition, message: ApiMessage) -> None:
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
