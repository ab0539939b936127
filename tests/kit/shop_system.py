"""A shop behind the port of connections: customers with a key, a log without one, an action, queries."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.connectors.base import (
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityPage,
    EntityQuery,
    EntityType,
    Field,
    FieldReference,
    QueryResult,
    SqlQuery,
    SystemCall,
    WriteReport,
)
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.syntax import Condition, columns_of
from openplaybook.connectors.definitions import (
    AuthenticationKind,
    AuthenticationTemplate,
    ConfigTemplate,
    ConnectorDefinition,
    Engine,
    Evidence,
    SystemAccess,
    ValueType,
)
from openplaybook.connectors.errors import (
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject

CUSTOMER = EntityType(
    "Customer",
    (
        Field("id", DataType.INTEGER, is_key=True, is_nullable=False, is_read_only=True),
        Field("name", DataType.STRING, is_nullable=False, is_required=True, description="Full name"),
        Field("balance", DataType.DECIMAL, default="0.00"),
        Field("kind", DataType.STRING, values=("person", "company")),
        Field("address", DataType.STRUCT, schema={"type": "object", "properties": {"city": {"type": "string"}}}),
        Field("seller", DataType.INTEGER, reference=FieldReference("Seller", "id")),
    ),
    frozenset(EntityOperation),
    "Who buys",
    "id",
)
LOG = EntityType("odd/log", (Field("line", DataType.TEXT),), frozenset({EntityOperation.LIST}))
TYPES = {each.name: each for each in (CUSTOMER, LOG)}
PING = ActionType(
    "Ping",
    "Ping",
    "Says what it hears",
    (Field("text", DataType.STRING, is_required=True),),
    (Field("heard", DataType.STRING),),
    is_read_only=True,
)
QUERY = ActionType("ExecuteCustomQuery", "Query", "Runs SQL", (Field("query", DataType.STRING, is_required=True),))
SHOP = ConnectorDefinition(
    id="shop-system",
    title="Shop",
    engine=Engine.SQL,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="the system itself.",
    authentications=(
        AuthenticationTemplate(AuthenticationKind.USER_PASSWORD, "User and password"),
        AuthenticationTemplate(
            AuthenticationKind.NONE, "API key", (ConfigTemplate("api_key", "API key", value_type=ValueType.SECRET),)
        ),
        AuthenticationTemplate(AuthenticationKind.OAUTH2_AUTH_CODE_FLOW, "Consent"),
    ),
    config=(
        ConfigTemplate("host", "Host", "where it listens", is_required=True, pattern=r"[a-z.]+"),
        ConfigTemplate("port", "Port", value_type=ValueType.INT),
        ConfigTemplate("read_only", "Read only", value_type=ValueType.BOOL),
        ConfigTemplate("region", "Region", value_type=ValueType.ENUM, options=("eu", "us")),
    ),
    category="Testing",
    description="Keeps customers.",
    documentation="https://example.com/shop",
    default_port=4711,
    takes_queries=True,
)


@dataclass
class ShopSystem:
    """One system; every opened connection reaches it."""

    rows: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """Customers by key."""
    log: list[JsonObject] = field(default_factory=list[JsonObject])
    opened: list[ConnectionSettings] = field(default_factory=list[ConnectionSettings])
    """Settings of connections, each as it was opened."""
    calls: list[SystemCall] = field(default_factory=list[SystemCall])
    queries: list[SqlQuery] = field(default_factory=list[SqlQuery])
    closed: int = 0
    failure: ConnectorError | EgressError | None = None
    """What every call fails with."""
    hidden: frozenset[str] = frozenset()
    """Entity types that this credential may not see."""

    async def open(self, settings: ConnectionSettings, access: SystemAccess) -> "ShopSystem":
        """As an `Opener`."""
        self.opened.append(settings)
        return self

    def _note(self, call: SystemCall) -> None:
        self.calls.append(call)
        if self.failure is not None:
            raise self.failure

    async def check(self, call: SystemCall) -> None:
        self._note(call)

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        self._note(call)
        return sorted(TYPES)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        self._note(call)
        if name not in TYPES:
            raise UnknownName("entity", name, sorted(TYPES))
        if name in self.hidden:
            raise PermissionRefused(f"{name} is not for you")
        return TYPES[name]

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        self._note(call)
        return [PING, QUERY]

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        kind = await self.entity_type(query.entity_type, call)
        for column in (*columns_of(query.condition), *(each.field for each in query.sort)):
            if kind.field(column) is None:
                raise UnknownName("field", column, [each.name for each in kind.fields])
        every = [*self.rows.items()] if kind is CUSTOMER else [("", line) for line in self.log]
        found = [(key, row) for key, row in every if query.condition is None or meets(query.condition, row)]
        for each in reversed(query.sort):
            found.sort(key=lambda pair: str(pair[1].get(each.field)), reverse=each.is_descending)
        start = int(query.page_token or 0)
        end = start + query.page_size
        token = str(end) if len(found) > end else ""
        return EntityPage(tuple(Entity(*each) for each in found[start:end]), token, {"rowsScanned": len(found)})

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        await self.entity_type(entity_type, call)
        if key not in self.rows:
            raise EntityNotFound(f"there is no {entity_type} {key!r}")
        return Entity(key, self.rows[key])

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        await self.entity_type(entity_type, call)
        if "name" not in values:
            raise InvalidValue("name", "is required")
        if any(row["name"] == values["name"] for row in self.rows.values()):
            raise EntityConflict("name: there is a customer of this name")
        key = str(1 + len(self.rows))
        self.rows[key] = {"id": int(key), **values}
        return Entity(key, self.rows[key])

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        entity = await self.get(entity_type, key, (), call)
        entity.fields.update(values)
        return entity

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        await self.get(entity_type, key, (), call)
        del self.rows[key]

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        self._note(call)
        keys = [key for key, row in self.rows.items() if meets(condition, row)]
        if len(keys) > 2:
            raise WriteRefused(f"{len(keys)} entities meet the condition, more than the 2 that one write may change")
        for key in keys:
            self.rows[key].update(values)
        return WriteReport(len(keys), tuple(keys))

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        self._note(call)
        keys = [key for key, row in self.rows.items() if meets(condition, row)]
        for key in keys:
            del self.rows[key]
        return WriteReport(len(keys), tuple(keys))

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        self._note(call)
        if action != PING.name:
            raise OperationUnsupported(f"{action} cannot be executed")
        return QueryResult(({"heard": parameters["text"]},), notes={"loud": True})

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        self._note(call)
        self.queries.append(query)
        rows = tuple({"n": number, "big": 2**60 + 1} for number in range(3))
        return QueryResult(rows[: query.most_rows], is_truncated=query.most_rows < 3)

    async def aclose(self) -> None:
        self.closed += 1
