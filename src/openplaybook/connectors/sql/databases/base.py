"""What families of databases do differently; the defaults are those of the standard."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import cast as cast_type

from sqlalchemy import Cast, ColumnElement, Connection, String, cast, types
from sqlalchemy.engine.interfaces import DBAPIConnection, ReflectedColumn

from openplaybook.connectors.errors import ConnectorError, EntityConflict, SystemFault
from openplaybook.connectors.settings import TlsSettings
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseTable

_WORD = re.compile(r"\w+")
ESCAPE = "!"
"""Stands before what is not a sign in a LIKE pattern."""


class NameFolding(Enum):
    """What becomes of a name that is not quoted."""

    LOWER = "lower"
    UPPER = "upper"
    IGNORED = "ignored"
    """Names that differ in case alone are the same, quoted or not."""
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class DatabaseLogin:
    """Where a database is and who we are there."""

    host: str
    port: int
    database: str
    user: str = ""
    password: str = field(default="", repr=False)
    tls: TlsSettings = field(default_factory=TlsSettings)
    is_read_only: bool = False
    schema: str = ""
    """Where tables are looked for; empty for the user's own default."""
    certificate_name: str = ""
    """Subject of the server's certificate, for drivers that cannot compare the host's name."""


class Database:
    """A family of databases; one object for each opened connection. All methods may block: threads call them."""

    dialect = ""
    """Of SQLAlchemy, with the driver."""
    scheme = ""
    """Of addresses in traces."""
    grammar = ""
    """Of sqlglot."""
    folding = NameFolding.LOWER
    default_schema = ""
    """Where names without a schema are looked for, if that is known before."""
    has_row_locks = True
    """Whether rows are locked by `SELECT … FOR UPDATE`."""
    returns_changed_keys = False
    """Whether an update or a delete tells which rows it changed."""
    binds_types = True
    """Whether SQLAlchemy's types carry values to the driver; else they go as `bound` gives them."""
    enforces_lengths = True
    """Whether a text longer than its column is refused, or cut."""
    refuses_nul = False
    """Whether texts cannot have the character 0."""
    any_text, any_character = "%", "_"
    """Signs of its patterns."""
    pure_functions: frozenset[str] = frozenset()
    """Functions, lower case, that sqlglot does not know and a query may call: they read nothing but their arguments."""

    @property
    def place(self) -> str:
        """Address for traces, without a user."""
        return self.scheme

    def connect(self, addresses: Sequence[str]) -> DBAPIConnection:
        """A new connection to the first of these IP addresses that answers. Raises the driver's errors."""
        raise NotImplementedError

    def begin(
        self, connection: Connection, *, is_write: bool, timeout_s: float, tables: frozenset[str] | None = None
    ) -> None:
        """Begin a transaction that the database itself holds to reading, to a time and to tables, as far as it can."""

    def cancel(self, raw: DBAPIConnection) -> None:
        """Stop what a connection does, from another thread."""
        raw.close()

    def hidden_tables(self, connection: Connection) -> frozenset[str]:
        """Tables that the database keeps for itself, though it lists them among the user's."""
        del connection
        return frozenset()

    def column_name(self, reflected: str) -> str:
        """The name of a column that reflection gives as it is written."""
        return reflected

    def column_rules(self, connection: Connection, table: str, schema: str | None) -> Sequence[str]:
        """Check constraints that stand at single columns, where reflection leaves them out."""
        del connection, table, schema
        return ()

    def shape(self, column: ReflectedColumn, rules: Sequence[str]) -> ColumnShape | None:
        """Of types that only this family has; None for those that are like everybody's. `rules` are the table's check
        constraints."""
        del column, rules
        return None

    def numbers_rows(self, shape: ColumnShape) -> bool:
        """Whether a table's only key column is numbered by the database, though it does not say so."""
        del shape
        return False

    def column_type(self, reflected: "types.TypeEngine[object]") -> "types.TypeEngine[object]":
        """The type that statements give a column."""
        return reflected if self.binds_types else cast_type("types.TypeEngine[object]", types.NULLTYPE)

    def bound(self, value: object, shape: ColumnShape) -> object:
        """A Python value as the driver takes it."""
        del shape
        return value

    def comparable(self, element: ColumnElement[object], shape: ColumnShape) -> ColumnElement[object]:
        """A column as it is read and compared."""
        del shape
        return element

    def like(self, element: ColumnElement[object], shape: ColumnShape, pattern: str) -> ColumnElement[bool]:
        """Whether a column is like a pattern in which `ESCAPE` stands before what is no sign; case counts."""
        return self.as_text(element, shape).like(pattern, escape=ESCAPE)

    def as_text(self, element: ColumnElement[object], shape: ColumnShape) -> "ColumnElement[object] | Cast[str]":
        """A column of any type, to be searched as text."""
        return element if shape.data_type.value in ("VARCHAR", "LONGVARCHAR") else cast(element, String)

    def escaped(self, text: str) -> str:
        """A text that stands for itself in a pattern."""
        return "".join(ESCAPE + each if each in "%_!" else each for each in text)

    def driver_errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""
        return ()

    def failure(self, error: BaseException, table: DatabaseTable | None) -> ConnectorError:
        """What an error of the driver means, without values of rows and without secrets."""
        del error
        return SystemFault(f"the database failed{f' on {table.name}' if table else ''}")

    def is_undone(self, error: BaseException) -> bool:
        """Whether an error that a commit met says that nothing was committed."""
        del error
        return False

    def close(self) -> None:
        """Let go of what was made for connecting, such as files of certificates."""


def conflict(table: DatabaseTable | None, columns: Sequence[str], saying: str) -> EntityConflict:
    """Says of columns that they contradict what is there."""
    named = ", ".join(columns) or (table.name if table else "the write")
    return EntityConflict(f"{named}: {saying}")


def constrained(table: DatabaseTable | None, constraint: str) -> list[str]:
    """Columns of a constraint: by its name, or those that its text names."""
    if table is None:
        return []
    known = table.constraints.get(constraint.strip('"`'))
    words = set(_WORD.findall(constraint))
    return list(known) if known is not None else [name for name in table.columns if name in words]
