"""What each of these systems does itself; all else, from page tokens to write caps, is `plugin_connection`'s."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from openplaybook.connectors.base import (
    ActionType,
    Entity,
    EntityType,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.custom_query import custom_query_action
from openplaybook.jsonvalues import JsonObject, JsonValue

SCAN_CAP = 1_000
"""Entities that one call reads to try a condition, or to order them, here."""
MOST_BYTES = 8_000_000
"""Of a reply, and of a file that is read or written at once."""


@dataclass(frozen=True, slots=True)
class EntityScan:
    """Which entities of a type are gone through, in the order of their keys."""

    entity_type: EntityType
    condition: Condition | None = None
    """The system may leave out what does not meet it; what it gives is tried again here."""
    fields: tuple[str, ...] = ()
    """Fields that are needed: those that are wanted, and those that are tried or ordered by here."""


@dataclass(frozen=True, slots=True)
class EntityBatch:
    """Some entities of a scan."""

    entities: tuple[Entity, ...]
    is_last: bool
    """Whether nothing comes behind them."""
    is_cut: bool = False
    """Whether the system has more than can be gone through."""


class EntitySource(Protocol):
    """A system. Keys are texts by which it orders entities; names, values and permissions are checked before it is
    asked. Each method raises a subclass of `ConnectorError`."""

    title: str
    """Of the connector, for messages."""
    is_open: bool
    """Whether entities may be given fields that their type does not tell of."""

    async def check(self, call: SystemCall) -> None:
        """Reach the system and prove the credential."""
        ...

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Names of the entity types."""
        ...

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One of them. Raises `UnknownName`."""
        ...

    def actions(self) -> Sequence[ActionType]:
        """The actions, `ExecuteCustomQuery` among them where queries are taken."""
        ...

    def tries(self, scan: EntityScan) -> bool:
        """Whether the system tries the whole condition of a scan."""
        ...

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """About so many entities behind a key, from the first for an empty one."""
        ...

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """The entity of a key. Raises `EntityNotFound`."""
        ...

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """A new entity."""
        ...

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Set these fields of one entity. Raises `EntityNotFound`."""
        ...

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """Take one entity away. Raises `EntityNotFound`."""
        ...

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Take one of the actions with parameters that were checked."""
        ...

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Run a query in the system's language. Raises `OperationUnsupported`."""
        ...

    async def aclose(self) -> None:
        """Let go of what it holds."""
        ...


def text_of(parameters: JsonObject, name: str, default: str = "") -> str:
    """A parameter as text."""
    value: JsonValue = parameters.get(name)
    return default if value is None else str(value)


def query_action(language: str, *, is_read_only: bool) -> ActionType:
    """`ExecuteCustomQuery` in a language."""
    return custom_query_action(
        f"Runs one query in {language}; each ? stands for a parameter.", is_read_only=is_read_only
    )
