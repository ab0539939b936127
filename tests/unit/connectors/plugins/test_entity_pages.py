"""Pages and writes around a source, whatever it is: order, what is said of it, what follows a change."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from openplaybook.connectors.base import (
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityQuery,
    EntityType,
    Field,
    QueryResult,
    SortKey,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    ConnectorError,
    EntityNotFound,
    InvalidValue,
    RateLimited,
    UnknownName,
    UnsuitedColumn,
    WriteInDoubt,
)
from openplaybook.connectors.plugins.base import EntityBatch, EntityScan
from openplaybook.connectors.plugins.entity_pages import check_columns
from openplaybook.connectors.plugins.plugin_connection import MOST_QUERY_CHARACTERS, PluginConnection
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject

ITEMS = EntityType(
    "Items",
    (Field("id", DataType.STRING, is_key=True), Field("price", DataType.DECIMAL)),
    frozenset(EntityOperation),
)


@dataclass
class Shelf:
    """Items in memory, a few of which come at a time."""

    prices: dict[str, str]
    at_once: int = 200
    unread: ConnectorError | None = None
    title: str = "Shelf"
    is_open: bool = False
    queries: list[str] = field(default_factory=list[str])

    async def check(self, call: SystemCall) -> None:
        """It is there."""

    async def names(self, call: SystemCall) -> Sequence[str]:
        return ["Items"]

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        return ITEMS

    def actions(self) -> Sequence[ActionType]:
        return ()

    def tries(self, scan: EntityScan) -> bool:
        return False

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        keys = [key for key in sorted(self.prices) if key > after]
        given = keys[: min(size, self.at_once)]
        return EntityBatch(tuple(map(self._entity, given)), is_last=len(given) == len(keys))

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        if self.unread is not None:
            raise self.unread
        return self._entity(key)

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        raise NotImplementedError

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        self.prices[key] = values["price"]

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        raise NotImplementedError

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        raise NotImplementedError

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        self.queries.append(query.text)
        return QueryResult(())

    async def aclose(self) -> None:
        """Nothing is held."""

    def _entity(self, key: str) -> Entity:
        return Entity(key, {"id": key, "price": self.prices[key]})


def opened(shelf: Shelf) -> PluginConnection:
    return PluginConnection(ConnectionSettings("c", "shelf"), shelf)


async def test_decimals_are_ordered_by_their_value_over_pages() -> None:
    connection = opened(Shelf({"a": "10", "b": "9.5", "c": "9.50", "d": "-1", "e": "100"}))
    query = EntityQuery("Items", sort=(SortKey("price", is_descending=True),), page_size=2)
    found: list[str] = []
    token: str | None = None
    while token != "":
        page = await connection.list(replace(query, page_token=token or ""), SystemCall())
        found += [each.key for each in page.entities]
        token = page.next_page_token
    assert found == ["e", "a", "b", "c", "d"]


@pytest.mark.parametrize(("at_once", "is_cut"), [(200, False), (2, True)])
async def test_an_order_of_less_than_all_says_that_it_is_cut(at_once: int, *, is_cut: bool) -> None:
    shelf = Shelf({f"{number:03}": str(number) for number in range(300)}, at_once=at_once)
    page = await opened(shelf).list(EntityQuery("Items", sort=(SortKey("price"),)), SystemCall())
    assert page.notes.get("truncated", False) is is_cut
    assert page.notes["rowsScanned"] == (120 if is_cut else 300)


@pytest.mark.parametrize("error", [RateLimited("later"), EntityNotFound("gone"), WriteInDoubt("?")])
async def test_a_change_that_was_made_is_told_whatever_reading_it_meets(error: ConnectorError) -> None:
    shelf = Shelf({"a": "1"}, unread=error)
    with pytest.raises(WriteInDoubt, match="the change was made"):
        await opened(shelf).update("Items", "a", {"price": "2"}, SystemCall())
    assert shelf.prices == {"a": "2"}


async def test_a_query_longer_than_any_is_not_looked_at() -> None:
    shelf = Shelf({})
    with pytest.raises(InvalidValue, match="50,000"):
        await opened(shelf).query(SqlQuery("x" * (MOST_QUERY_CHARACTERS + 1)), SystemCall())
    assert shelf.queries == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            EntityQuery("Items", parsed_condition("tags = 'x'")),
            "the column 'tags' cannot be filtered by; these .*: id, p",
        ),
        (
            EntityQuery("Items", sort=(SortKey("tags"),)),
            "the column 'tags' cannot be ordered by; these can be: id, price",
        ),
    ],
)
def test_a_column_that_is_there_and_cannot_be_used_is_said_to_be_so(query: EntityQuery, said: str) -> None:
    items = replace(ITEMS, fields=(*ITEMS.fields, Field("tags", DataType.ARRAY, is_filterable=False)))
    with pytest.raises(UnsuitedColumn, match=said):
        check_columns(items, query)
    with pytest.raises(UnknownName, match="there is no column 'tag'"):
        check_columns(items, EntityQuery("Items", parsed_condition("tag = 'x'")))
