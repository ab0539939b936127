"""`ExecuteCustomQuery`: parameters, rows, types, and what is refused by reading the statement."""

import pytest

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    DataType,
    QueryParameter,
    Rehearsed,
    SqlQuery,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.errors import (
    ConnectorError,
    EntityConflict,
    InvalidValue,
    PermissionRefused,
    SystemUnavailable,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.sql.systems import open_sql
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.integration.connectors.sql.conftest import Opening
from tests.kit.mariadb import MariadbServer
from tests.kit.postgres import Cluster
from tests.kit.sql_databases import SqlPeer, mariadb_peer, postgresql_peer


async def rows(connection: SystemConnection, text: str, *values: JsonValue) -> list[JsonObject]:
    """What a query gives."""
    query = SqlQuery(text, tuple(map(QueryParameter, values)))
    return list((await connection.query(query, SystemCall())).rows)


async def fill(connection: SystemConnection) -> None:
    """Three customers."""
    for name, credit in (("Ada", "10.50"), ("Bob", "5"), ("50%?", None)):
        await connection.create("customer", {"name": name, "credit": credit, "is_active": name != "Bob"}, SystemCall())


async def test_parameters_stand_where_marks_stand(connection: SystemConnection) -> None:
    await fill(connection)
    text = "SELECT name FROM customer WHERE name <> '?' /* ? */ AND name = ? -- ?\n AND name LIKE '%?%' ORDER BY name"
    assert await rows(connection, text, "50%?") == [{"name": "50%?"}]
    assert await rows(connection, text.replace("= ?", "IN (?, ?)"), "x", "50%?") == [{"name": "50%?"}]


async def test_parameters_keep_their_order(connection: SystemConnection) -> None:
    await fill(connection)
    text = "SELECT name FROM customer WHERE name > ? AND name < ? ORDER BY name LIMIT ? OFFSET ?"
    assert await rows(connection, text, "5", "Z", 1, 1) == [{"name": "Ada"}]


async def test_the_count_of_parameters_is_checked(connection: SystemConnection) -> None:
    with pytest.raises(InvalidValue, match=r"queryParameters: the query has 1 \?, and 2 values are given"):
        await rows(connection, "SELECT ? AS a", 1, 2)


async def test_parameters_are_made_of_their_types(connection: SystemConnection) -> None:
    await connection.create("customer", {"name": "x", "born": "2000-01-01", "credit": "12.30"}, SystemCall())
    parameters = (QueryParameter("2000-01-01", DataType.DATE), QueryParameter("12.3", DataType.DECIMAL))
    query = SqlQuery("SELECT name, born, credit FROM customer WHERE born = ? AND credit = ?", parameters)
    [row] = (await connection.query(query, SystemCall())).rows
    assert (row["born"], float(row["credit"])) == ("2000-01-01", 12.3)
    wrong = SqlQuery("SELECT ? AS a", (QueryParameter("soon", DataType.DATE),))
    with pytest.raises(InvalidValue, match=r"queryParameters\[0\]: must be a date"):
        await connection.query(wrong, SystemCall())


async def test_more_rows_than_wanted_are_cut(connection: SystemConnection) -> None:
    await fill(connection)
    query = SqlQuery("SELECT name FROM customer ORDER BY name", most_rows=2)
    result = await connection.query(query, SystemCall())
    assert ([row["name"] for row in result.rows], result.is_truncated) == (["50%?", "Ada"], True)
    all_of_them = await connection.query(SqlQuery("SELECT name FROM customer LIMIT 3", most_rows=3), SystemCall())
    assert (len(all_of_them.rows), all_of_them.is_truncated) == (3, False)
    asked = SqlQuery("SELECT name FROM customer LIMIT ?", (QueryParameter(10**12),), most_rows=2)
    assert len((await connection.query(asked, SystemCall())).rows) == 2
    wrong = SqlQuery("SELECT name FROM customer LIMIT ?", (QueryParameter("all"),))
    with pytest.raises(InvalidValue, match="says how many rows are wanted"):
        await connection.query(wrong, SystemCall())
    many = await connection.query(SqlQuery("SELECT name FROM customer LIMIT 1000", most_rows=1), SystemCall())
    assert (len(many.rows), many.is_truncated) == (1, True)


async def test_columns_of_one_name_are_told_apart(connection: SystemConnection) -> None:
    assert await rows(connection, "SELECT 1 AS a, 2 AS a, 3 AS a_2") == [{"a": 1, "a_2": 2, "a_2_2": 3}]


async def test_patterns_and_clocks_of_mariadb(mariadb: MariadbServer) -> None:
    peer = mariadb_peer(mariadb)
    connection = await open_sql(peer.configured(tables="customer"), peer.access)
    await fill(connection)
    for text in ("name RLIKE '^A'", "name REGEXP '^A'", "NOT name NOT REGEXP '^A'"):
        assert await rows(connection, f"SELECT name FROM customer WHERE {text}") == [{"name": "Ada"}]
    assert await rows(connection, "SELECT YEAR(NOW()) > 2000 AS a") == [{"a": 1}]
    await connection.aclose()


async def test_joins_groups_and_subqueries_run(connection: SystemConnection) -> None:
    await fill(connection)
    text = """
        WITH rich AS (SELECT id, name, credit FROM customer WHERE credit > ?)
        SELECT r.name, COUNT(*) AS n, COALESCE(SUM(p.amount), 0) AS total FROM rich r
        LEFT JOIN purchase p ON p.customer_id = r.id WHERE r.id IN (SELECT id FROM customer)
        GROUP BY r.name HAVING COUNT(*) > 0 ORDER BY r.name
    """
    found = await rows(connection, text, 1)
    assert [(row["name"], row["n"]) for row in found] == [("Ada", 1), ("Bob", 1)]
    union = "SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a"
    assert await rows(connection, union) == [{"a": 1}, {"a": 2}]


async def test_a_query_that_the_database_refuses_says_why(connection: SystemConnection) -> None:
    for text in ("SELECT nope FROM customer", "SELECT * FROM nope", "SELECT name FROM customer GROUP BY"):
        with pytest.raises(InvalidValue, match="query: "):
            await rows(connection, text)


@pytest.mark.parametrize(
    "text", ["DROP TABLE customer", "SELECT 1; DROP TABLE customer", "SELECT * FROM customer FOR UPDATE"]
)
async def test_what_is_no_query_is_refused_before_it_is_sent(opening: Opening, text: str, peer: SqlPeer) -> None:
    for connection in (await opening(), await opening(read_only=True)):
        call = SystemCall()
        with pytest.raises((InvalidValue, PermissionRefused, WriteRefused)):
            await connection.query(SqlQuery(text), call)
        assert call.exchanges == []
    assert peer.column("SELECT word FROM secret") == ["xyzzy"]


async def test_comments_are_not_sent(connection: SystemConnection) -> None:
    call = SystemCall()
    text = "SELECT 1 AS a /*!50000 UNION SELECT word FROM secret */ /*M! UNION SELECT word FROM secret */ -- x"
    assert (await connection.query(SqlQuery(text), call)).rows == ({"a": 1},)
    assert "secret" not in call.exchanges[-1].request


async def test_writes_are_counted(connection: SystemConnection, peer: SqlPeer) -> None:
    await fill(connection)
    text = "UPDATE customer SET credit = ? WHERE name IN (?, ?)"
    assert await rows(connection, text, 7, "Ada", "Bob") == [{"rowsAffected": 2}]
    assert await rows(connection, "INSERT INTO journal (happened) VALUES (?), (?)", "a", "b") == [{"rowsAffected": 2}]
    assert await rows(connection, "DELETE FROM journal WHERE happened = ?", "a") == [{"rowsAffected": 1}]
    assert peer.column("SELECT happened FROM journal") == ["b"]
    with pytest.raises(EntityConflict):
        await rows(connection, "INSERT INTO customer (name) VALUES ('Ada')")


async def test_writes_beyond_the_cap_are_undone(opening: Opening, peer: SqlPeer) -> None:
    connection = await opening(write_cap=2)
    await fill(connection)
    with pytest.raises(WriteRefused, match="the statement changes 3 rows, and a write may change at most 2"):
        await rows(connection, "DELETE FROM customer")
    assert peer.column("SELECT COUNT(*) FROM customer") == [3]


async def test_rows_that_a_write_gives_back_are_counted_though_few_are_asked_for(
    opening: Opening, peer: SqlPeer
) -> None:
    connection = await opening(write_cap=2)
    await fill(connection)
    with pytest.raises(WriteRefused, match="3 rows, and a write may change at most 2; nothing was changed"):
        await connection.query(SqlQuery("DELETE FROM customer RETURNING id", most_rows=1), SystemCall())
    assert peer.column("SELECT COUNT(*) FROM customer") == [3]
    result = await (await opening(write_cap=3)).query(
        SqlQuery("DELETE FROM customer RETURNING name", most_rows=1), SystemCall()
    )
    assert (len(result.rows), result.is_truncated, result.notes) == (1, True, {"rowsAffected": 3})
    assert peer.column("SELECT COUNT(*) FROM customer") == [0]


async def test_a_read_only_connection_refuses_writes(opening: Opening, peer: SqlPeer) -> None:
    writer = await opening()
    await fill(writer)
    reader = await opening(read_only=True)
    for text in ("DELETE FROM customer", "UPDATE customer SET name = 'x'", "INSERT INTO journal (weight) VALUES (1)"):
        call = SystemCall()
        with pytest.raises(WriteRefused, match="this connection only reads"):
            await reader.query(SqlQuery(text), call)
        assert call.exchanges == []
    assert len(await rows(reader, "SELECT name FROM customer")) == 3
    assert peer.column("SELECT COUNT(*) FROM customer") == [3]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name FROM customer UNION SELECT word FROM secret",
        "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
        "INSERT INTO customer (name) SELECT word FROM secret",
    ],
)
async def test_tables_outside_the_list_are_not_reached(opening: Opening, text: str, peer: SqlPeer) -> None:
    connection = await opening(tables="customer, journal")
    await fill(connection)
    call = SystemCall()
    with pytest.raises((InvalidValue, PermissionRefused)) as refused:
        await connection.query(SqlQuery(text), call)
    assert "xyzzy" not in str(refused.value)
    assert call.exchanges == []
    assert peer.column("SELECT word FROM secret") == ["xyzzy"]


async def test_tables_of_the_list_are_reached(opening: Opening) -> None:
    connection = await opening(tables="customer,journal")
    await fill(connection)
    assert list(await connection.entity_names(SystemCall())) == ["customer", "journal"]
    with pytest.raises(UnknownName, match="there are: customer, journal"):
        await connection.get("secret", "1", (), SystemCall())
    text = """
        WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 3), both_of AS (SELECT x FROM n)
        SELECT COUNT(*) AS n FROM both_of, (SELECT name FROM customer) AS c
    """
    assert await rows(connection, text) == [{"n": 9}]


async def test_a_slow_query_is_stopped(connection: SystemConnection, peer: SqlPeer) -> None:
    slow = """
        WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 100000000)
        SELECT COUNT(*) AS n FROM n
    """
    if peer.name == "mariadb":
        slow = "SELECT COUNT(*) AS n FROM information_schema.collations a" + "".join(
            f" CROSS JOIN information_schema.collations a{place}" for place in range(5)
        )
    with pytest.raises(SystemUnavailable, match="nothing was changed"):
        await connection.query(SqlQuery(slow, timeout_s=0.3), SystemCall())
    assert await rows(connection, "SELECT 1 AS a") == [{"a": 1}]


async def test_a_rehearsed_query_is_shown(connection: SystemConnection) -> None:
    call = SystemCall(is_rehearsal=True)
    with pytest.raises(Rehearsed):
        await connection.query(SqlQuery("SELECT name FROM customer WHERE name = ?", (QueryParameter("Ada"),)), call)
    [exchange] = call.exchanges
    assert exchange.request.startswith("SELECT name FROM customer WHERE name = ")
    assert exchange.request.endswith('parameters: ["Ada"]')


async def test_the_action_is_declared(opening: Opening) -> None:
    [action] = await (await opening(read_only=True)).actions(SystemCall())
    assert (action.name, action.is_read_only) == (CUSTOM_QUERY, True)
    [writing] = await (await opening()).actions(SystemCall())
    assert not writing.is_read_only
    with pytest.raises(UnknownName, match=f"there is no action 'x'; there are: {CUSTOM_QUERY}"):
        await (await opening()).execute("x", {}, SystemCall())


async def test_functions_may_be_named_by_the_connection(opening: Opening, peer: SqlPeer) -> None:
    function = {"sqlite": "hex(zeroblob(1))", "postgresql": "pg_backend_pid()", "mariadb": "connection_id()"}[peer.name]
    with pytest.raises(PermissionRefused, match="is not called here"):
        await rows(await opening(), f"SELECT {function} AS a")
    allowed = await opening(functions="zeroblob, pg_backend_pid, CONNECTION_ID")
    assert len(await rows(allowed, f"SELECT {function} AS a")) == 1


@pytest.mark.parametrize(("most_rows", "timeout_s"), [(0, 1.0), (10_001, 1.0), (5, 0.0), (5, -1.0)])
async def test_bounds_of_queries(connection: SystemConnection, most_rows: int, timeout_s: float) -> None:
    with pytest.raises(ConnectorError, match=r"maxRows|timeout"):
        await connection.query(SqlQuery("SELECT 1", (), most_rows, timeout_s), SystemCall())


async def test_rows_of_documents_are_cut_like_long_texts(cluster: Cluster) -> None:
    peer = postgresql_peer(cluster)
    connection = await open_sql(peer.settings, peer.access)
    text = (
        "SELECT (SELECT jsonb_agg(repeat('x', 10000)) FROM generate_series(1, 300)) AS parts FROM generate_series(1, 8)"
    )
    result = await connection.query(SqlQuery(text, most_rows=8), SystemCall())
    assert (len(result.rows), result.is_truncated) == (5, True)
    await connection.aclose()
