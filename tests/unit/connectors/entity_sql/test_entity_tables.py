"""Values of rows over which a query is run here come back as JSON has them everywhere else."""

import time

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.entity_sql.entity_tables import LoadedTable, queried
from openplaybook.jsonvalues import JsonValue


def test_whole_numbers_that_no_double_holds_are_texts() -> None:
    table = LoadedTable("t", [Field("n", DataType.BIGINT)], [{"n": "9007199254740993"}, {"n": 5}, {"n": None}], ["n"])
    found = queried([table], "SELECT n, n + 1 AS next FROM t", {}, 10, time.monotonic() + 10)
    assert found.rows == (
        {"n": "9007199254740993", "next": "9007199254740994"},
        {"n": 5, "next": 6},
        {"n": None, "next": None},
    )


def test_decimals_that_no_double_holds_keep_their_digits_and_their_order() -> None:
    values = ["12345678901234567.89", "9.5", "-12345678901234567.88", 100, None, "12345678901234567.90", 2.25]
    table = LoadedTable("t", [Field("d", DataType.DECIMAL)], [{"d": each} for each in values], ["d"])

    def rows(sql: str, **given: JsonValue) -> list[JsonValue]:
        return [each["d"] for each in queried([table], sql, given, 10, time.monotonic() + 10).rows]

    exact = ["-12345678901234567.88", "2.25", "9.5", "100", "12345678901234567.89", "12345678901234567.90"]
    assert rows("SELECT d FROM t WHERE d IS NOT NULL ORDER BY d") == exact
    assert rows("SELECT d FROM t WHERE d > 9.5 ORDER BY d DESC") == exact[:2:-1]
    assert rows("SELECT d FROM t WHERE d = 100.0") == ["100"]
    assert rows("SELECT max(d) AS d FROM t WHERE d < :most", most="12345678901234567.90") == [exact[4]]
    assert rows("SELECT d + 1 AS d FROM t WHERE d = 9.5") == [10.5]


def test_decimals_that_a_double_holds_are_numbers() -> None:
    table = LoadedTable("t", [Field("d", DataType.DECIMAL)], [{"d": "9.5"}, {"d": 100}], ["d"])
    found = queried([table], "SELECT d, d * 2 AS twice FROM t", {}, 10, time.monotonic() + 10)
    assert found.rows == ({"d": 9.5, "twice": 19}, {"d": 100, "twice": 200})
