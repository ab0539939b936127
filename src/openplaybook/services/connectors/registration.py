"""The RPCs of Integration Connectors that are served, each with its handler."""

import asyncio
from collections.abc import Mapping

from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.services.connectors.actions import ConnectionActions
from openplaybook.services.connectors.connection_rules import Definitions
from openplaybook.services.connectors.connection_tools import ConnectionTools
from openplaybook.services.connectors.connection_trials import ConnectionTrials
from openplaybook.services.connectors.connections import ConnectionResources
from openplaybook.services.connectors.connector_catalogue import ConnectorCatalogue, ConnectorTypes
from openplaybook.services.connectors.consents import Consents
from openplaybook.services.connectors.entities import Entities, EntityTypes
from openplaybook.services.connectors.opened_systems import OpenedSystems
from openplaybook.services.connectors.schema_metadata import SchemaMetadata
from openplaybook.services.connectors.system_messages import PACKAGE
from openplaybook.services.errors import translated
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CONNECTORS
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry, UnaryHandler

_READING = frozenset(
    {
        "CreateConnection",
        "UpdateConnection",
        "ExchangeAuthCode",
        "RefreshAccessToken",
        "GetConnector",
        "ListConnectors",
        "GetConnectorVersion",
        "ListConnectorVersions",
        "FetchAuthSchema",
    }
)
"""RPCs that need the definitions."""


def register_connectors(registry: Registry, parts: ServiceParts, access: ConnectionAccess, consents: Consents) -> None:
    """Connections, what they do, and the connectors that there are."""
    systems, definitions = OpenedSystems(access), consents.definitions
    connections = ConnectionResources(parts, systems, definitions, consents)
    control = {
        **_of_connections(connections, SchemaMetadata(parts, systems)),
        **_of_catalogue(ConnectorCatalogue(parts, definitions)),
    }
    handlers = {
        **{CONNECTORS + rpc: handler for rpc, handler in control.items()},
        **{PACKAGE + rpc: handler for rpc, handler in _of_systems(parts, systems, connections).items()},
    }
    types = ConnectorTypes(parts.api, definitions)
    registry.unary("openplaybook.v1.OpenPlaybook.ListConnectorTypes", _after_reading(definitions, types.list))
    trials = ConnectionTrials(parts, systems, consents, connections)
    registry.server_streaming("openplaybook.v1.OpenPlaybook.TestConnection", trials.test)
    for rpc, handler in handlers.items():
        is_reading = rpc.rpartition(".")[2] in _READING
        registry.unary(rpc, translated(_after_reading(definitions, handler) if is_reading else handler))


def _after_reading(definitions: Definitions, handler: UnaryHandler) -> UnaryHandler:
    """The handler, once the definitions are read: that takes some hundred milliseconds, so not on the event loop."""

    async def read(request: ApiMessage, context: RpcContext) -> ApiMessage:
        await asyncio.to_thread(definitions)
        return await handler(request, context)

    return read


def _of_connections(connections: ConnectionResources, metadata: SchemaMetadata) -> Mapping[str, UnaryHandler]:
    return {
        "Connections.CreateConnection": connections.create,
        "Connections.GetConnection": connections.get,
        "Connections.ListConnections": connections.list,
        "Connections.SearchConnections": connections.search,
        "Connections.UpdateConnection": connections.update,
        "Connections.DeleteConnection": connections.delete,
        "Connections.GetConnectionSchemaMetadata": metadata.get,
        "ConnectionSchemaMetadataService.RefreshConnectionSchemaMetadata": metadata.refresh,
        "ConnectionSchemaMetadataService.ListEntityTypes": metadata.list_entity_types,
        "ConnectionSchemaMetadataService.ListActions": metadata.list_actions,
        "ConnectionSchemaMetadataService.GetEntityType": metadata.get_entity_type,
        "ConnectionSchemaMetadataService.GetAction": metadata.get_action,
        "RuntimeEntitySchemas.ListRuntimeEntitySchemas": metadata.list_entity_schemas,
        "RuntimeActionSchemas.ListRuntimeActionSchemas": metadata.list_action_schemas,
    }


def _of_catalogue(catalogue: ConnectorCatalogue) -> Mapping[str, UnaryHandler]:
    return {
        "Providers.GetProvider": catalogue.get_provider,
        "Providers.ListProviders": catalogue.list_providers,
        "Connectors.GetConnector": catalogue.get_connector,
        "Connectors.ListConnectors": catalogue.list_connectors,
        "Versions.GetConnectorVersion": catalogue.get_version,
        "Versions.ListConnectorVersions": catalogue.list_versions,
        "Versions.FetchAuthSchema": catalogue.fetch_auth_schema,
    }


def _of_systems(
    parts: ServiceParts, systems: OpenedSystems, connections: ConnectionResources
) -> Mapping[str, UnaryHandler]:
    types, entities = EntityTypes(parts, systems), Entities(parts, systems)
    actions, tools = ConnectionActions(parts, systems), ConnectionTools(parts, systems)
    return {
        "Connections.CheckStatus": connections.check_status,
        "Connections.CheckReadiness": connections.check_readiness,
        "Connections.ExchangeAuthCode": connections.exchange_auth_code,
        "Connections.RefreshAccessToken": connections.refresh_access_token,
        "Connections.ExecuteSqlQuery": actions.query,
        "Connections.ListToolsPost": tools.list,
        "EntityTypes.GetEntityType": types.get,
        "EntityTypes.ListEntityTypes": types.list,
        "Entities.GetEntity": entities.get,
        "Entities.ListEntities": entities.list,
        "Entities.CreateEntity": entities.create,
        "Entities.UpdateEntity": entities.update,
        "Entities.DeleteEntity": entities.delete,
        "Entities.UpdateEntitiesWithConditions": entities.update_by_condition,
        "Entities.DeleteEntitiesWithConditions": entities.delete_by_condition,
        "Actions.GetAction": actions.get,
        "Actions.ListActions": actions.list,
        "Actions.ExecuteAction": actions.execute,
        "Tools.ListTools": tools.list,
        "Tools.ExecuteTool": tools.execute,
    }
