"""Entity types and entities of connections: read, listed and written one by one, or by condition."""

from collections.abc import Mapping, Sequence

from openplaybook.connectors.base import EntityQuery, EntityType, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.described_types import described_types
from openplaybook.services.connectors.name_pages import asked_page_size, page_of, view_of
from openplaybook.services.connectors.names_within import name_within
from openplaybook.services.connectors.opened_systems import call_of
from openplaybook.services.connectors.schema_messages import V2
from openplaybook.services.connectors.system_messages import (
    SystemService,
    entity_json,
    entity_type_name,
    metadata_of,
)
from openplaybook.services.errors import invalid
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_TYPES = "entityTypes"
_ENTITIES = "entities"
_NAMES_ONLY = "ENTITY_TYPE_VIEW_BASIC"
_DIRECTIONS = {"": False, "ASC": False, "ASCENDING": False, "DESC": True, "DESCENDING": True}


class EntityTypes(SystemService):
    """Get and list."""

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """An entity type with its fields."""
        name = name_within(request.name, _TYPES)
        async with self.systems.opened(name.connection) as system:
            found = await system.entity_type(name.id, call_of(context, request.execution_config))
        return await self.answer(context, "EntityType", V2.entity_type_of(found))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of entity types; in the basic view their names alone."""
        connection = str(CONNECTIONS.parse(request.parent))
        call = call_of(context, request.execution_config)
        view = view_of(request)
        async with self.systems.opened(connection) as system:
            names = await system.entity_names(call)
            page, token = page_of(names, (connection, _TYPES), request.page_size, request.page_token)
            if view == _NAMES_ONLY:
                listed: JsonObject = {"types": [{"name": name} for name in page]}
            else:
                listed = _listed(await described_types(system, page, call))
        return await self.answer(context, "ListEntityTypesResponse", {**listed, "nextPageToken": token})


def _listed(types: Mapping[str, EntityType | None]) -> JsonObject:
    return {
        "types": [V2.entity_type_of(each) for each in types.values() if each is not None],
        "unsupportedTypeNames": [name for name, each in types.items() if each is None],
    }


class Entities(SystemService):
    """Get, list, create, update and delete; update and delete by condition."""

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One entity by its key."""
        name = name_within(request.name, _TYPES, _ENTITIES)
        async with self.systems.opened(name.connection) as system:
            found = await system.get(name.ids[0], name.id, (), call_of(context, request.execution_config))
        return await self.answer(context, "Entity", entity_json(entity_type_name(name.connection, name.ids[0]), found))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of entities that meet the conditions."""
        name = name_within(request.parent, _TYPES, field="parent")
        query = EntityQuery(
            entity_type=name.id,
            condition=parsed_condition(request.conditions) if request.conditions.strip() else None,
            sort=_sort_of(request.sort_by, request.sort_order),
            page_size=asked_page_size(request.page_size),
            page_token=request.page_token,
        )
        async with self.systems.opened(name.connection) as system:
            page = await system.list(query, call_of(context, request.execution_config))
        parent = entity_type_name(name.connection, name.id)
        return await self.answer(
            context,
            "ListEntitiesResponse",
            {
                "entities": [entity_json(parent, each) for each in page.entities],
                "nextPageToken": page.next_page_token,
                "metadata": metadata_of(page.notes),
            },
        )

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A new entity, as the system has it then."""
        name = name_within(request.parent, _TYPES, field="parent")
        values = await self._values(request, is_new=True)
        async with self.written(name.connection, f"create_{name.id}") as system:
            made = await system.create(name.id, values, call_of(context, request.execution_config))
        self.audit(name.connection, f"create_{name.id}", 1)
        return await self.answer(context, "Entity", entity_json(entity_type_name(name.connection, name.id), made))

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Change the fields that are sent, no others."""
        name = name_within(request.entity.name, _TYPES, _ENTITIES, field="entity.name")
        values = await self._values(request)
        async with self.written(name.connection, f"update_{name.ids[0]}") as system:
            made = await system.update(name.ids[0], name.id, values, call_of(context, request.execution_config))
        self.audit(name.connection, f"update_{name.ids[0]}", 1)
        return await self.answer(context, "Entity", entity_json(entity_type_name(name.connection, name.ids[0]), made))

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Take one entity away."""
        name = name_within(request.name, _TYPES, _ENTITIES)
        async with self.written(name.connection, f"delete_{name.ids[0]}") as system:
            await system.delete(name.ids[0], name.id, call_of(context, request.execution_config))
        self.audit(name.connection, f"delete_{name.ids[0]}", 1)
        return self.parts.empty()

    async def update_by_condition(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Change all entities that meet the conditions; the reply has their number, and their keys where known."""
        name = name_within(request.entity_type, _TYPES, field="entity_type")
        condition, values = _needed_condition(request), await self._values(request)
        async with self.written(name.connection, f"update_{name.id}") as system:
            report = await system.update_where(name.id, condition, values, call_of(context, request.execution_config))
        self.audit(name.connection, f"update_{name.id}", report.count)
        response: JsonObject = {"count": report.count, "keys": [*report.keys], "failures": dict(report.failures)}
        return await self.answer(context, "UpdateEntitiesWithConditionsResponse", {"response": response})

    async def delete_by_condition(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Take all entities away that meet the conditions."""
        name = name_within(request.entity_type, _TYPES, field="entity_type")
        condition = _needed_condition(request)
        async with self.written(name.connection, f"delete_{name.id}") as system:
            report = await system.delete_where(name.id, condition, call_of(context, request.execution_config))
        self.audit(name.connection, f"delete_{name.id}", report.count)
        for key, failure in report.failures.items():
            context.warn(f"{key} was not deleted: {failure}")
        return self.parts.empty()

    async def _values(self, request: ApiMessage, *, is_new: bool = False) -> JsonObject:
        """The fields that a request sends. INVALID_ARGUMENT for a change of none."""
        values = await self.parts.json_of(request.entity.fields)
        if not values and not is_new:
            raise invalid(("entity.fields", "must have at least one field to change"))
        return values


def _needed_condition(request: ApiMessage) -> Condition:
    if not request.conditions.strip():
        raise invalid(("conditions", "is required: nothing is changed or deleted without a condition"))
    return parsed_condition(request.conditions)


def _sort_of(fields: Sequence[str], directions: Sequence[str]) -> tuple[SortKey, ...]:
    """What to sort by; a field without a direction ascends. INVALID_ARGUMENT."""
    if len(directions) > len(fields):
        raise invalid(("sort_order", "has more entries than sort_by"))
    keys: list[SortKey] = []
    for place, field in enumerate(fields):
        direction = directions[place].upper() if place < len(directions) else ""
        if direction not in _DIRECTIONS:
            raise invalid((f"sort_order[{place}]", f"{directions[place]!r} is neither ASC nor DESC"))
        keys.append(SortKey(field, _DIRECTIONS[direction]))
    return tuple(keys)
