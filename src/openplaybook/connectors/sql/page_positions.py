"""Where a page ends, so that the next one begins behind it whatever was inserted meanwhile.

Rows are ordered by the wanted fields, then by the primary key, nulls last; a position is the values of the last row in
these columns. Tables without a key are ordered by all columns and skipped through by number.
"""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, false, or_

from openplaybook.connectors.sql.condition_clauses import parameter
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import DatabaseColumn
from openplaybook.jsonvalues import JsonValue, as_list, as_object


@dataclass(frozen=True, slots=True)
class OrderedColumn:
    """A column of the order."""

    column: DatabaseColumn
    is_descending: bool = False

    @property
    def clauses(self) -> list[ColumnElement[object]]:
        """What ORDER BY says of it."""
        element = self.column.expression
        ordered = element.desc() if self.is_descending else element.asc()
        if not self.column.field.is_nullable or self.column.field.is_key:
            return [ordered]
        return [case((element.is_(None), 1), else_=0), ordered]

    def equal(self, database: Database, value: object) -> ColumnElement[bool]:
        """Rows with the same value."""
        element = self.column.expression
        return element.is_(None) if value is None else element == parameter(database, self.column, value)

    def behind(self, database: Database, value: object) -> ColumnElement[bool]:
        """Rows with a value behind this one."""
        element = self.column.expression
        if value is None:
            return false()
        bound = parameter(database, self.column, value)
        later = element < bound if self.is_descending else element > bound
        is_never_null = not self.column.field.is_nullable or self.column.field.is_key
        return later if is_never_null else or_(later, element.is_(None))


def behind_position(
    database: Database, order: Sequence[OrderedColumn], values: Sequence[object]
) -> ColumnElement[bool]:
    """Rows behind the one that has these values in the columns of the order."""
    found: list[ColumnElement[bool]] = []
    for place, (ordered, value) in enumerate(zip(order, values, strict=True)):
        same = [order[each].equal(database, values[each]) for each in range(place)]
        found.append(and_(*same, ordered.behind(database, value)))
    return or_(*found)


def packed_position(values: Sequence[object]) -> JsonValue:
    """The values of a position as a page token holds them."""
    return [_packed(each) for each in values]


def unpacked_position(packed: JsonValue) -> list[object]:
    """The values again."""
    return [_unpacked(each) for each in as_list(packed)]


def _packed(value: object) -> JsonValue:
    if isinstance(value, bytes | bytearray):
        return {"binary": base64.b64encode(bytes(value)).decode("ascii")}
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, float) and not math.isfinite(value):
        # JSON has no infinities.
        return {"double": str(value)}
    for name, kind in _MOMENTS.items():
        if isinstance(value, kind):
            return {name: value.isoformat()}
    return {"uuid": str(value)} if isinstance(value, UUID) else value


_MOMENTS: Mapping[str, type[datetime] | type[date] | type[time]] = {"datetime": datetime, "date": date, "time": time}
_OTHERS: Mapping[str, Callable[[str], object]] = {
    "binary": base64.b64decode,
    "uuid": UUID,
    "decimal": Decimal,
    "double": float,
}


def _unpacked(value: JsonValue) -> object:
    if not isinstance(value, dict):
        return value
    [(name, text)] = as_object(value).items()
    return _MOMENTS[name].fromisoformat(text) if name in _MOMENTS else _OTHERS[name](text)
