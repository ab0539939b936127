"""The order of a field's values where it is made here rather than by the system."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.evaluation import moment_value, number_value
from openplaybook.jsonvalues import JsonValue, is_number

_NUMBERS = frozenset({DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL})
_MOMENTS = frozenset({DataType.DATE, DataType.TIMESTAMP, DataType.TIMESTAMP_WITH_ZONE})
_Place: TypeAlias = tuple[int, Decimal | datetime | str]


def rows_order(
    one: Sequence[JsonValue], other: Sequence[JsonValue], types: Sequence[DataType | None], signs: Sequence[int]
) -> int:
    """Below, at or above 0 for a row that comes before, with or behind another, by the first of their values that
    differ. What has no value comes last, in either direction (`signs`: 1, or -1 for descending)."""
    for left, right, data_type, sign in zip(one, other, types, signs, strict=True):
        if left is None or right is None:
            order = (left is None) - (right is None)
        else:
            first, second = _place(left, data_type), _place(right, data_type)
            order = ((first > second) - (first < second)) * sign
        if order:
            return order
    return 0


def _place(value: JsonValue, data_type: DataType | None) -> _Place:
    """Numbers as numbers, also those that JSON has as texts; moments by time, whatever their fractions and zones; all
    else as text. Kinds come one after the other, so that the order is one of a field of several kinds, too."""
    number = number_value(value) if data_type in _NUMBERS or is_number(value) else None
    if number is not None:
        return 0, number
    moment = moment_value(value) if data_type in _MOMENTS else None
    return (1, moment) if moment is not None else (2, str(value))
