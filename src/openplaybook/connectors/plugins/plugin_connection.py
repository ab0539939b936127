"""An opened connection to one of these systems: what holds for all of them, around what each does itself."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from openplaybook.connectors.base import (
    READING,
    ActionType,
    Entity,
    EntityOperation,
    EntityPage,
    EntityQuery,
    EntityType,
    QueryResult,
    SqlQuery,
    SystemCall,
    WriteReport,
)
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.errors import (
    ConnectorError,
    InvalidValue,
    OperationUnsupported,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.plugins.base import EntitySource
from openplaybook.connectors.plugins.entity_pages import all_keys, entity_page, known_fields, projected
from openplaybook.connectors.plugins.exchange import refuse_write
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.writes_by_condition import written_one_by_one
from openplaybook.jsonvalues import JsonObject

MOST_QUERY_CHARACTERS = 50_000


class PluginConnection:
    """Implements `SystemConnection` with a source."""

    def __init__(self, settings: ConnectionSettings, source: EntitySource) -> None:
        self._settings = settings
        self._source = source
        self._tokens = PageTokens(settings)
        self._cap = settings.write_cap

    async def check(self, call: SystemCall) -> None:
        """Reach the system and prove the credential."""
        await self._source.check(_own(call))

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        """Names of the entity types, sorted."""
        return sorted(await self._source.names(_own(call)))

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One entity type; without writing operations where nothing may be changed."""
        return self._permitted(await self._source.entity_type(name, _own(call)))

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        """The actions; those that change something not where nothing may be changed."""
        del call
        return [each for each in self._source.actions() if each.is_read_only or not self._settings.is_read_only]

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        """A page of entities."""
        own = _own(call)
        entity_type = await self._allowed(query.entity_type, EntityOperation.LIST, own)
        return await entity_page(self._source, entity_type, query, self._tokens, own)

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """One entity."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.GET, own)
        wanted = known_fields(found, fields)
        return projected(await self._source.one(found, _checked(key), wanted, own), wanted)

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        """A new entity."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.CREATE, own)
        _check_values(found, values, is_open=self._source.is_open)
        missing = [each.name for each in found.fields if each.is_required and values.get(each.name) is None]
        if missing:
            raise InvalidValue(missing[0], "is required")
        return await self._source.insert(found, values, own)

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        """Change some fields of one entity; gives it as it is then."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.UPDATE, own)
        _check_change(found, values, is_open=self._source.is_open)
        await self._source.change(found, _checked(key), values, own)
        try:
            return await self._source.one(found, key, known_fields(found, ()), own)
        except ConnectorError as error:
            # Whatever the reading met: its own words would be taken for those of the change.
            raise WriteInDoubt(f"the change was made, and how the entity is now cannot be read: {error}") from error

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        """Take one entity away."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.DELETE, own)
        await self._source.remove(found, _checked(key), own)

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        """Change the entities that meet a condition, one by one; none where they are more than the cap."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.UPDATE, own)
        _check_change(found, values, is_open=self._source.is_open)
        return await self._each(found, condition, lambda key: self._source.change(found, key, values, own), own)

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        """Take away the entities that meet a condition, one by one; none where they are more than the cap."""
        own = _own(call)
        found = await self._allowed(entity_type, EntityOperation.DELETE, own)
        return await self._each(found, condition, lambda key: self._source.remove(found, key, own), own)

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Take an action."""
        known = {each.name: each for each in self._source.actions()}
        if action not in known:
            raise UnknownName("action", action, known)
        if not known[action].is_read_only:
            refuse_write(self._settings)
        _check_parameters(known[action], parameters)
        return await self._source.act(action, parameters, _own(call))

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Run a query in the system's own language."""
        if len(query.text) > MOST_QUERY_CHARACTERS:
            raise InvalidValue("query", f"has at most {MOST_QUERY_CHARACTERS:,} characters, not {len(query.text):,}")
        own = _own(call)
        own.timeout_s = min(own.timeout_s, query.timeout_s)
        return await self._source.run(query, own)

    async def aclose(self) -> None:
        """Let go of what the system's driver holds."""
        await self._source.aclose()

    async def _allowed(self, name: str, operation: EntityOperation, call: SystemCall) -> EntityType:
        if operation not in READING:
            refuse_write(self._settings)
        found = await self._source.entity_type(name, call)
        if operation not in found.operations:
            known = ", ".join(sorted(each.value for each in found.operations))
            raise OperationUnsupported(f"{name} of {self._source.title} has no {operation.value}; it has: {known}")
        return found

    def _permitted(self, entity_type: EntityType) -> EntityType:
        if not self._settings.is_read_only:
            return entity_type
        return replace(entity_type, operations=entity_type.operations & READING)

    async def _each(
        self, found: EntityType, condition: Condition, change: Callable[[str], Awaitable[None]], call: SystemCall
    ) -> WriteReport:
        """Find the keys first, all of them; then change one after the other."""
        query = EntityQuery(found.name, condition)
        keys, is_whole = await all_keys(self._source, found, query, self._cap, call)
        if len(keys) > self._cap:
            raise WriteRefused(
                f"more than {self._cap} entities meet the condition, which is this connection's cap; none was changed"
            )
        if not is_whole:
            raise WriteRefused(
                "the condition has to be tried here, and there are more entities than are read for that; narrow it. "
                "None was changed"
            )
        return await written_one_by_one(keys, change, lambda: call.timeout_s)


def _own(call: SystemCall) -> SystemCall:
    """The same call with a time of its own, from which each request is taken off."""
    return replace(call)


def _checked(key: str) -> str:
    if not key:
        raise InvalidValue("key", "is empty")
    return key


def _check_values(entity_type: EntityType, values: JsonObject, *, is_open: bool) -> None:
    writable = [each.name for each in entity_type.fields if not each.is_read_only]
    for name in values:
        if entity_type.field(name) is None:
            if is_open:
                continue
            raise UnknownName("field", name, writable)
        if name not in writable:
            raise InvalidValue(name, f"is set by the system; these can be set: {', '.join(writable)}")


def _check_change(entity_type: EntityType, values: JsonObject, *, is_open: bool) -> None:
    _check_values(entity_type, values, is_open=is_open)
    if not values:
        raise InvalidValue("", "no field is given")
    keys = [each.name for each in entity_type.fields if each.is_key and each.name in values]
    if keys:
        raise InvalidValue(keys[0], "is the key, which stays as it is")


def _check_parameters(action: ActionType, parameters: JsonObject) -> None:
    known = [each.name for each in action.parameters]
    for name in parameters:
        if name not in known:
            raise UnknownName(f"parameter of {action.name}", name, known)
    missing = [each.name for each in action.parameters if each.is_required and parameters.get(each.name) is None]
    if missing:
        raise InvalidValue(missing[0], "is required")
