"""What errors of databases that number them mean: SQL Server, Oracle, SAP HANA."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    WriteRefused,
)
from openplaybook.connectors.sql.databases.base import conflict, constrained
from openplaybook.connectors.sql.tables import DatabaseTable

_WORD = re.compile(r"[\w$#]+")


class DatabaseFailure(Enum):
    """Kinds of errors."""

    DUPLICATE = "another entity has the same value"
    NULL = "must not be null"
    REFERENCE = "refers to an entity that is not there, or is still referred to"
    RULE = "breaks a rule of the database"
    UNFIT = "does not fit"
    QUERY = "query"
    LOGIN = "the database does not take the user and password"
    PERMISSION = "the database does not permit this to the connection's user"
    READS = "this connection only reads"
    DATABASE = "there is no such database"
    LOCKED = "the database broke the transaction off for another, or a lock was not had in time; nothing was changed"
    SLOW = "the database took too long and was stopped; nothing was changed"
    LOST = "the database cannot be reached, or the connection broke"


_KINDS: Mapping[DatabaseFailure, type[ConnectorError]] = {
    DatabaseFailure.LOGIN: AuthenticationRefused,
    DatabaseFailure.PERMISSION: PermissionRefused,
    DatabaseFailure.READS: WriteRefused,
    DatabaseFailure.LOCKED: SystemUnavailable,
    DatabaseFailure.SLOW: SystemUnavailable,
    DatabaseFailure.LOST: SystemUnavailable,
}


@dataclass(frozen=True, slots=True)
class NumberedFailures:
    """The errors of one family of databases."""

    kinds: Mapping[int, DatabaseFailure] = field(default_factory=dict[int, DatabaseFailure])

    def failure(self, number: int, said: str, table: DatabaseTable | None) -> ConnectorError:
        """What an error means. Of `said`, only names of the table's columns are passed on; of a custom query all."""
        kind = self.kinds.get(number)
        if kind is None:
            return SystemFault(f"the database failed (error {number}){f' on {table.name}' if table else ''}")
        if kind in _KINDS:
            return _KINDS[kind](kind.value)
        if kind is DatabaseFailure.DATABASE:
            return InvalidConnection("configVariables.database", kind.value)
        if table is None:
            return InvalidValue("query", f"is refused by the database: {said}")
        return _of_columns(kind, _named_columns(said, table), table)


def _of_columns(kind: DatabaseFailure, columns: list[str], table: DatabaseTable) -> ConnectorError:
    if kind in (DatabaseFailure.NULL, DatabaseFailure.UNFIT) and columns:
        return InvalidValue(", ".join(columns), kind.value)
    if kind is DatabaseFailure.UNFIT:
        return InvalidValue("", f"a value does not fit {table.name}")
    if kind is DatabaseFailure.QUERY:
        return SystemFault(f"the database refuses the statement on {table.name}; its schema may have changed")
    if kind is DatabaseFailure.REFERENCE and not columns:
        return EntityConflict(f"{table.name}: {kind.value}")
    return conflict(table, columns, kind.value)


def _named_columns(said: str, table: DatabaseTable) -> list[str]:
    """Columns of the constraint that a message names, else those that it names last: before them may come values."""
    words = _WORD.findall(said)
    for word in words:
        for name, columns in table.constraints.items():
            if word.casefold() == name.casefold():
                return list(columns) or constrained(table, name)
    known = {each.casefold(): each for each in table.columns}
    named = [known[word.casefold()] for word in words if word.casefold() in known]
    return named[-1:]
