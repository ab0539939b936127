"""A system in memory behind the port of connections, with a directory of connections to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityPage,
    EntityQuery,
    EntityType,
    Field,
    QueryResult,
    Rehearsed,
    SqlQuery,
    SystemCall,
    SystemConnection,
    SystemExchange,
    WriteReport,
)
from openplaybook.connectors.catalog.connections import ConnectionAccess, Connections
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError, EntityNotFound, UnknownName, WriteRefused
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject

CONNECTION = "projects/p/locations/l/connections/c"
CUSTOMERS = EntityType(
    "Customer",
    (
        Field("id", DataType.INTEGER, is_key=True, is_nullable=False, is_read_only=True),
        Field("name", DataType.STRING, is_nullable=False, is_required=True),
        Field("city", DataType.STRING),
        Field("level", DataType.STRING, values=("gold", "basic"), is_nullable=False),
        Field("pin", DataType.STRING),
    ),
    frozenset(EntityOperation),
    description="People who buy.",
)
REPORT = ActionType(
    "Report",
    "Report",
    "Tells how many there are.",
    (Field("city", DataType.STRING, is_required=True, is_nullable=False),),
    (Field("count", DataType.INTEGER),),
    is_read_only=True,
)
QUERY = ActionType(CUSTOM_QUERY, "Custom query", "Runs SQL.", (Field("query", DataType.STRING, is_required=True),))


@dataclass
class MemorySystem:
    """Holds customers."""

    settings: ConnectionSettings
    rows: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    fault: ConnectorError | None = None
    asked: list[object] = field(default_factory=list[object])
    described: int = 0

    def _note(self, call: SystemCall, words: str) -> None:
        call.exchanged.append(SystemExchange("MEMORY", "memory://", words))
        if call.is_rehearsal:
            raise Rehearsed
        if self.fault is not None:
            raise self.fault

    async def check(self, call: SystemCall) -> None:
        self._note(call, "check")

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        return ["Customer"]

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        self.described += 1
        if name != "Customer":
            raise UnknownName("entity type", name, ["Customer"])
        return CUSTOMERS

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        return [REPORT, QUERY]

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        self.asked.append(query)
        self._note(call, "list")
        start = int(query.page_token or 0)
        found = [(key, row) for key, row in self.rows.items() if query.condition is None or meets(query.condition, row)]
        page = found[start : start + query.page_size]
        more = str(start + query.page_size) if start + query.page_size < len(found) else ""
        return EntityPage(tuple(Entity(key, dict(row)) for key, row in page), more)

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        self._note(call, f"get {key}")
        if key not in self.rows:
            raise EntityNotFound(f"there is no Customer {key}")
        return Entity(key, dict(self.rows[key]))

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        self._note(call, f"create {values}")
        key = str(len(self.rows) + 1)
        self.rows[key] = {"id": int(key), "city": None, "level": "basic", "pin": "0000", **values}
        return Entity(key, dict(self.rows[key]))

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        await self.get(entity_type, key, (), call)
        self.rows[key] |= values
        return Entity(key, dict(self.rows[key]))

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        await self.get(entity_type, key, (), call)
        del self.rows[key]

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        keys = self._meant(condition, call)
        for key in keys:
            self.rows[key] |= values
        return WriteReport(len(keys), keys)

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        keys = self._meant(condition, call)
        for key in keys:
            del self.rows[key]
        return WriteReport(len(keys), keys)

    def _meant(self, condition: Condition, call: SystemCall) -> tuple[str, ...]:
        self._note(call, "write by condition")
        keys = tuple(key for key, row in self.rows.items() if meets(condition, row))
        if len(keys) > self.settings.write_cap:
            raise WriteRefused(f"{len(keys)} entities meet the condition; at most {self.settings.write_cap} may")
        return keys

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        self._note(call, f"{action} {parameters}")
        return QueryResult(({"count": len(self.rows)},))

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        self.asked.append(query)
        self._note(call, query.text)
        return QueryResult(tuple(dict(row) for row in self.rows.values())[: query.most_rows])

    async def aclose(self) -> None:
        return None


class MemoryConnections:
    """Connections to systems in memory, one system for each credential, all with the same rows."""

    def __init__(self, *settings: ConnectionSettings) -> None:
        given = settings or (ConnectionSettings(CONNECTION, "memory"),)
        self.settings_by_name = {each.name: each for each in given}
        self.opened: list[MemorySystem] = []
        self.rows: dict[str, JsonObject] = {}
        self.fault: ConnectorError | None = None
        self.own_credential_fault: ConnectorError | None = None
        self.access = ConnectionAccess(self, Connections(self._open, cast("SystemAccess", None)))

    async def settings(self, name: str, *, with_credential: bool = True) -> ConnectionSettings | None:
        found = self.settings_by_name.get(name)
        if with_credential and self.own_credential_fault is not None:
            raise self.own_credential_fault
        return found if found is None or with_credential else replace(found, authentication=None)

    async def neighbours(self, name: str) -> Sequence[str]:
        return [each.rpartition("/")[2] for each in self.settings_by_name]

    async def _open(self, settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
        self.opened.append(MemorySystem(settings, self.rows, self.fault))
        return self.opened[-1]

    def fill(self, *names: str) -> None:
        """Customers of these names."""
        for number, name in enumerate(names, start=1):
            row: JsonObject = {"id": number, "name": name, "city": "Bern", "level": "basic", "pin": f"{number:04}"}
            self.rows[str(number)] = row
