"""Entities in tables of a SQLite database in memory, over which the rest of a query is run within bounds."""

import json
import sqlite3
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from openplaybook.connectors.base import DataType, Field, QueryResult
from openplaybook.connectors.errors import InvalidValue, SystemUnavailable
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps

LONGEST_VALUE = 1_000_000
"""Bytes of a value and of the statement."""
_LONGEST_PATTERN = 1_000
_MOST_EXACT = 2**53
_STEPS = 10_000
"""Of SQLite's machine between two looks at the clock."""
_NUMBERS = (DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL, DataType.BOOLEAN)
_INTEGERS_TO = 2**63
_LONGEST_NUMBER = 200
"""Characters; what is longer is a text."""
_BY_VALUE = "BY_VALUE"
_ALLOWED = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
)
_FORBIDDEN_FUNCTIONS = ("load_extension", "fts3_tokenizer", "readfile", "writefile", "edit")


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """The rows of one table."""

    name: str
    fields: Sequence[Field]
    """Those that were read."""
    rows: Sequence[JsonObject]
    known: Sequence[str]
    """Names of all fields that there are."""


def queried(
    tables: Sequence[LoadedTable], sql: str, values: Mapping[str, JsonValue], most_rows: int, deadline: float
) -> QueryResult:
    """The rows that a query gives over the tables. Blocks; `deadline` is on the clock of `time.monotonic`.

    Raises `InvalidValue` for what SQLite cannot run, and `SystemUnavailable` when time is up.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for limit in (sqlite3.SQLITE_LIMIT_LENGTH, sqlite3.SQLITE_LIMIT_SQL_LENGTH):
            database.setlimit(limit, LONGEST_VALUE)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        # A comparison with a pattern is one step of the machine, whatever it takes.
        database.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _LONGEST_PATTERN)
        # What a sort needs beyond the cache goes to a file.
        database.execute("PRAGMA temp_store = 1")
        database.execute("PRAGMA cache_size = -16000")
        database.create_collation(_BY_VALUE, _compared)
        for table in tables:
            _load(database, table)
        database.set_authorizer(_authorized)
        database.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
        try:
            cursor = database.execute(sql, {name: _stored(value) for name, value in values.items()})
            found = cursor.fetchmany(most_rows + 1)
        except sqlite3.OperationalError as error:
            if time.monotonic() > deadline:
                raise SystemUnavailable("the query over the entities takes too long") from None
            raise InvalidValue("query", _readable(str(error), tables)) from None
        except (sqlite3.Error, OverflowError, MemoryError) as error:
            raise InvalidValue("query", _readable(str(error), tables)) from None
        names = _distinct([str(each[0]) for each in cursor.description or ()])
    rows = tuple({name: _shown(value) for name, value in zip(names, row, strict=True)} for row in found[:most_rows])
    return QueryResult(rows, is_truncated=len(found) > most_rows)


def _load(database: sqlite3.Connection, table: LoadedTable) -> None:
    columns = [f"{_quoted(each.name)} {_type_of(each, table.rows)}" for each in table.fields]
    database.execute(f"CREATE TABLE {_quoted(table.name)} ({', '.join(columns)})")
    places = ", ".join("?" * len(table.fields))
    database.execute("BEGIN")
    database.executemany(
        f"INSERT INTO {_quoted(table.name)} VALUES ({places})",
        ([_stored(row.get(each.name)) for each in table.fields] for row in table.rows),
    )
    database.execute("COMMIT")


def _type_of(field: Field, rows: Sequence[JsonObject]) -> str:
    """Numbers of which SQLite would forget digits are kept as texts, all of such a column, and compared as numbers."""
    if field.data_type not in _NUMBERS:
        return "TEXT"
    is_kept = all(_is_held(row.get(field.name)) for row in rows)
    return "NUMERIC" if is_kept else f"TEXT COLLATE {_BY_VALUE}"


def _is_held(value: JsonValue) -> bool:
    """Whether SQLite's 64 bits hold a number that JSON has as a text."""
    if not isinstance(value, str) or (number := _number(value)) is None:
        return True
    return abs(number) < _INTEGERS_TO if number == number.to_integral_value() else number == Decimal(float(number))


def _number(text: str) -> Decimal | None:
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _compared(one: str, other: str) -> int:
    """The collation `_BY_VALUE`: numbers by their values, before all other texts."""
    first, second = _number(one), _number(other)
    if first is not None and second is not None:
        return (first > second) - (first < second)
    if first is None and second is None:
        return (one > other) - (one < other)
    return -1 if second is None else 1


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _stored(value: JsonValue) -> str | int | float | None:
    """A JSON value as SQLite holds it: objects and lists as JSON text."""
    if value is None or isinstance(value, float):
        return value
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**63 else str(value)
    text = value if isinstance(value, str) else dumps(value).decode()
    if len(text) > LONGEST_VALUE // 4:
        return text[: LONGEST_VALUE // 4]
    return text.encode("utf-8", "replace").decode()


def _shown(value: str | int | float | bytes | None) -> JsonValue:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, int) and abs(value) > _MOST_EXACT:
        return str(value)
    if isinstance(value, float) and json.dumps(value) in ("NaN", "Infinity", "-Infinity"):
        return None
    return value


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of result columns, with a number behind one that was there before."""
    seen: dict[str, int] = {}
    distinct: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return distinct


def _authorized(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    is_allowed = action in _ALLOWED and (second or "").lower() not in _FORBIDDEN_FUNCTIONS
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY


def _readable(message: str, tables: Sequence[LoadedTable]) -> str:
    known = "; ".join(", ".join(table.known) for table in tables)
    return f"{message}; columns that there are: {known}" if message.startswith("no such column") else message
