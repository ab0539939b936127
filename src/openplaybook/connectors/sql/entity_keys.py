"""Keys of entities as texts: the value itself for one column, a JSON array for several."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, and_

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import EntityNotFound, InvalidValue, OperationUnsupported
from openplaybook.connectors.sql.column_values import column_value
from openplaybook.connectors.sql.condition_clauses import parameter
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import DatabaseColumn, DatabaseTable
from openplaybook.jsonvalues import JsonValue, as_list, dumps, loads

_MOST_CHARACTERS = 4_000


def key_text(table: DatabaseTable, values: Mapping[str, JsonValue]) -> str:
    """The key of an entity with these JSON values; empty where the table has none."""
    if len(table.key) == 1:
        return _text(values.get(table.key[0].field.name))
    return dumps([values.get(each.name) for each in table.key]).decode("utf-8") if table.key else ""


def key_clause(database: Database, table: DatabaseTable, key: str) -> ColumnElement[bool]:
    """That a row has a key. Raises `EntityNotFound` for a text that no key looks like."""
    if not table.key:
        raise OperationUnsupported(f"{table.name} has no primary key: its entities are found by conditions only")
    try:
        pairs = zip(table.key, _parts(table, key), strict=True)
        return and_(*(column.expression == _bound(database, column, part) for column, part in pairs))
    except (InvalidValue, ValueError):
        form = "" if len(table.key) == 1 else f"; it is a JSON array of {', '.join(each.name for each in table.key)}"
        raise not_found(table, key, form) from None


def not_found(table: DatabaseTable, key: str, hint: str = "") -> EntityNotFound:
    """Says that there is no entity of a key."""
    shown = key if len(key) <= 100 else f"{key[:100]}…"
    return EntityNotFound(f"{table.name} has no entity with the key {shown!r}{hint}")


def _parts(table: DatabaseTable, key: str) -> list[JsonValue]:
    if len(key) > _MOST_CHARACTERS:
        raise ValueError("longer than any key")
    return [key] if len(table.key) == 1 else as_list(loads(key))


def _bound(database: Database, column: DatabaseColumn, part: JsonValue) -> object:
    is_text = column.shape.data_type in (DataType.STRING, DataType.TEXT)
    value = column_value(column.name, column.shape, str(part) if is_text and isinstance(part, int) else part)
    if value is None:
        raise ValueError("no key is null")
    return parameter(database, column, value)


def _text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
