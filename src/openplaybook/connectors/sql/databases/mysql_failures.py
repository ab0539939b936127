"""What errors of MySQL and MariaDB mean; of what they say only names of columns and tables are passed on."""

import re
import ssl
from collections.abc import Callable, Mapping

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

_QUOTED = re.compile(r"[`']((?:[^`'])+)[`']")
_FOREIGN_KEY = re.compile(r"\(`[^`]+`\.`([^`]+)`, CONSTRAINT .+? FOREIGN KEY \((.+?)\) REFERENCES")
_LAST = re.compile(r"[`']([^`']+)[`']$")
_ROW = re.compile(r" at row \d+$")


def mysql_failure(error: Exception, table: DatabaseTable | None) -> ConnectorError:
    """By the number (https://mariadb.com/kb/en/mariadb-error-code-reference/)."""
    arguments = error.args
    number = arguments[0] if arguments and isinstance(arguments[0], int) else 0
    said = str(arguments[1]) if len(arguments) > 1 else ""
    if isinstance(getattr(error, "original_exception", None), ssl.SSLError):
        return SystemUnavailable("no TLS connection to the database came about: its certificate or ours is refused")
    if number in _TOLD:
        return _TOLD[number](said, table)
    if number in _PLAIN:
        kind, sentence = _PLAIN[number]
        return kind(sentence)
    return SystemFault(f"the database failed (error {number}){f' on {table.name}' if table else ''}")


def _last_column(said: str, table: DatabaseTable | None) -> list[str]:
    """The column that a message names last: before it come values, which may look like anything."""
    found = _LAST.search(_ROW.sub("", said))
    return [found[1]] if found and table is not None and found[1] in table.columns else []


def _first_column(said: str, table: DatabaseTable | None) -> list[str]:
    names = _QUOTED.findall(said)
    return [names[0]] if names and table is not None and names[0] in table.columns else []


def _duplicate(said: str, table: DatabaseTable | None) -> ConnectorError:
    names = _QUOTED.findall(said)
    index = names[-1].rpartition(".")[2] if names else ""
    columns = [each.name for each in table.key] if table and index == "PRIMARY" else constrained(table, index)
    return conflict(table, columns, "another entity has the same value")


def _null(said: str, table: DatabaseTable | None) -> ConnectorError:
    return InvalidValue(", ".join(_first_column(said, table)), "must not be null")


def _unfit(said: str, table: DatabaseTable | None) -> ConnectorError:
    if table is None:
        return _refused_query(said, table)
    columns = _last_column(said, table)
    return InvalidValue(", ".join(columns), "does not fit" if columns else f"a value does not fit {table.name}")


def _absent(said: str, table: DatabaseTable | None) -> ConnectorError:
    found = _FOREIGN_KEY.search(said)
    columns = _QUOTED.findall(found[2]) if found else []
    return conflict(table, columns, "refers to an entity that is not there")


def _referred(said: str, table: DatabaseTable | None) -> ConnectorError:
    found = _FOREIGN_KEY.search(said)
    by = f" by {found[1]}" if found and table and found[1] in table.neighbours else ""
    return EntityConflict(f"the entity{f' of {table.name}' if table else ''} is still referred to{by}")


def _checked(said: str, table: DatabaseTable | None) -> ConnectorError:
    names = _QUOTED.findall(said)
    return conflict(
        table, constrained(table, names[0].rpartition(".")[2]) if names else (), "breaks a rule of the database"
    )


def _refused_query(said: str, table: DatabaseTable | None) -> ConnectorError:
    if table is not None:
        return SystemFault(f"the database refuses the statement on {table.name}; its schema may have changed")
    return InvalidValue("query", f"is refused by the database: {said}")


_TOLD: Mapping[int, Callable[[str, DatabaseTable | None], ConnectorError]] = {
    **dict.fromkeys((1022, 1062, 1169, 1586), _duplicate),
    **dict.fromkeys((1048, 1364, 1566), _null),
    **dict.fromkeys((1264, 1265, 1292, 1366, 1367, 1406, 1411, 1416, 3140, 4078), _unfit),
    **dict.fromkeys((1216, 1452), _absent),
    **dict.fromkeys((1217, 1451), _referred),
    **dict.fromkeys((3819, 4025), _checked),
    **dict.fromkeys(
        (1052, 1054, 1055, 1056, 1064, 1111, 1140, 1146, 1222, 1241, 1242, 1248, 1305, 1582), _refused_query
    ),
    **dict.fromkeys((1630, 1690, 1365, 1267, 1271, 1149), _refused_query),
    1644: lambda _, table: conflict(table, (), "is refused by a rule of the database"),
    1049: lambda _said, _table: InvalidConnection("configVariables.database", "there is no such database"),
}
_LOGIN = (AuthenticationRefused, "the database does not take the user and password")
_PERMISSION = (PermissionRefused, "the database does not permit this to the connection's user")
_LOST = (SystemUnavailable, "the database cannot be reached, or the connection broke")
_SLOW = (SystemUnavailable, "the database took too long and was stopped; nothing was changed")
_FULL = (SystemUnavailable, "the database has no room for more connections")
_LOCKED = (SystemUnavailable, "a lock was not had in time; nothing was changed")
_READS = (WriteRefused, "this connection only reads")
_PLAIN: Mapping[int, tuple[type[ConnectorError], str]] = {
    **dict.fromkeys((1045, 1251, 1698, 2061, 1862, 3118, 1820), _LOGIN),
    **dict.fromkeys((1044, 1142, 1143, 1227, 1370, 1410), _PERMISSION),
    **dict.fromkeys((2002, 2003, 2006, 2013, 2014, 2055, 1053, 1927, 1159, 1161, 2026), _LOST),
    **dict.fromkeys((1317, 1969, 3024), _SLOW),
    **dict.fromkeys((1040, 1203, 1226), _FULL),
    **dict.fromkeys((1205, 1213, 3572), _LOCKED),
    **dict.fromkeys((1290, 1792, 1836), _READS),
}
