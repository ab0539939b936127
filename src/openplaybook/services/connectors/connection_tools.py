"""Tools of a connection in the shape of MCP: each operation of an entity type and each action, by the names that agents
know them by. A call is what a connector tool makes of it, so the answer keeps within what a model can read."""

from collections.abc import Mapping, Sequence

from openplaybook.connectors.base import (
    ActionType,
    EntityOperation,
    EntityType,
    Rehearsed,
    SystemCall,
    SystemConnection,
    SystemExchange,
)
from openplaybook.connectors.errors import UnknownName
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.described_types import described_types
from openplaybook.services.connectors.name_pages import page_of
from openplaybook.services.connectors.names_within import ConnectionPartName, name_within
from openplaybook.services.connectors.opened_systems import call_of
from openplaybook.services.connectors.system_messages import SystemService, metadata_of
from openplaybook.services.connectors.wire_schemas import wire_schema
from openplaybook.services.errors import unimplemented
from openplaybook.tools.base import Success
from openplaybook.tools.connector.action_calls import CallSite, EntityCall, SystemActionCall, refuse_unsupported
from openplaybook.tools.connector.action_schemas import action_input, action_output, entity_input, entity_output
from openplaybook.tools.connector.connector_spec import ConfiguredAction
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_VERBS = {f"{each.value.lower()}_": each for each in EntityOperation}
_DOES = {
    EntityOperation.LIST: "Lists {} that meet a condition.",
    EntityOperation.GET: "Gives one {} by its key.",
    EntityOperation.CREATE: "Creates a {}.",
    EntityOperation.UPDATE: "Changes one {} by its key, or those that meet a condition.",
    EntityOperation.DELETE: "Deletes one {} by its key, or those that meet a condition.",
}
_REPEATABLE = (EntityOperation.LIST, EntityOperation.GET, EntityOperation.UPDATE, EntityOperation.DELETE)


class ConnectionTools(SystemService):
    """List and execute."""

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of tools, or those that the request names. A page has fewer where an entity type lacks operations."""
        connection = str(CONNECTIONS.parse(request.parent))
        if "tool_spec" in request.DESCRIPTOR.fields_by_name and request.HasField("tool_spec"):
            raise unimplemented("tool_spec is not served: a connection has the tools that its system has")
        call = call_of(context, request.execution_config)
        async with self.systems.opened(connection) as system:
            actions = {each.name: each for each in await system.actions(call)}
            if request.tool_names:
                named = [await _configured(system, each, actions, call) for each in request.tool_names]
            else:
                names = await system.entity_names(call)
                named = [_of_entity(operation, name) for name in names for operation in EntityOperation]
                named += [ConfiguredAction("", action_id=name) for name in actions]
            query = (connection, "tools", *request.tool_names)
            page, token = page_of(named, query, request.page_size, request.page_token)
            names = [each.entity_type for each in page if each.operation is not None]
            types = await described_types(system, names, call)
        tools = [_described(each, types, actions) for each in page]
        return await self.answer(
            context, "ListToolsResponse", {"tools": [each for each in tools if each], "nextPageToken": token}
        )

    async def execute(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Call a tool with its arguments."""
        name, arguments = name_within(request.name, "tools"), await self.parts.json_of(request.parameters)
        if request.HasField("tool_definition"):
            raise unimplemented("tool_definition is not served: a tool is as its connection's system has it")
        call = call_of(context, request.execution_config)
        call.is_rehearsal = request.dry_run
        site = CallSite(name.connection, "", self.parts.caller())
        try:
            outcome = await self._taken(name, arguments, site, call)
        except Rehearsed:
            sent: list[JsonValue] = [_would_be_sent(each) for each in call.exchanges]
            return await self.answer(
                context, "ExecuteToolResponse", {"result": {}, "metadata": metadata_of({"wouldBeSent": sent})}
            )
        metadata = metadata_of({"note": outcome.note} if outcome.note else {})
        return await self.answer(context, "ExecuteToolResponse", {"result": outcome.output, "metadata": metadata})

    async def _taken(
        self, name: ConnectionPartName, arguments: JsonObject, site: CallSite, call: SystemCall
    ) -> Success:
        async with self.systems.opened(name.connection) as system:
            actions = {each.name: each for each in await system.actions(call)}
            configured = await _configured(system, name.id, actions, call)
            if configured.operation is None:
                action = actions[configured.action_id]
                return await SystemActionCall(configured, action, site).take(arguments, system, call)
            entity_type = await system.entity_type(configured.entity_type, call)
            refuse_unsupported(configured, entity_type)
            return await EntityCall(configured, entity_type, site).take(arguments, system, call)


def _would_be_sent(exchange: SystemExchange) -> JsonObject:
    return {
        "method": exchange.method,
        "address": exchange.address,
        "headers": dict(exchange.request_headers),
        "request": exchange.request,
    }


def _of_entity(operation: EntityOperation, entity_type: str) -> ConfiguredAction:
    return ConfiguredAction("", operation, entity_type)


async def _configured(
    system: SystemConnection, name: str, actions: dict[str, ActionType], call: SystemCall
) -> ConfiguredAction:
    """The tool of a name. Raises `UnknownName` with what there is."""
    if name in actions:
        return ConfiguredAction("", action_id=name)
    verb = next((each for each in _VERBS if name.startswith(each)), None)
    names: Sequence[str] = await system.entity_names(call)
    if verb is None or name.removeprefix(verb) not in names:
        known = [*actions, *(f"list_{each}" for each in names)]
        raise UnknownName("tool", name, known)
    return _of_entity(_VERBS[verb], name.removeprefix(verb))


def _described(
    configured: ConfiguredAction, types: Mapping[str, EntityType | None], actions: Mapping[str, ActionType]
) -> JsonObject | None:
    """A `Tool`; None for an operation that the entity type lacks, or one of a type that cannot be described."""
    if configured.operation is None:
        return _of_action(configured, actions[configured.action_id])
    entity_type = types[configured.entity_type]
    if entity_type is None or configured.operation not in entity_type.operations:
        return None
    return _of_operation(configured, entity_type)


def _of_operation(configured: ConfiguredAction, entity_type: EntityType) -> JsonObject:
    operation = configured.operation
    assert operation is not None, "an operation on entities"
    about = f"{_DOES[operation].format(entity_type.name)} {entity_type.description}".strip()
    return {
        "name": configured.name,
        "description": about,
        "inputSchema": wire_schema(entity_input(configured, entity_type)),
        "outputSchema": wire_schema(entity_output(configured, entity_type)),
        "annotations": {
            "title": configured.name,
            "readOnlyHint": configured.only_reads,
            "destructiveHint": operation in (EntityOperation.UPDATE, EntityOperation.DELETE),
            "idempotentHint": operation in _REPEATABLE,
            "openWorldHint": True,
        },
    }


def _of_action(configured: ConfiguredAction, action: ActionType) -> JsonObject:
    return {
        "name": action.name,
        "description": action.description,
        "inputSchema": wire_schema(action_input(configured, action)),
        "outputSchema": wire_schema(action_output(configured, action)),
        "annotations": {
            "title": action.display_name,
            "readOnlyHint": action.is_read_only,
            "destructiveHint": not action.is_read_only,
            "idempotentHint": action.is_repeatable,
            "openWorldHint": True,
        },
    }
