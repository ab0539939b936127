"""What systems hold and what a call asks of them: entity types, entities, actions; the port of an opened connection.

The words are those of Google's Integration Connectors: a *connector* is a kind of system (MySQL, Jira), a *connection*
one such system with its address and credential, an *entity type* a table or a collection, an *entity* a row in it, an
*action* whatever else the system can do.

Values are JSON: decimals are texts, integers beyond 2^53 too (doubles do not hold them); dates and times are ISO 8601;
binary is base64.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.jsonvalues import JsonObject, JsonValue

DEFAULT_PAGE_SIZE = 25
LARGEST_PAGE_SIZE = 200
"""Entities on a page (Integration Connectors v2)."""
DEFAULT_WRITE_CAP = 50
"""Entities that one write by condition may change where the connection says nothing else."""
DEFAULT_QUERY_ROWS = 25
DEFAULT_QUERY_TIMEOUT_S = 180
"""Of `ExecuteCustomQuery` (Integration Connectors' documented defaults)."""
CUSTOM_QUERY = "ExecuteCustomQuery"
"""The action that runs a query in the system's own language, or SQL over its entities."""


class DataType(Enum):
    """Type of a field or a parameter: the JDBC types of Integration Connectors that are used here."""

    STRING = "VARCHAR"
    TEXT = "LONGVARCHAR"
    BOOLEAN = "BOOLEAN"
    SMALLINT = "SMALLINT"
    INTEGER = "INTEGER"
    BIGINT = "BIGINT"
    DOUBLE = "DOUBLE"
    DECIMAL = "DECIMAL"
    DATE = "DATE"
    TIME = "TIME"
    TIMESTAMP = "TIMESTAMP"
    TIMESTAMP_WITH_ZONE = "TIMESTAMP_WITH_TIMEZONE"
    UUID = "UUID"
    BINARY = "VARBINARY"
    STRUCT = "STRUCT"
    ARRAY = "ARRAY"
    OTHER = "OTHER"


class EntityOperation(Enum):
    """What can be done with the entities of a type."""

    LIST = "LIST"
    GET = "GET"
    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


READING = frozenset({EntityOperation.LIST, EntityOperation.GET})


@dataclass(frozen=True, slots=True)
class FieldReference:
    """Where a field's values come from."""

    entity_type: str
    field: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an entity type."""

    name: str
    data_type: DataType
    is_key: bool = False
    is_nullable: bool = True
    is_read_only: bool = False
    """Whether the system sets it: no write may name it."""
    is_filterable: bool = True
    """Whether a condition may name it."""
    is_given: bool = True
    """Whether entities have it; else it can only be set, as a password, or tested, as the words of a search."""
    is_required: bool = False
    """Whether a new entity needs it."""
    description: str = ""
    default: JsonValue = None
    """What the system puts in where a new entity has no value; None where it has none or does not say it."""
    values: tuple[JsonValue, ...] = ()
    """The only values it takes; empty for any of its type."""
    schema: JsonObject | None = None
    """JSON Schema of the value, where the type says too little: of objects and arrays."""
    reference: FieldReference | None = None


@dataclass(frozen=True, slots=True)
class EntityType:
    """A table, a collection, a kind of object."""

    name: str
    fields: tuple[Field, ...]
    operations: frozenset[EntityOperation]
    description: str = ""
    default_sort: str = ""

    def field(self, name: str) -> Field | None:
        """The field of a name; None where there is none."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def key(self) -> str:
        """Name of the field that holds the key, those of several joined with a comma; empty without one."""
        return ",".join(each.name for each in self.fields if each.is_key)


@dataclass(frozen=True, slots=True)
class ActionType:
    """Something a system does besides keeping entities."""

    name: str
    """As the connection knows it, `[A-Za-z0-9_.-]+`."""
    display_name: str
    description: str
    parameters: tuple[Field, ...]
    results: tuple[Field, ...] = ()
    """Members of each result; empty where they are not known."""
    is_read_only: bool = False
    """Whether it changes nothing in the system."""
    is_repeatable: bool = False
    """Whether doing it twice is as good as once."""


@dataclass(slots=True)
class Entity:
    """One row, one object. Not frozen: one that is takes three times as long to make, and pages have many."""

    key: str
    """As `get` takes it; empty where the type has no key."""
    fields: JsonObject


@dataclass(frozen=True, slots=True)
class SortKey:
    """By what entities are ordered."""

    field: str
    is_descending: bool = False


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """Which entities are asked for."""

    entity_type: str
    condition: Condition | None = None
    fields: tuple[str, ...] = ()
    """Fields that are wanted; empty for all."""
    sort: tuple[SortKey, ...] = ()
    page_size: int = DEFAULT_PAGE_SIZE
    """1 to `LARGEST_PAGE_SIZE`."""
    page_token: str = ""
    """As a page of the same query gave it; empty for the first page."""


@dataclass(frozen=True, slots=True)
class EntityPage:
    """Some of the entities that were asked for."""

    entities: tuple[Entity, ...]
    next_page_token: str = ""
    """Empty on the last page."""
    notes: JsonObject = field(default_factory=dict[str, JsonValue])
    """What the reply says of itself, such as `{"filterPushedDown": false, "rowsScanned": 400, "truncated": true}`:
    where a condition was tried here rather than by the system."""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write by condition did."""

    count: int
    """Entities changed."""
    keys: tuple[str, ...] = ()
    """Theirs, where they are known."""
    failures: Mapping[str, str] = field(default_factory=dict[str, str])
    """Key → what the system said, of entities that could not be changed where the system changes them one by one."""


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """The value for one `?` of a query."""

    value: JsonValue
    data_type: DataType | None = None
    """What the value is made to be first; None takes it as JSON has it."""


@dataclass(frozen=True, slots=True)
class SqlQuery:
    """A query in the system's language, or SQL over its entities."""

    text: str
    parameters: tuple[QueryParameter, ...] = ()
    most_rows: int = DEFAULT_QUERY_ROWS
    timeout_s: float = DEFAULT_QUERY_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Rows of a query, or results of an action."""

    rows: tuple[JsonObject, ...]
    is_truncated: bool = False
    """Whether there were more."""
    notes: JsonObject = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True)
class SystemExchange:
    """One request to a system and what came back, for traces. Secrets are masked before they come here."""

    method: str
    """An HTTP method; `SQL` for a statement; else the name of a driver's call."""
    address: str
    """URL, or `postgresql://host:port/database` without a user."""
    request: str
    """Body, or the statement with its parameters."""
    status: int = 0
    """HTTP status; 0 where there is none."""
    response: str = ""
    """Cut to a trace budget."""
    elapsed_ms: float = 0.0
    error: str = ""
    request_headers: Mapping[str, str] = field(default_factory=dict[str, str])
    response_headers: Mapping[str, str] = field(default_factory=dict[str, str])
    attempts: int = 1

    def shown(self) -> "SystemExchange":
        """Itself: nothing is left to mask."""
        return self


class RawSystemExchange(Protocol):
    """A request and what it got, still as they were: whoever tells of it reads `shown`. Most are read by nobody."""

    def shown(self) -> SystemExchange:
        """Its masked and cut form."""
        ...


@dataclass(slots=True)
class SystemCall:
    """What a connection may know of the call it serves, and what it tells about itself."""

    timeout_s: float = 60.0
    """Time left."""
    is_rehearsal: bool = False
    """Whether what would be sent is only told: the exchange goes on record and `Rehearsed` is raised instead of
    sending. What is needed to make the request, such as schemas, may still be read."""
    idempotency_key: str = ""
    """The same for each try of one call; sent where the system honours such keys."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """`executionConfig.headers`: sent besides ours, never in their place."""
    returned: tuple[str, ...] = ()
    """Fields that `create` and `update` give back, so that others need not leave the system; empty for all."""
    caller: str = ""
    """On whose behalf, such as an agent's name, for queues and circuit breakers."""
    exchanged: list[RawSystemExchange] = field(default_factory=list[RawSystemExchange])
    """The connection adds what it sent and got, in order."""

    @property
    def exchanges(self) -> list[SystemExchange]:
        """What the connection sent and got, for people to read; rendered anew at each use."""
        return [each.shown() for each in self.exchanged]


class Rehearsed(Exception):
    """A rehearsal came to the point where it would have sent something that changes or reads entities."""


class SystemConnection(Protocol):
    """An opened connection of one credential: shared by all calls that have this credential, closed once.

    Each method raises a subclass of `ConnectorError`. Names of entity types, fields and actions are checked: an
    unknown one is `UnknownName` with those that there are.
    """

    async def check(self, call: SystemCall) -> None:
        """Reach the system and prove the credential; returns when both work."""
        ...

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        """Names of the entity types, sorted."""
        ...

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One entity type."""
        ...

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        """The actions, `ExecuteCustomQuery` among them where queries are taken."""
        ...

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        """A page of entities."""
        ...

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """One entity with these fields, all without any. Raises `EntityNotFound`."""
        ...

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        """A new entity, with its key. Raises `InvalidValue`, `EntityConflict`, `WriteRefused`, `WriteInDoubt`."""
        ...

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        """Change the named fields of one entity, no others; gives it as it is then."""
        ...

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        """Take one entity away. Raises `EntityNotFound`."""
        ...

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        """Change all entities that meet the condition; none where they are more than the connection's cap
        (`WriteRefused` says how many)."""
        ...

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        """Take all entities away that meet the condition, within the same cap."""
        ...

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Take an action other than `ExecuteCustomQuery`."""
        ...

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Run a query. Raises `OperationUnsupported` where the system takes none."""
        ...

    async def aclose(self) -> None:
        """Let go of what it holds; it cannot be used afterwards."""
        ...
