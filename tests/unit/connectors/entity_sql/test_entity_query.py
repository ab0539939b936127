"""SQL over entities gives what SQLite gives over the same rows, and asks the system for no more than it needs."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.connectors.base import (
    DataType,
    Entity,
    EntityOperation,
    EntityPage,
    EntityQuery,
    EntityType,
    Field,
    QueryParameter,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.entity_sql import entity_query
from openplaybook.connectors.entity_sql.entity_query import run_entity_query
from openplaybook.connectors.errors import InvalidValue, OperationUnsupported, SystemUnavailable, UnknownName
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.memory_system import CONNECTION, MemorySystem

LISTED = frozenset({EntityOperation.LIST})


def _type(name: str, /, **fields: DataType) -> EntityType:
    return EntityType(name, tuple(Field(each, kind) for each, kind in fields.items()), LISTED)


TYPES = {
    "Customers": _type("Customers", id=DataType.INTEGER, name=DataType.STRING, city=DataType.STRING),
    "Orders": _type(
        "Orders", id=DataType.INTEGER, customer=DataType.INTEGER, total=DataType.DECIMAL, tags=DataType.ARRAY
    ),
    "Posts": EntityType(
        "Posts",
        (
            Field("id", DataType.INTEGER),
            Field("body", DataType.TEXT, is_filterable=False),
            Field("search", DataType.STRING, is_given=False),
        ),
        LISTED,
    ),
    "Secrets": EntityType("Secrets", (Field("id", DataType.INTEGER),), frozenset({EntityOperation.GET})),
}
CITIES = ("Bern", "Ulm", None)
ROWS: dict[str, list[JsonObject]] = {
    "Posts": [{"id": each, "body": f"body {each % 2}", "search": "sun" if each < 4 else "rain"} for each in range(6)],
    "Customers": [{"id": each, "name": f"N{each}", "city": CITIES[each % 3]} for each in range(1, 13)],
    "Orders": [
        {"id": each, "customer": each % 15, "total": f"{each * 7 % 50}.5", "tags": ["a", each]} for each in range(1, 61)
    ],
}


@dataclass
class Shop(MemorySystem):
    """Two entity types that can be listed."""

    queries: list[EntityQuery] = field(default_factory=list[EntityQuery])

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        if name not in TYPES:
            raise UnknownName("entity type", name, TYPES)
        return TYPES[name]

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        self.queries.append(query)
        rows = [row for row in ROWS[query.entity_type] if query.condition is None or meets(query.condition, row)]
        for key in reversed(query.sort):
            rows.sort(key=lambda row, name=key.field: float(row[name]), reverse=key.is_descending)
        start = int(query.page_token or 0)
        page = [{name: row[name] for name in query.fields or row} for row in rows[start : start + query.page_size]]
        more = str(start + query.page_size) if start + query.page_size < len(rows) else ""
        return EntityPage(tuple(Entity("", row) for row in page), more)


@pytest.fixture
def shop() -> Shop:
    return Shop(ConnectionSettings(CONNECTION, "memory"))


async def run(shop: Shop, text: str, *parameters: JsonValue, most_rows: int = 1000) -> QueryResult:
    given = tuple(QueryParameter(each) for each in parameters)
    return await run_entity_query(shop, SqlQuery(text, given, most_rows), SystemCall())


def expected(text: str, parameters: Sequence[JsonValue]) -> list[tuple[JsonValue, ...]]:
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE Customers (id NUMERIC, name TEXT, city TEXT)")
        database.execute("CREATE TABLE Orders (id NUMERIC, customer NUMERIC, total NUMERIC, tags TEXT)")
        for row in ROWS["Customers"]:
            database.execute("INSERT INTO Customers VALUES (?, ?, ?)", [row["id"], row["name"], row["city"]])
        for row in ROWS["Orders"]:
            values = [row["id"], row["customer"], row["total"], f'["a",{row["id"]}]']
            database.execute("INSERT INTO Orders VALUES (?, ?, ?, ?)", values)
        rows = database.execute(text, parameters).fetchall()
    database.close()
    return rows


@pytest.mark.proves("K4")
@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("SELECT * FROM Customers", ()),
        ("select ID, Name from customers where CITY = 'Bern' order by id", ()),
        ("SELECT id FROM Orders WHERE total > ? AND customer <> ? ORDER BY total DESC, id LIMIT 5 OFFSET 2", (20, 3)),
        ("SELECT id, total FROM Orders ORDER BY total DESC, id LIMIT 3", ()),
        ("SELECT id FROM Orders WHERE 20 < total AND NOT customer IN (1, 2) AND total BETWEEN ? AND 40", (10.5,)),
        ("SELECT c.name, SUM(o.total) FROM Orders o JOIN Customers c ON o.customer = c.id WHERE c.city = 'Ulm' "
         "GROUP BY c.name HAVING COUNT(*) > 2 ORDER BY 2 DESC", ()),
        ("SELECT COUNT(*) FROM Customers WHERE city IS NULL", ()),
        ("SELECT COUNT(*) FROM Orders o LEFT JOIN Customers c ON c.id = o.customer WHERE c.id IS NULL", ()),
        ("SELECT c.id FROM Customers c LEFT JOIN Orders o ON o.customer = c.id AND o.total > 9 WHERE o.id IS NULL", ()),
        ("WITH big AS (SELECT * FROM Orders WHERE total > 40) SELECT COUNT(*) AS n FROM big WHERE customer = ?", (5,)),
        ("SELECT id FROM Customers WHERE id IN (SELECT customer FROM Orders WHERE total > 45) ORDER BY id", ()),
        ("SELECT name FROM Customers c WHERE EXISTS (SELECT 1 FROM Orders o WHERE o.customer = c.id AND o.id < 4)", ()),
        ("SELECT a.id, b.id FROM Customers a, Customers b WHERE a.city = b.city AND a.id < b.id", ()),
        ("SELECT city FROM Customers UNION SELECT name FROM Customers WHERE id = 1 ORDER BY 1", ()),
        ("SELECT id FROM Customers WHERE name LIKE 'n1%' ORDER BY id", ()),
        ("SELECT json_extract(tags, '$[1]') FROM Orders WHERE id = 7", ()),
        ("SELECT '?' || name FROM Customers WHERE name = ? -- is it '?'", ("N3",)),
    ],
)  # fmt: skip
async def test_a_query_gives_what_sql_gives(shop: Shop, text: str, parameters: tuple[JsonValue, ...]) -> None:
    result = await run(shop, text, *parameters)
    assert [tuple(row.values()) for row in result.rows] == expected(text, parameters)
    assert not result.is_truncated
    assert "truncated" not in result.notes


async def test_what_the_system_can_do_is_pushed_down(shop: Shop) -> None:
    await run(shop, "SELECT name FROM customers WHERE City = ? AND length(name) > 1", "Bern")
    (asked,) = shop.queries
    assert (asked.entity_type, asked.fields) == ("Customers", ("name", "city"))
    assert asked.condition == parsed_condition("city = 'Bern'")


async def test_a_limit_reads_no_more_than_it_needs(shop: Shop) -> None:
    result = await run(shop, "SELECT id FROM Orders WHERE total > 1 ORDER BY total DESC LIMIT 3 OFFSET 1")
    (asked,) = shop.queries
    assert (asked.page_size, [(each.field, each.is_descending) for each in asked.sort]) == (4, [("total", True)])
    assert result.notes == {"rowsScanned": 4}


async def test_the_condition_of_an_outer_joins_other_side_is_not_pushed_down(shop: Shop) -> None:
    await run(
        shop, "SELECT 1 FROM Orders o LEFT JOIN Customers c ON c.id = o.customer WHERE c.city IS NULL AND o.id = 3"
    )
    assert {each.entity_type: each.condition for each in shop.queries} == {
        "Orders": parsed_condition("id = 3"),
        "Customers": None,
    }


async def test_what_was_not_read_is_said(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entity_query, "MOST_SCANNED", 20)
    result = await run(shop, "SELECT COUNT(*) AS n FROM Orders")
    assert result.rows == ({"n": 20},)
    assert result.notes == {"rowsScanned": 20, "truncated": True}


async def test_rows_beyond_those_asked_for_are_told_of(shop: Shop) -> None:
    result = await run(shop, "SELECT id, id FROM Customers ORDER BY id", most_rows=2)
    assert result.rows == ({"id": 1, "id_2": 1}, {"id": 2, "id_2": 2})
    assert result.is_truncated


@pytest.mark.parametrize(
    ("text", "parameters", "said"),
    [
        ("DELETE FROM Orders", (), "must be one SELECT statement"),
        ("SELECT 1; SELECT 2", (), "must be one SELECT statement"),
        ("SELECT", (), "query: "),
        ("SELECT * FROM main.Orders", (), "entity types have no schema before their name"),
        (
            "SELECT nowhere FROM Orders",
            (),
            "no such column: nowhere; columns that there are: id, customer, total, tags",
        ),
        ("SELECT load_extension('x') FROM Orders", (), "not authorized"),
        ("SELECT zeroblob(2000000000) FROM Orders", (), "too big"),
        ("SELECT * FROM Orders WHERE id = ?", (), "the query has 1 `?`, and 0 values are given"),
        ("SELECT * FROM Orders WHERE id = '?'", (1,), "the query has 0 `?`, and 1 values are given"),
        ("SELECT " + "(" * 5_000, (), "cannot be read as SQL"),
        ("SELECT 1 FROM " + ", ".join(f"Orders o{each}" for each in range(9)), (), "at most 8 are allowed"),
        ("SELECT " + " " * 20_000, (), "at most 20,000 are allowed"),
        ("SELECT * FROM Orders LIMIT 1.5", (), "datatype mismatch"),
        ("SELECT * FROM Orders LIMIT 5 OFFSET 1.5", (), "datatype mismatch"),
        ("SELECT * FROM Orders WHERE id = :other", (), "did not supply a value"),
        (f"SELECT * FROM Orders WHERE tags LIKE '{'a' * 1_001}'", (), "pattern too complex"),
    ],
)
async def test_what_is_no_query_is_refused(shop: Shop, text: str, parameters: Sequence[JsonValue], said: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        await run(shop, text, *parameters)
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["SELECT * FROM Orders LIMIT 1e1", f"SELECT * FROM Orders LIMIT {'9' * 18}"])
async def test_any_way_to_say_a_limit_is_one(shop: Shop, text: str) -> None:
    assert len((await run(shop, text)).rows) >= 10


async def test_numbers_that_would_fill_the_memory_are_not_sent(shop: Shop) -> None:
    assert (await run(shop, "SELECT * FROM Orders WHERE id = 1e999999999")).rows == ()
    assert [each.condition for each in shop.queries] == [None]


async def test_an_unknown_table_is_named_with_those_that_there_are(shop: Shop) -> None:
    with pytest.raises(
        UnknownName, match="there is no entity type 'Sales'; there are: Customers, Orders, Posts, Secrets"
    ):
        await run(shop, "SELECT * FROM Sales")
    with pytest.raises(OperationUnsupported, match="Secrets cannot be listed, so it is no table"):
        await run(shop, "SELECT * FROM Secrets")


async def test_a_query_without_end_is_stopped(shop: Shop) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n, Orders"
    with pytest.raises(SystemUnavailable, match="takes too long"):
        await run_entity_query(shop, SqlQuery(endless, timeout_s=0.3), SystemCall())


async def test_what_the_system_searches_by_is_asked_of_it_and_the_rest_is_tried_here(shop: Shop) -> None:
    result = await run(shop, "SELECT id FROM Posts WHERE search = ? AND body LIKE '%0' ORDER BY id", "sun")
    assert [row["id"] for row in result.rows] == [0, 2]
    [asked] = shop.queries
    assert asked.condition == parsed_condition("search = 'sun'")
    assert asked.fields == ("id", "body")
    assert [*(await run(shop, "SELECT * FROM Posts WHERE id = 1")).rows] == [{"id": 1, "body": "body 1"}]


@pytest.mark.parametrize("where", ["search LIKE 'su%'", "search = 'sun' OR id = 1"])
async def test_what_can_only_be_searched_by_is_refused_elsewhere(shop: Shop, where: str) -> None:
    with pytest.raises(InvalidValue, match="search can only be tested, by search = … in WHERE"):
        await run(shop, f"SELECT id FROM Posts WHERE {where}")
