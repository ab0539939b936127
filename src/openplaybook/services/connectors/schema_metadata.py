"""What a connection's system has, as v1 tells it: names of entity types and actions, and their schemas.

Nothing of it is kept here: whoever opens the connection keeps what it read, and `refresh` lets it read anew.
"""

import re
from collections.abc import Sequence
from functools import partial

from openplaybook.connectors.base import ActionType, SystemCall, SystemConnection
from openplaybook.connectors.errors import ConnectorError, UnknownName
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.resources.names import CONNECTIONS, SCHEMA_METADATA
from openplaybook.services.connectors.described_types import described_types
from openplaybook.services.connectors.name_pages import page_of
from openplaybook.services.connectors.opened_systems import OpenedSystems, call_of
from openplaybook.services.connectors.schema_messages import V1
from openplaybook.services.errors import invalid
from openplaybook.services.operations import FinishedWork, Work, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CONNECTORS
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_FILTER = re.compile(r"\s*(\w+)\s*=\s*\"((?:[^\"\\]|\\.)*)\"\s*")
"""The only filter that Google documents here: `entity="Order"`."""


class SchemaMetadata:
    """The RPCs of `connectionSchemaMetadata`, `runtimeEntitySchemas` and `runtimeActionSchemas`."""

    def __init__(self, parts: ServiceParts, systems: OpenedSystems) -> None:
        self._parts = parts
        self._systems = systems

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Names of what there is now; where that cannot be read, why."""
        return await self._metadata(request.name, call_of(context))

    async def refresh(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget what is known of the system, and read it anew."""
        connection = _connection_of(request.name)
        async with self._systems.opened(connection):
            self._systems.forget(connection)
        call = call_of(context)

        async def work() -> FinishedWork:
            return FinishedWork(await self._metadata(request.name, call))

        return await self._start(request.name, "refresh", work, context)

    async def list_entity_types(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of entity types by name, as Google's basic view has it."""
        connection, call = _connection_of(request.name), call_of(context)
        async with self._systems.opened(connection) as system:
            names = _filtered(await system.entity_names(call), request.filter, "entity")
            page, token = page_of(
                names, (connection, "entities", request.filter), request.page_size, request.page_token
            )
            types = [{"entity": name} for name in page]
        return self._message("ListEntityTypesResponse", {"entityTypes": types, "nextPageToken": token})

    async def list_actions(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of actions by name, likewise."""
        connection, call = _connection_of(request.name), call_of(context)
        async with self._systems.opened(connection) as system:
            names = _filtered([each.name for each in await system.actions(call)], request.filter, "action")
        page, token = page_of(names, (connection, "actions", request.filter), request.page_size, request.page_token)
        return self._message(
            "ListActionsResponse", {"actions": [{"action": name} for name in page], "nextPageToken": token}
        )

    async def get_entity_type(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """An operation that results in the schema of an entity type."""
        connection = _connection_of(request.name)
        if not request.entity_id:
            raise invalid(("entity_id", "is required"))
        async with self._systems.opened(connection) as system:
            schema = V1.entity_type_of(await system.entity_type(request.entity_id, call_of(context)))
        work = partial(finished, self._message("RuntimeEntitySchema", schema))
        return await self._start(request.name, "get", work, context)

    async def get_action(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """An operation that results in the schema of an action."""
        connection = _connection_of(request.name)
        if not request.action_id:
            raise invalid(("action_id", "is required"))
        async with self._systems.opened(connection) as system:
            action = await action_of(system, request.action_id, call_of(context))
        work = partial(finished, self._message("RuntimeActionSchema", V1.action_of(action)))
        return await self._start(request.name, "get", work, context)

    async def list_entity_schemas(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of schemas of entity types, of one with the filter `entity="NAME"`."""
        connection, call = str(CONNECTIONS.parse(request.parent)), call_of(context)
        async with self._systems.opened(connection) as system:
            names = _filtered(await system.entity_names(call), request.filter, "entity")
            page, token = page_of(names, (connection, "types", request.filter), request.page_size, request.page_token)
            types = await described_types(system, page, call)
        schemas = [V1.entity_type_of(each) for each in types.values() if each is not None]
        return self._message(
            "ListRuntimeEntitySchemasResponse", {"runtimeEntitySchemas": schemas, "nextPageToken": token}
        )

    async def list_action_schemas(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The same of actions; schemas are also given as texts where the request says so."""
        connection = str(CONNECTIONS.parse(request.parent))
        async with self._systems.opened(connection) as system:
            actions = {each.name: each for each in await system.actions(call_of(context))}
        names = _filtered([*actions], request.filter, "action")
        query = (connection, "actions", request.filter, str(request.schema_as_string))
        page, token = page_of(names, query, request.page_size, request.page_token)
        schemas = [V1.action_of(actions[name]) for name in page]
        for schema in schemas if request.schema_as_string else ():
            schema["inputSchemaAsString"] = dumps(schema["inputJsonSchema"]).decode()
            schema["resultSchemaAsString"] = dumps(schema["resultJsonSchema"]).decode()
        return self._message(
            "ListRuntimeActionSchemasResponse", {"runtimeActionSchemas": schemas, "nextPageToken": token}
        )

    async def _metadata(self, name: str, call: SystemCall) -> ApiMessage:
        metadata: JsonObject = {"name": name, "state": "UPDATED"}
        async with self._systems.opened(_connection_of(name)) as system:
            try:
                metadata["entities"] = [*await system.entity_names(call)]
                metadata["actions"] = [each.name for each in await system.actions(call)]
            except (ConnectorError, EgressError) as error:
                metadata |= {"state": "REFRESH_SCHEMA_METADATA_FAILED", "errorMessage": str(error)}
        message = self._message("ConnectionSchemaMetadata", metadata)
        message.update_time.FromMicroseconds(self._parts.now_us())
        message.refresh_time.CopyFrom(message.update_time)
        return message

    async def _start(self, name: str, verb: str, work: Work, context: RpcContext) -> ApiMessage:
        metadata = self._parts.api.message(f"{CONNECTORS}OperationMetadata")(target=name, verb=verb, api_version="v1")
        location = CONNECTIONS.parse(_connection_of(name)).parent
        return await self._parts.operations.start(context, location, work, metadata=metadata)

    def _message(self, message: str, value: JsonObject) -> ApiMessage:
        return self._parts.api.codec.from_json(value, self._parts.api.message(CONNECTORS + message)())


async def action_of(system: SystemConnection, name: str, call: SystemCall) -> ActionType:
    """The action of a name. Raises `UnknownName` with those that there are."""
    actions = await system.actions(call)
    found = next((each for each in actions if each.name == name), None)
    if found is None:
        raise UnknownName("action", name, [each.name for each in actions])
    return found


def _connection_of(text: str) -> str:
    """The connection whose schema metadata a name spells. Raises `InvalidName`."""
    return SCHEMA_METADATA.parse(text).parent


def _filtered(names: Sequence[str], text: str, field: str) -> Sequence[str]:
    """The names that pass a filter, which gives one of them in full. INVALID_ARGUMENT for other filters."""
    if not text.strip():
        return names
    found = _FILTER.fullmatch(text)
    if found is None or found[1] != field:
        raise invalid(("filter", f'must be empty or {field}="NAME"; nothing else can be asked for here'))
    wanted = re.sub(r"\\(.)", r"\1", found[2])
    return [name for name in names if name == wanted]
