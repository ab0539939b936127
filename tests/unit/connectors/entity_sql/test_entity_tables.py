"""Values of rows over which a query is run here come back as JSON has them everywhere else."""

import time

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.entity_sql.entity_tables import LoadedTable, queried


def test_whole_numbers_that_no_double_holds_are_texts() -> None:
    table = LoadedTable("t", [Field("n", DataType.BIGINT)], [{"n": "9007199254740993"}, {"n": 5}, {"n": None}], ["n"])
    found = queried([table], "SELECT n, n + 1 AS next FROM t", {}, 10, time.monotonic() + 10)
    assert found.rows == (
        {"n": "9007199254740993", "next": "9007199254740994"},
        {"n": 5, "next": 6},
        {"n": None, "next": None},
    )
