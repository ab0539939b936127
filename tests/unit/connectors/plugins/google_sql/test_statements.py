"""Statements of GoogleSQL hold names and question marks, never values."""

import sqlite3

import pytest

from openplaybook.connectors.base import EntityType
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import EntityNotFound, InvalidValue
from openplaybook.connectors.plugins.base import EntityScan
from openplaybook.connectors.plugins.google_sql.statements import (
    SqlColumn,
    SqlTable,
    SqlText,
    SqlValue,
    inserted,
    is_tried,
    quoted_path,
    selected,
)

COLUMNS = {
    "region": SqlColumn("region", "STRING"),
    "id": SqlColumn("id", "INT64"),
    "tags": SqlColumn("tags", "STRING", is_array=True),
    "info": SqlColumn("info", "JSON"),
}
KEYED = SqlTable("`shop.orders`", COLUMNS, ("region", "id"))
KEYLESS = SqlTable("`shop.events`", COLUMNS)
TYPE = EntityType("orders", (), frozenset())


def scan(condition: str = "", fields: tuple[str, ...] = ("tags",)) -> EntityScan:
    return EntityScan(TYPE, parsed_condition(condition) if condition else None, fields)


def test_rows_behind_a_key_of_several_columns_are_asked_for() -> None:
    found = selected(KEYED, scan(), '["eu","7"]', 10)
    assert found.text == (
        "SELECT `region`, `id`, `tags` FROM `shop.orders` AS t WHERE `region` IS NOT NULL AND `id` IS NOT NULL "
        "AND (`region` > ? OR `region` = ? AND `id` > ?) ORDER BY `region`, `id` LIMIT 10"
    )
    assert found.values == (SqlValue("STRING", "eu"), SqlValue("STRING", "eu"), SqlValue("INT64", "7"))
    assert "@p1 OR `region` = @p2 AND `id` > @p3" in found.named()


def test_rows_of_a_table_without_a_key_come_in_the_order_of_a_digest() -> None:
    found = selected(KEYLESS, scan("id = 1"), "abc", 5)
    assert found.text == (
        "SELECT `tags`, row_digest_ FROM "
        "(SELECT `tags`, CONCAT(digest_, FORMAT('-%010d', ROW_NUMBER() OVER (PARTITION BY digest_))) AS row_digest_ "
        "FROM (SELECT `tags`, TO_HEX(SHA256(TO_JSON_STRING(t))) AS digest_ FROM `shop.events` AS t "
        "WHERE (`id` = ?))) WHERE row_digest_ > ? ORDER BY row_digest_ LIMIT 5"
    )
    assert found.values == (SqlValue("INT64", "1"), SqlValue("STRING", "abc"))


def test_rows_that_are_the_same_in_all_are_each_on_a_page() -> None:
    """Run by SQLite, with functions of GoogleSQL that it lacks."""
    database = sqlite3.connect(":memory:")
    database.create_function("CONCAT", 2, lambda one, other: one + other)
    database.execute("CREATE TABLE `shop.events` (id, tags)")
    database.executemany("INSERT INTO `shop.events` VALUES (1, ?)", [("a",), ("b",), ("a",), ("a",), ("b",)])
    found: list[str] = []
    after = ""
    for _ in range(6):
        asked = selected(KEYLESS, scan(), after, 2)
        text = asked.text.replace("TO_HEX(SHA256(TO_JSON_STRING(t)))", "hex(t.id || t.tags)")
        rows = database.execute(text, [each.value for each in asked.values]).fetchall()
        found += [tags for tags, _ in rows]
        if len(rows) < 2:
            break
        after = rows[-1][1]
    assert sorted(found) == ["a", "a", "a", "b", "b"]


@pytest.mark.parametrize("key", ["1e-07", "2.5", "-Infinity", "NaN", "1E+20"])
def test_a_double_is_a_key_as_json_writes_it(key: str) -> None:
    table = SqlTable("`t`", {"x": SqlColumn("x", "FLOAT64")}, ("x",))
    assert table.key_values(key) == (SqlValue("FLOAT64", key),)


@pytest.mark.parametrize(
    ("condition", "is_whole"),
    [
        ("id = 1", True),
        ("region LIKE 'e%'", True),
        ("region LIKE 'e%u'", False),
        ("id = 'one'", False),
        ("tags = 'a'", False),
        ("info IS NULL", False),
        ("region = 'eu' OR tags = 'a'", False),
    ],
)
def test_what_the_system_cannot_try_is_tried_here(condition: str, *, is_whole: bool) -> None:
    assert is_tried(KEYED, scan(condition)) is is_whole


@pytest.mark.parametrize("key", ["7", '["eu"]', '["eu","x"]', "[", '["eu","7","8"]'])
def test_a_key_that_no_row_can_have_leads_to_none(key: str) -> None:
    with pytest.raises(EntityNotFound):
        KEYED.key_values(key)


def test_values_of_a_new_row_are_parameters_and_null_is_written() -> None:
    found = inserted(KEYED, {"region": "e'u", "id": None, "tags": ["a"], "info": {"b": 1}})
    assert found.text == (
        "INSERT INTO `shop.orders` (`region`, `id`, `tags`, `info`) VALUES (?, NULL, ?, PARSE_JSON(?))"
    )
    values = (SqlValue("STRING", "e'u"), SqlValue("STRING", ["a"], is_array=True), SqlValue("JSON", '{"b":1}'))
    assert found.values == values
    assert KEYED.key_of({"region": "eu", "id": 7}) == '["eu","7"]'


@pytest.mark.parametrize("name", ["a`b", "a?b", "a\\b", "", "a\nb"])
def test_a_name_that_would_end_its_quotes_is_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match="is no name"):
        inserted(SqlTable("`t`", {name: SqlColumn(name, "STRING")}), {name: "x"})


def test_a_path_leaves_out_what_is_empty() -> None:
    assert quoted_path("", "orders") == "`orders`"
    assert quoted_path("shop", "orders") == "`shop`.`orders`"
    assert SqlText("a").named() == "a"
