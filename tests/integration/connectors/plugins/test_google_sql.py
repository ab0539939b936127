"""BigQuery and Spanner: rows of tables by statements that SQLite runs, in requests that Google's documents allow."""

from collections.abc import Mapping

import pytest

from openplaybook.connectors.base import EntityOperation, EntityQuery, QueryParameter, SortKey, SqlQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.google_sql.spanner import with_names
from openplaybook.connectors.plugins.plugin_connection import PluginConnection
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import AccessToken, ConfigValue, ConnectionSettings
from openplaybook.jsonvalues import JsonObject
from tests.kit.held_tables import CONFIG, HeldTable
from tests.kit.plugin_peers import NAME, LoopbackNames
from tests.kit.strict_google import TOKEN

KINDS = {"id": "INT64", "name": "STRING", "paid": "BOOL", "due": "DATE"}
ROWS: list[JsonObject] = [
    {"id": 1, "name": "Ann", "paid": True, "due": "2026-11-01"},
    {"id": 2, "name": "Bob's", "paid": False, "due": "2026-12-01"},
    {"id": 3, "name": None, "paid": False, "due": None},
    {"id": 10, "name": "Ada", "paid": True, "due": "2026-12-24"},
]


def orders(system: str) -> HeldTable:
    """One of the two systems, with a table of orders."""
    table = HeldTable(system, "orders", KINDS)
    for row in ROWS:
        table.put(row)
    return table


@pytest.fixture(params=["bigquery", "cloud-spanner"])
def peer(request: pytest.FixtureRequest) -> HeldTable:
    return orders(str(request.param))


async def opened(peer: HeldTable, **more: ConfigValue) -> PluginConnection:
    config: Mapping[str, ConfigValue] = {**CONFIG[peer.system], **more}
    settings = ConnectionSettings(NAME, peer.system, config=config, authentication=AccessToken(TOKEN))
    made = await open_plugin(settings, SystemAccess(peer.api, LoopbackNames()))
    assert isinstance(made, PluginConnection)
    return made


async def test_tables_are_entity_types_with_their_primary_key(peer: HeldTable) -> None:
    connection = await opened(peer)
    await connection.check(SystemCall())
    assert list(await connection.entity_names(SystemCall())) == ["orders"]
    found = await connection.entity_type("orders", SystemCall())
    assert {each.name: each.data_type.name for each in found.fields} == {
        "id": "BIGINT",
        "name": "STRING",
        "paid": "BOOLEAN",
        "due": "DATE",
    }
    assert (found.key, found.operations) == ("id", frozenset(EntityOperation))
    assert peer.api.violations == []


CONDITIONS = {
    "id >= 2 AND paid = FALSE": ["2", "3"],
    "name LIKE 'A%' OR due IS NULL": ["1", "3", "10"],
    "NOT name IN ('Ann', 'Ada')": ["2"],
    "name = 'Bob''s'": ["2"],
    "due BETWEEN '2026-11-15' AND '2026-12-24'": ["2", "10"],
    "name LIKE '%o%'": ["2"],
    "name = '`; DROP TABLE orders; --'": [],
}


@pytest.mark.parametrize(("condition", "keys"), list(CONDITIONS.items()))
async def test_rows_are_found_by_conditions(peer: HeldTable, condition: str, keys: list[str]) -> None:
    page = await (await opened(peer)).list(EntityQuery("orders", parsed_condition(condition)), SystemCall())
    assert [each.key for each in page.entities] == keys
    assert all("'" not in each for each in peer.statements)
    assert peer.api.violations == []


async def test_pages_go_by_the_key_and_hold_the_chosen_fields_alone(peer: HeldTable) -> None:
    connection = await opened(peer)
    query = EntityQuery("orders", fields=("name",), page_size=3)
    page = await connection.list(query, SystemCall())
    assert [each.fields for each in page.entities] == [{"name": "Ann"}, {"name": "Bob's"}, {"name": None}]
    rest = EntityQuery("orders", fields=("name",), page_size=3, page_token=page.next_page_token)
    assert [each.key for each in (await connection.list(rest, SystemCall())).entities] == ["10"]
    assert "due" not in peer.statements[-1]
    ordered = EntityQuery("orders", sort=(SortKey("name", is_descending=True),), page_size=1)
    assert (await connection.list(ordered, SystemCall())).entities[0].fields["name"] == "Bob's"


async def test_a_row_is_read_written_and_taken_away(peer: HeldTable) -> None:
    connection = await opened(peer)
    assert (await connection.get("orders", "1", (), SystemCall())).fields == {
        "id": 1,
        "name": "Ann",
        "paid": True,
        "due": "2026-11-01",
    }
    made = await connection.create("orders", {"id": 4, "name": "It's", "paid": False, "due": None}, SystemCall())
    changed = await connection.update("orders", "4", {"name": "New", "paid": True}, SystemCall())
    assert (made.key, changed.fields["name"], changed.fields["paid"]) == ("4", "New", True)
    await connection.delete("orders", "1", SystemCall())
    assert [row[0] for row in peer.rows()] == [2, 3, 4, 10]
    assert peer.api.violations == []
    for key in ("1", "9", "1 OR 1=1"):
        with pytest.raises(EntityNotFound):
            await connection.delete("orders", key, SystemCall())
    with pytest.raises(EntityNotFound):
        await connection.update("orders", "9", {"name": "x"}, SystemCall())
    with pytest.raises(InvalidValue, match="INT64"):
        await connection.create("orders", {"id": "x"}, SystemCall())


async def test_rows_that_meet_a_condition_are_changed_together(peer: HeldTable) -> None:
    report = await (await opened(peer)).update_where(
        "orders", parsed_condition("paid = FALSE"), {"name": "Due"}, SystemCall()
    )
    assert report.keys == ("2", "3")
    assert [row[1] for row in peer.rows()] == ["Ann", "Due", "Due", "Ada"]


async def test_a_query_takes_parameters_by_position(peer: HeldTable) -> None:
    query = SqlQuery(
        f"SELECT name, '?' AS mark FROM `{peer.path}` WHERE id > ? AND name < ? ORDER BY id",
        (QueryParameter(0), QueryParameter("Axe")),
        most_rows=1,
    )
    result = await (await opened(peer)).query(query, SystemCall())
    assert result.rows == ({"name": "Ann", "mark": "?"},)
    assert result.is_truncated
    assert peer.api.violations == []
    with pytest.raises(OperationUnsupported, match="other tables"):
        await (await opened(peer, tables="orders")).query(query, SystemCall())


async def test_a_query_has_as_many_values_as_question_marks() -> None:
    peer = orders("cloud-spanner")
    for values in ((), (QueryParameter(1), QueryParameter(2))):
        with pytest.raises(InvalidValue, match=f"has {len(values)} values for 1 question marks"):
            await (await opened(peer)).query(SqlQuery("SELECT '@p2' FROM orders WHERE id = ?", values), SystemCall())
    assert peer.statements == []


async def test_bigquery_runs_nothing_but_a_select_and_waits_for_jobs() -> None:
    peer = orders("bigquery")
    connection = await opened(peer)
    with pytest.raises(WriteRefused, match="must be a SELECT"):
        await connection.query(SqlQuery("DELETE FROM orders WHERE TRUE"), SystemCall())
    assert peer.statements == []
    await connection.entity_type("orders", SystemCall())
    peer.slow = 2
    assert len((await connection.list(EntityQuery("orders"), SystemCall())).entities) == len(ROWS)
    assert peer.api.violations == []


@pytest.mark.parametrize(("status", "error"), [(503, WriteInDoubt), (429, WriteInDoubt), (400, InvalidValue)])
async def test_a_write_of_which_bigquery_does_not_say_the_end_is_in_doubt(status: int, error: type[Exception]) -> None:
    peer = orders("bigquery")
    connection = await opened(peer)
    await connection.entity_type("orders", SystemCall())
    peer.slow, peer.poll_status = 5, status
    with pytest.raises(error):
        await connection.delete("orders", "1", SystemCall())
    assert peer.api.violations == []


async def test_where_nothing_may_be_changed_nothing_is_sent(peer: HeldTable) -> None:
    connection = await opened(peer, read_only=True)
    with pytest.raises(WriteRefused):
        await connection.delete("orders", "1", SystemCall())
    assert peer.statements == []


def test_question_marks_in_quotes_and_comments_are_no_parameters() -> None:
    text = "SELECT '?', \"a\\\"?\", `x?`, '''it's ?''' -- ?\n# ?\n/* ? */ FROM t WHERE a = ? AND b IN (?, ?)"
    assert with_names(text) == (text[: text.index("a = ?")] + "a = @p1 AND b IN (@p2, @p3)", 3)
    assert with_names("'?") == ("'?", 0)
