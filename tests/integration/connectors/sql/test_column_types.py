"""Types that only one database has, and the odd ends of those that all have, there and back without loss."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from decimal import Decimal
from typing import cast

import pytest

from openplaybook.connectors.base import DataType, EntityQuery, SortKey, SqlQuery, SystemCall, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import EntityConflict, InvalidValue
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.systems import open_sql
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.mariadb import MariadbServer
from tests.kit.postgres import Cluster
from tests.kit.sql_databases import SqlPeer, mariadb_peer, postgresql_peer

ODD_OF_POSTGRESQL: JsonObject = {
    "feeling": "happy",
    "tags": ["a", 'b "c" \\ {d},', None, "", "NULL", "ü"],
    "grid": [[1, 2], [3, 4]],
    "small": -32768,
    "real4": 0.1,
    "at": "2026-11-26T14:30:00.123456Z",
    "span": "P1Y2M3DT4H5M6.5S",
    "address": "10.0.0.0/8",
    "room": "[1,5)",
    "document": {"b": 1, "a": [1.25, None, "x"]},
    "exact": "123456789012345678901234567890.000000000000000001",
    "letter": "ab ",
    "days": ["2026-01-01", None],
    'Odd "name': "%(x)s %s ? :a",
}
ODD_OF_MARIADB: JsonObject = {
    "feeling": "sad",
    "tags": "b,a",
    "tiny": 255,
    "many": str(2**64 - 1),
    "flag": True,
    "bits": 4095,
    "since": 1999,
    "at": "2026-11-26T14:30:00.123456",
    "long_time": "23:59:59",
    "small": 2,
    'Odd "name': "%(x)s %s ? :a 🐈",
    "fixed": "AQIDBA==",
    "latin": "é",
}


@pytest.fixture
async def odd_postgresql(cluster: Cluster) -> AsyncGenerator[SystemConnection]:
    """The table of odd types of PostgreSQL."""
    peer = postgresql_peer(cluster)
    connection = await open_sql(peer.configured(schema="odd"), peer.access)
    yield connection
    await connection.aclose()


@pytest.fixture
async def odd_mariadb(mariadb: MariadbServer) -> AsyncGenerator[SystemConnection]:
    """The table of odd types of MariaDB."""
    peer = mariadb_peer(mariadb)
    connection = await open_sql(peer.configured(schema="odd"), peer.access)
    yield connection
    await connection.aclose()


async def test_types_of_postgresql(odd_postgresql: SystemConnection) -> None:
    call = SystemCall()
    kinds = await odd_postgresql.entity_type("kinds", call)
    assert {each.name: each.data_type.value for each in kinds.fields} == {
        "id": "UUID",
        "feeling": "VARCHAR",
        "tags": "ARRAY",
        "grid": "ARRAY",
        "small": "SMALLINT",
        "real4": "DOUBLE",
        "at": "TIMESTAMP_WITH_TIMEZONE",
        "span": "OTHER",
        "address": "OTHER",
        "room": "OTHER",
        "document": "STRUCT",
        "exact": "DECIMAL",
        "letter": "VARCHAR",
        "number": "INTEGER",
        "days": "ARRAY",
        'Odd "name': "LONGVARCHAR",
    }
    feeling, number = kinds.field("feeling"), kinds.field("number")
    assert feeling is not None
    assert number is not None
    assert (feeling.values, number.is_read_only) == (("happy", "sad"), True)
    assert not any(each.is_required for each in kinds.fields)
    entity = await odd_postgresql.create("kinds", ODD_OF_POSTGRESQL, call)
    assert {name: entity.fields[name] for name in ODD_OF_POSTGRESQL} == ODD_OF_POSTGRESQL
    assert entity.fields["number"] == -65536
    assert await odd_postgresql.get("kinds", entity.key, (), call) == entity
    changed = await odd_postgresql.update("kinds", entity.key, ODD_OF_POSTGRESQL, call)
    assert changed == entity


async def test_moments_are_of_one_zone(odd_postgresql: SystemConnection) -> None:
    call = SystemCall()
    entity = await odd_postgresql.create("kinds", {"at": "2026-11-26T16:30:00+02:00"}, call)
    assert entity.fields["at"] == "2026-11-26T14:30:00Z"
    for condition in (
        "at = '2026-11-26T14:30:00'",
        "at < '2026-11-26T16:31:00+02:00'",
        "at IN ('2026-11-26T14:30:00Z')",
    ):
        page = await odd_postgresql.list(EntityQuery("kinds", parsed_condition(condition)), call)
        assert [each.key for each in page.entities] == [entity.key]


async def test_what_no_python_value_is_comes_as_text(odd_postgresql: SystemConnection, cluster: Cluster) -> None:
    cluster.sql(
        "INSERT INTO odd.kinds (at, days, exact, real4) VALUES ('infinity', '{0044-03-15 BC}', 'NaN', '-Infinity')",
        "shop",
    )
    [entity] = (await odd_postgresql.list(EntityQuery("kinds"), SystemCall())).entities
    assert entity.fields["at"] == "infinity"
    assert entity.fields["days"] == ["0044-03-15 BC"]
    assert (entity.fields["exact"], entity.fields["real4"]) == ("NaN", "-inf")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("feeling", "angry", "feeling: must be one of happy, sad, not 'angry'"),
        ("grid", [1, "x"], "grid: must be an array, each element of which must be a whole number"),
        ("grid", 1, "grid: must be an array, not 1"),
        ("small", 32768, "small: must be a whole number from -32768 to 32767"),
        ("span", "soon", "a value does not fit kinds"),
        ("letter", "abcd", "letter: must be a text of at most 3 characters"),
        ("number", 1, "number: is set by the database alone"),
        ("letter", "\0", "letter: must be a text without the character 0"),
        ("id", "x", "id: must be a UUID"),
    ],
)
async def test_values_that_postgresql_cannot_hold(
    odd_postgresql: SystemConnection, name: str, value: JsonValue, message: str
) -> None:
    with pytest.raises(InvalidValue, match=message):
        await odd_postgresql.create("kinds", {name: value}, SystemCall())


async def test_conditions_on_types_of_postgresql(odd_postgresql: SystemConnection) -> None:
    call = SystemCall()
    entity = await odd_postgresql.create("kinds", ODD_OF_POSTGRESQL, call)
    for condition in (
        f"id = '{entity.key}'",
        "feeling = 'happy'",
        "feeling LIKE 'hap%'",
        "real4 = 0.1",
        "real4 < 0.2",
        "small < 100000",
        "small > -32768.5",
        "span > 'P1Y'",
        "exact = 123456789012345678901234567890.000000000000000001",
        "small LIKE '-3%'",
        "tags IS NOT NULL",
        '"Odd ""name" = \'%(x)s %s ? :a\'',
    ):
        page = await odd_postgresql.list(EntityQuery("kinds", parsed_condition(condition)), call)
        assert [each.key for each in page.entities] == [entity.key], condition


async def test_floats_are_paged_through(odd_postgresql: SystemConnection, odd_mariadb: SystemConnection) -> None:
    for connection in (odd_postgresql, odd_mariadb):
        for value in (0.1, 0.2, 0.3, 1 / 3, 1e-30):
            await connection.create("kinds", {"real4": value}, SystemCall())
        token, found = "", 0
        while True:
            query = EntityQuery("kinds", fields=("real4",), sort=(SortKey("real4"),), page_size=1, page_token=token)
            page = await connection.list(query, SystemCall())
            found, token = found + 1, page.next_page_token
            if not token:
                break
        assert found == 5


async def test_types_of_mariadb(odd_mariadb: SystemConnection) -> None:
    call = SystemCall()
    kinds = await odd_mariadb.entity_type("kinds", call)
    types = {each.name: each.data_type for each in kinds.fields}
    assert types["flag"] is DataType.BOOLEAN
    assert types["bits"] is types["many"] is DataType.BIGINT
    assert (types["tiny"], types["real4"], types["fixed"]) == (DataType.INTEGER, DataType.DOUBLE, DataType.BINARY)
    entity = await odd_mariadb.create("kinds", ODD_OF_MARIADB, call)
    assert {name: entity.fields[name] for name in ODD_OF_MARIADB} == ODD_OF_MARIADB
    assert entity.fields["number"] == 4
    assert await odd_mariadb.update("kinds", entity.key, ODD_OF_MARIADB, call) == entity
    for condition in ("many = 18446744073709551615", "flag = TRUE", "bits = 4095", "feeling = 'sad'", "latin LIKE 'é'"):
        page = await odd_mariadb.list(EntityQuery("kinds", parsed_condition(condition)), call)
        assert [each.key for each in page.entities] == [entity.key], condition


async def test_moments_that_no_python_value_is(odd_mariadb: SystemConnection, mariadb: MariadbServer) -> None:
    mariadb.sql("SET sql_mode = ''", "INSERT INTO odd.kinds (long_time) VALUES ('-838:59:59')", database="shop")
    [entity] = (await odd_mariadb.list(EntityQuery("kinds"), SystemCall())).entities
    assert entity.fields["long_time"] == "-838:59:59"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("tiny", 256, "tiny: must be a whole number from 0 to 255"),
        ("many", -1, "many: must be a whole number from 0 to 18446744073709551615"),
        ("latin", "☃", "latin: does not fit"),
        ("fixed", "AQIDBAU=", "fixed: does not fit"),
        ("tags", "a,c", "tags: does not fit"),
        ("since", 1800, "since: does not fit"),
    ],
)
async def test_values_that_mariadb_cannot_hold(
    odd_mariadb: SystemConnection, name: str, value: JsonValue, message: str
) -> None:
    with pytest.raises(InvalidValue, match=message):
        await odd_mariadb.create("kinds", {name: value}, SystemCall())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "x" * 41}, "name: must be a text of at most 40 characters"),
        ({"name": "x", "credit": "1.005"}, "credit: must be a number with at most 2 digits behind the point"),
        ({"name": "x", "credit": "12345678901"}, "credit: must be a number with at most 10 digits before the point"),
    ],
)
async def test_what_would_be_cut_is_refused(
    peer: SqlPeer, connection: SystemConnection, values: JsonObject, message: str
) -> None:
    if peer.name == "sqlite":
        assert await connection.create("customer", values, SystemCall())
        return
    with pytest.raises(InvalidValue, match=message):
        await connection.create("customer", values, SystemCall())


@pytest.mark.parametrize(
    ("value", "expected"),
    [(10, "10"), (10.5, "10.5"), ("-0.01", "-0.01"), ("9999999999.99", "9999999999.99"), ("1e3", "1000")],
)
async def test_decimals_are_texts(connection: SystemConnection, value: JsonValue, expected: str) -> None:
    entity = await connection.create("customer", {"name": "x", "credit": value}, SystemCall())
    given = entity.fields["credit"]
    assert isinstance(given, str)
    assert Decimal(given) == Decimal(expected)


@pytest.mark.parametrize("value", [-999, 0, 2**53, "9007199254740993", "9223372036854775807"])
async def test_large_integers_are_texts(connection: SystemConnection, value: JsonValue) -> None:
    entity = await connection.create("customer", {"name": "x", "balance": value}, SystemCall())
    assert entity.fields["balance"] == value


async def test_values_that_stand_in_a_rule_are_told(cluster: Cluster) -> None:
    peer = postgresql_peer(cluster)
    cluster.sql(
        "DROP TABLE IF EXISTS odd.task; CREATE TABLE odd.task (id SERIAL PRIMARY KEY, "
        "state VARCHAR(9) CHECK (state IN ('open', 'it''s', 'done')), other TEXT CHECK (other <> 'x'))",
        "shop",
    )
    cluster.sql("GRANT ALL ON ALL TABLES IN SCHEMA odd TO shop", "shop")
    connection = await open_sql(peer.configured(schema="odd"), peer.access)
    task = await connection.entity_type("task", SystemCall())
    assert {each.name: each.values for each in task.fields}["state"] == ("open", "it's", "done")
    with pytest.raises(InvalidValue, match="state: must be one of open, it's, done"):
        await connection.create("task", {"state": "x"}, SystemCall())
    cluster.sql("GRANT ALL ON ALL SEQUENCES IN SCHEMA odd TO shop", "shop")
    with pytest.raises(EntityConflict, match="other: breaks a rule"):
        await connection.create("task", {"other": "x"}, SystemCall())
    await connection.aclose()
    cluster.sql("DROP TABLE odd.task", "shop")


async def test_queries_find_the_tables_of_the_connections_schema(
    odd_postgresql: SystemConnection, odd_mariadb: SystemConnection
) -> None:
    for connection in (odd_postgresql, odd_mariadb):
        await connection.create("kinds", {"small": 7}, SystemCall())
        result = await connection.query(SqlQuery("SELECT small FROM kinds"), SystemCall())
        assert result.rows == ({"small": 7},)


async def test_a_database_without_returning_gives_the_key_back_too(mariadb: MariadbServer) -> None:
    peer = mariadb_peer(mariadb)
    connection = cast("SqlConnection", await open_sql(peer.settings, peer.access))
    await connection.check(SystemCall())
    connection.sessions.engine.dialect.insert_returning = False
    first = await connection.create("customer", {"name": "Ada"}, SystemCall(returned=("name",)))
    assert (first.fields, int(first.key) > 0) == ({"name": "Ada"}, True)
    line = await connection.create("line", {"purchase_id": 1, "number": 2, "sku": "x"}, SystemCall())
    assert (line.key, line.fields["sku"]) == ("[1,2]", "x")
    assert (await connection.create("journal", {"weight": 1}, SystemCall())).fields == {"weight": 1}
    await connection.aclose()


@pytest.mark.parametrize("column", ["feeling", "tags"])
async def test_pages_have_each_row_once_in_the_order_of_chosen_words(
    odd_mariadb: SystemConnection, column: str
) -> None:
    call = SystemCall()
    words = {"feeling": ["sad", "happy", "calm", None], "tags": ["b", "a", "b,a", None]}[column]
    for word in words * 2:
        await odd_mariadb.create("kinds", {column: word}, call)
    for is_descending in (False, True):
        found: list[JsonValue] = []
        query = EntityQuery("kinds", fields=(column,), sort=(SortKey(column, is_descending),), page_size=1)
        while query is not None:
            page = await odd_mariadb.list(query, call)
            found += [each.fields[column] for each in page.entities]
            query = replace(query, page_token=page.next_page_token) if page.next_page_token else None
        assert found == [
            *sorted([word for word in words * 2 if word], reverse=is_descending),
            None,
            None,
        ]


@pytest.mark.parametrize("is_descending", [False, True])
async def test_numbers_beyond_all_are_paged_through(
    odd_postgresql: SystemConnection, cluster: Cluster, *, is_descending: bool
) -> None:
    values = ["-Infinity", 1.5, "Infinity", "Infinity", "NaN"]
    for value in values:
        cluster.sql(f"INSERT INTO odd.kinds (real4) VALUES ('{value}')", "shop")
    found: list[JsonValue] = []
    query = EntityQuery("kinds", fields=("real4",), sort=(SortKey("real4", is_descending),), page_size=1)
    while query is not None:
        page = await odd_postgresql.list(query, SystemCall())
        found += [each.fields["real4"] for each in page.entities]
        query = replace(query, page_token=page.next_page_token) if page.next_page_token else None
    numbers = ["-inf", 1.5, "inf", "inf", "nan"]
    assert found == (numbers[::-1] if is_descending else numbers)
