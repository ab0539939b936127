"""What PostgreSQL's errors mean; of what it says only names of columns and tables are passed on."""

import re
from collections.abc import Callable, Mapping

import psycopg

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

_COLUMNS_OF_DETAIL = re.compile(r"\((.+?)\)=\(", re.DOTALL)
_REFUSED_LOGIN = re.compile(
    r"password authentication failed|authentication failed|no password supplied|no pg_hba\.conf entry"
    r"|role .* (?:does not exist|is not permitted to log in)|certificate authentication failed"
)


def postgresql_failure(error: psycopg.Error, table: DatabaseTable | None) -> ConnectorError:
    """By the SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), the longest known beginning."""
    state = error.sqlstate or ""
    if not state:
        return _without_state(error)
    for length in (5, 3, 2):
        begin = state[:length]
        if begin in _TOLD:
            return _TOLD[begin](error, table)
        if begin in _PLAIN:
            kind, sentence = _PLAIN[begin]
            return kind(sentence)
    return SystemFault(f"the database failed (SQLSTATE {state}){f' on {table.name}' if table else ''}")


def _without_state(error: psycopg.Error) -> ConnectorError:
    """Errors of the library; their texts name hosts and users, so none is passed on."""
    said = str(error)
    if _REFUSED_LOGIN.search(said):
        return AuthenticationRefused("the database does not take the user and password")
    if "does not exist" in said and "database" in said:
        return InvalidConnection("configVariables.database", "there is no such database")
    if "certificate" in said or "SSL" in said:
        return SystemUnavailable("no TLS connection to the database came about: its certificate or ours is refused")
    if isinstance(error, psycopg.OperationalError):
        return SystemUnavailable("the database cannot be reached, or the connection broke")
    return InvalidValue("", "a value cannot be sent to the database")


def _diagnosed_columns(error: psycopg.Error, table: DatabaseTable | None) -> list[str]:
    """Columns that the server names; of its detail only these are passed on, since values follow."""
    detail = _COLUMNS_OF_DETAIL.search(error.diag.message_detail or "")
    if error.diag.column_name:
        return [error.diag.column_name]
    if detail:
        return [each.strip().strip('"') for each in detail[1].split(",")]
    return constrained(table, error.diag.constraint_name or "")


def _foreign_key(error: psycopg.Error, table: DatabaseTable | None) -> ConnectorError:
    if table is None or error.diag.table_name == table.name:
        return conflict(table, _diagnosed_columns(error, table), "refers to an entity that is not there")
    other = error.diag.table_name or ""
    by = f" by {other}" if other in table.neighbours else ""
    return EntityConflict(f"the entity of {table.name} is still referred to{by}")


def _invalid(error: psycopg.Error, table: DatabaseTable | None) -> ConnectorError:
    """Of a custom query the server's own sentence helps; of entities it would tell values."""
    if table is None:
        return InvalidValue("query", f"is refused by the database: {error.diag.message_primary or 'no reason given'}")
    columns = _diagnosed_columns(error, table)
    return InvalidValue(", ".join(columns), f"a value does not fit {table.name}" if not columns else "does not fit")


_TOLD: Mapping[str, Callable[[psycopg.Error, DatabaseTable | None], ConnectorError]] = {
    "23505": lambda error, table: conflict(
        table, _diagnosed_columns(error, table), "another entity has the same value"
    ),
    "23502": lambda error, table: InvalidValue(", ".join(_diagnosed_columns(error, table)), "must not be null"),
    "23503": _foreign_key,
    "23001": _foreign_key,
    "23514": lambda error, table: conflict(
        table, constrained(table, error.diag.constraint_name or ""), "breaks a rule of the database"
    ),
    "23": lambda error, table: conflict(table, _diagnosed_columns(error, table), "contradicts a rule of the database"),
    "22": _invalid,
    "42": _invalid,
    "0A": _invalid,
    "P0": lambda _, table: conflict(table, (), "is refused by a rule of the database"),
    "3D000": lambda _error, _table: InvalidConnection("configVariables.database", "there is no such database"),
}
_PLAIN: Mapping[str, tuple[type[ConnectorError], str]] = {
    "25006": (WriteRefused, "this connection only reads"),
    "28": (AuthenticationRefused, "the database does not take the user and password"),
    "40": (SystemUnavailable, "the database broke the transaction off for another; nothing was changed"),
    "42501": (PermissionRefused, "the database does not permit this to the connection's user"),
    "53": (SystemUnavailable, "the database has no room for more connections, or for this statement"),
    "55P03": (SystemUnavailable, "a lock was not had in time; nothing was changed"),
    "57014": (SystemUnavailable, "the database took too long and was stopped; nothing was changed"),
    "57": (SystemUnavailable, "the database is going down, or is not up yet"),
    "08": (SystemUnavailable, "the connection to the database broke"),
}
