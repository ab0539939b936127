"""SQLite: a file that the operator lists; its authorizer holds statements to what they may do."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import cast
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, func, types
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import (
    ConnectorError,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    WriteRefused,
)
from openplaybook.connectors.sql.column_shapes import BIG, whole
from openplaybook.connectors.sql.databases import pure_functions
from openplaybook.connectors.sql.databases.base import Database, NameFolding, conflict, constrained
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable

_BUSY_S = 5.0
"""Waiting for another's lock."""
_LARGEST_VALUE = 50_000_000
"""Bytes of a value, those in between included: it is this process that would hold them."""
_PRAGMAS = frozenset(
    {
        "table_info",
        "table_xinfo",
        "table_list",
        "foreign_key_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "data_version",
    }
)
"""What reflection asks, and the last a full-text index; they read."""
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_TRANSACTION})
_WRITING = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})
_REFUSED_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "writefile", "readfile", "edit"})
_COLUMNS = re.compile(r"(?:UNIQUE|NOT NULL) constraint failed: (.+)")
_CHECK = re.compile(r"CHECK constraint failed: (.+)", re.DOTALL)


class SqliteDatabase(Database):
    """One file."""

    dialect = "sqlite+pysqlite"
    scheme = "sqlite"
    grammar = "sqlite"
    folding = NameFolding.IGNORED
    default_schema = "main"
    has_row_locks = False
    binds_types = False
    enforces_lengths = False
    pure_functions = pure_functions.SQLITE
    any_text, any_character = "*", "?"

    def __init__(self, name: str, path: Path, *, is_read_only: bool) -> None:
        self._name = name
        self._path = path
        self._is_read_only = is_read_only

    @property
    def place(self) -> str:
        """The name under which the operator lists the file."""
        return f"sqlite:{self._name}"

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """Open the file, which must be there."""
        del addresses
        mode = "ro" if self._is_read_only else "rw"
        address = f"{self._path.absolute().as_uri()}?mode={mode}"
        raw = sqlite3.connect(
            address, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False, factory=_Link
        )
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA trusted_schema = OFF")
        # These tables, and the file's own virtual ones, are made when they are first named: no reading any more.
        raw.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").fetchall()
        _name_virtual_tables(raw)
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
        raw.set_authorizer(raw.permits.verdict)
        return cast("DBAPIConnection", raw)

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """A writer takes the file's lock at once: one that reads first could not take it later."""
        raw = cast("_Link", connection.connection.driver_connection)
        raw.permits.may_write = is_write and not self._is_read_only
        raw.permits.tables = None if tables is None else frozenset(map(str.casefold, tables))
        raw.execute("BEGIN IMMEDIATE" if is_write else "BEGIN")

    def cancel(self, raw: DBAPIConnection) -> None:
        """SQLite stops at the next step of its machine."""
        with suppress(sqlite3.ProgrammingError):
            cast("sqlite3.Connection", raw).interrupt()

    def hidden_tables(self, connection: Connection) -> frozenset[str]:
        """Those in which virtual tables keep what they have: whoever writes to them breaks these."""
        listed = connection.exec_driver_sql("PRAGMA table_list")
        # Before SQLite 3.37 there is no such pragma.
        return frozenset(str(each[1]) for each in (listed.all() if listed.returns_rows else ()) if each[2] == "shadow")

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """Integers have 64 bits whatever their type is called; lengths of texts are not held."""
        del rules
        kind = column["type"]
        if isinstance(kind, types.Integer):
            return whole(DataType.BIGINT, BIG)
        if isinstance(kind, types.String) and not isinstance(kind, types.Text | types.Enum):
            return ColumnShape(DataType.STRING)
        if isinstance(kind, types.Numeric) and not isinstance(kind, types.Float):
            return ColumnShape(DataType.DECIMAL)
        if isinstance(kind, types.NullType):
            return ColumnShape(DataType.OTHER)
        return None

    def numbers_rows(self, shape: ColumnShape) -> bool:
        """An INTEGER PRIMARY KEY is the number of the row."""
        return shape.data_type is DataType.BIGINT

    def bound(self, value: object, shape: ColumnShape) -> object:
        """SQLite has numbers, texts and binary."""
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, int):
            return value if BIG[0] <= value <= BIG[1] else float(value)
        if isinstance(value, datetime):
            return value.isoformat(" ")
        if isinstance(value, date | time):
            return value.isoformat()
        if isinstance(value, Decimal):
            return int(value) if value == value.to_integral_value() and abs(value) < BIG[1] else str(value)
        return str(value) if isinstance(value, UUID) else value

    def comparable(self, element: ColumnElement[object], shape: ColumnShape) -> ColumnElement[object]:
        """Moments are texts, with a blank or a T in their middle."""
        is_moment = shape.data_type in (DataType.TIMESTAMP, DataType.TIMESTAMP_WITH_ZONE)
        return func.replace(element, "T", " ") if is_moment else element

    def like(self, element: ColumnElement[object], shape: ColumnShape, pattern: str) -> ColumnElement[bool]:
        """By GLOB: SQLite's LIKE takes upper and lower case for the same."""
        del shape
        return element.bool_op("GLOB")(pattern)

    def escaped(self, text: str) -> str:
        """A set of one character stands for it."""
        return "".join(f"[{each}]" if each in "*?[" else each for each in text)

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return (sqlite3.Error, sqlite3.Warning)

    def is_undone(self, error: BaseException) -> bool:
        """All but what the disk did."""
        return not str(getattr(error, "sqlite_errorname", "SQLITE_IOERR")).startswith("SQLITE_IOERR")

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """By the extended result code (https://www.sqlite.org/rescode.html)."""
        name = str(getattr(error, "sqlite_errorname", ""))
        if name.startswith("SQLITE_CONSTRAINT"):
            return _constraint(name, str(error), table)
        return next((made() for begins, made in _FAILURES.items() if name.startswith(begins)), _other(error, table))


def _name_virtual_tables(raw: sqlite3.Connection) -> None:
    """Those whose module is not here stay unknown: reading them fails, and says so."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
    for (name,) in raw.execute(named).fetchall():
        with suppress(sqlite3.OperationalError):
            raw.execute(f"""SELECT 1 FROM "{name.replace('"', '""')}" LIMIT 0""").fetchall()


class _Permits:
    """What statements of one connection may do now."""

    def __init__(self) -> None:
        self.may_write = False
        self.tables: frozenset[str] | None = None

    def verdict(self, action: int, first: str | None, second: str | None, database: str | None, by: str | None) -> int:
        """Whether an action is permitted; called while a statement is prepared (sqlite3_set_authorizer)."""
        del database
        return sqlite3.SQLITE_OK if self._permits(action, first or "", second or "", by) else sqlite3.SQLITE_DENY

    def _permits(self, action: int, first: str, second: str, by: str | None) -> bool:
        if action in _READING:
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            return second.lower() not in _REFUSED_FUNCTIONS
        if action == sqlite3.SQLITE_PRAGMA:
            return first.lower() in _PRAGMAS or (first.lower() == "read_uncommitted" and not second)
        if action == sqlite3.SQLITE_READ:
            # Without a column it may be the name of a query in a WITH, whose tables are asked for on their own.
            return not second or self._is_open(first, by)
        return action in _WRITING and self.may_write and self._is_open(first, by)

    def _is_open(self, table: str, by: str | None) -> bool:
        """`by` is the view or the trigger that names the table, None for the statement itself."""
        if self.tables is None or table.lower() in _TABLE_FUNCTIONS or table.casefold() in self.tables:
            return True
        return by is not None and (self.may_write or by.casefold() in self.tables)


class _Link(sqlite3.Connection):
    """A connection with what it may do."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # pyright: ignore[reportArgumentType] - as sqlite3.connect passes them
        self.permits = _Permits()


_FAILURES: Mapping[str, Callable[[], ConnectorError]] = {
    "SQLITE_BUSY": lambda: SystemUnavailable("the database is locked by another writer; try again"),
    "SQLITE_LOCKED": lambda: SystemUnavailable("the database is locked by another writer; try again"),
    "SQLITE_INTERRUPT": lambda: SystemUnavailable("the database took too long and was stopped"),
    "SQLITE_READONLY": lambda: WriteRefused("this connection only reads"),
    "SQLITE_AUTH": lambda: PermissionRefused("the statement does what this connection does not permit"),
    "SQLITE_CANTOPEN": lambda: SystemUnavailable("the database file cannot be opened"),
    "SQLITE_NOTADB": lambda: SystemFault("the file is no SQLite database"),
    "SQLITE_CORRUPT": lambda: SystemFault("the database file is damaged"),
    "SQLITE_FULL": lambda: SystemFault("the disk of the database is full"),
    "SQLITE_TOOBIG": lambda: InvalidValue("", "a value is larger than the database takes"),
}


def _other(error: BaseException, table: DatabaseTable | None) -> ConnectorError:
    if table is None and str(getattr(error, "sqlite_errorname", "")) in ("SQLITE_ERROR", "SQLITE_RANGE"):
        return InvalidValue("query", f"is refused by the database: {error}")
    if isinstance(error, OverflowError):
        return InvalidValue("", "a whole number is beyond 64 bits")
    return SystemFault(f"the database failed{f' on {table.name}' if table else ''}")


def _constraint(name: str, message: str, table: DatabaseTable | None) -> ConnectorError:
    found = _COLUMNS.fullmatch(message)
    columns = [each.strip().rpartition(".")[2] for each in found[1].split(",")] if found else []
    if name == "SQLITE_CONSTRAINT_NOTNULL":
        return InvalidValue(", ".join(columns), "must not be null")
    if name in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID"):
        return conflict(table, columns, "another entity has the same value")
    if name == "SQLITE_CONSTRAINT_FOREIGNKEY":
        return conflict(
            table, table.referring if table else (), "refers to an entity that is not there, or is still referred to"
        )
    checked = _CHECK.fullmatch(message)
    if checked:
        return conflict(table, constrained(table, checked[1]), "breaks a rule of the database")
    return conflict(table, columns, "contradicts a rule of the database")
