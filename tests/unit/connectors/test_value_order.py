"""Values are ordered as what they are, however JSON has them."""

from functools import cmp_to_key

import pytest

from openplaybook.connectors.base import DataType
from openplaybook.connectors.value_order import rows_order
from openplaybook.jsonvalues import JsonValue

MOMENT = DataType.TIMESTAMP_WITH_ZONE


@pytest.mark.parametrize(
    ("data_type", "ordered"),
    [
        (DataType.DECIMAL, ["-10.5", "-9", "2.50", "10", "1E+2"]),
        (DataType.BIGINT, [-3, 7, "9007199254740993", "10000000000000000000"]),
        (DataType.STRING, ["10", "9", "a"]),
        (MOMENT, ["2026-11-26T10:00:00+02:00", "2026-11-26T09:00:00Z", "2026-11-26T09:00:00.5Z"]),
        (DataType.DATE, ["2026-01-01", "2026-11-26"]),
        (DataType.OTHER, [2, 10, "1", "x"]),
        (None, [2, 10.5, "1"]),
    ],
)
def test_rows_are_ordered_by_the_type_of_their_values(data_type: DataType | None, ordered: list[JsonValue]) -> None:
    for sign, wanted in ((1, ordered), (-1, ordered[::-1])):
        rows: list[list[JsonValue]] = [[each] for each in [None, *ordered[1:], ordered[0]]]
        rows.sort(key=cmp_to_key(lambda one, other, sign=sign: rows_order(one, other, [data_type], [sign])))
        assert rows == [[each] for each in [*wanted, None]]
