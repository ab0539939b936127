"""Statements of GoogleSQL over one table. No value is part of a text: each is a parameter, of its column's type."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.conditions.syntax import Absence, ColumnComparison, Likeness, Literal, Membership, Test
from openplaybook.connectors.errors import EntityNotFound, InvalidValue
from openplaybook.connectors.plugins.base import EntityScan
from openplaybook.connectors.plugins.pushdown import NativeTest, literal_prefix, native_test
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, dumps, is_number, loads

TYPES: dict[str, DataType] = {
    "STRING": DataType.STRING,
    "BYTES": DataType.BINARY,
    "INT64": DataType.BIGINT,
    "FLOAT64": DataType.DOUBLE,
    "FLOAT32": DataType.DOUBLE,
    "NUMERIC": DataType.DECIMAL,
    "BIGNUMERIC": DataType.DECIMAL,
    "BOOL": DataType.BOOLEAN,
    "TIMESTAMP": DataType.TIMESTAMP_WITH_ZONE,
    "DATETIME": DataType.TIMESTAMP,
    "DATE": DataType.DATE,
    "TIME": DataType.TIME,
    "JSON": DataType.OTHER,
    "STRUCT": DataType.STRUCT,
    "UUID": DataType.UUID,
}
"""Type of GoogleSQL → ours; all others are `OTHER`."""

_COMPARABLE = frozenset(TYPES) - {"BYTES", "JSON", "STRUCT"}
_NUMBERS = frozenset({"INT64", "FLOAT64", "FLOAT32", "NUMERIC", "BIGNUMERIC"})
_NUMBER_KEY = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,3})?|-?Infinity|NaN", re.IGNORECASE)
"""As keys hold them; Spanner has keys of FLOAT64."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_MEMBERS = 1_000
ROW_DIGEST = "row_digest_"
_DIGEST = "TO_HEX(SHA256(TO_JSON_STRING(t)))"
_NUMBER_OF_SAME = "FORMAT('-%010d', ROW_NUMBER() OVER (PARTITION BY digest_))"
_MARK = "?"


@dataclass(frozen=True, slots=True)
class SqlValue:
    """A parameter."""

    kind: str
    """Its type, such as `INT64`."""
    value: JsonValue
    """A list for an array."""
    is_array: bool = False


@dataclass(frozen=True, slots=True)
class SqlText:
    """A statement, or a part of one: `?` stands for each value, in order."""

    text: str
    values: tuple[SqlValue, ...] = ()

    def named(self) -> str:
        """The text with `@p1`, `@p2` in place of `?`."""
        parts = self.text.split(_MARK)
        return "".join(part + (f"@p{number}" if number < len(parts) else "") for number, part in enumerate(parts, 1))


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """A column of a table."""

    name: str
    kind: str
    is_array: bool = False
    is_required: bool = False
    is_read_only: bool = False
    description: str = ""
    members: tuple["SqlColumn", ...] = ()
    """Of a STRUCT."""

    def field(self, *, is_key: bool) -> Field:
        """As clients see it."""
        return Field(
            self.name,
            DataType.ARRAY if self.is_array else TYPES.get(self.kind, DataType.OTHER),
            is_key=is_key,
            is_nullable=not (self.is_required or is_key),
            is_read_only=self.is_read_only,
            is_filterable=not self.is_array and self.kind in _COMPARABLE,
            is_required=is_key or self.is_required,
            description=self.description,
        )


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table or a view."""

    path: str
    """In backticks."""
    columns: dict[str, SqlColumn]
    keys: tuple[str, ...] = ()

    def key_of(self, values: JsonObject) -> str:
        """The key of a row: of several columns a JSON array."""
        parts = [_key_text(values.get(name)) for name in self.keys]
        return parts[0] if len(parts) == 1 else dumps(parts).decode() if parts else ""

    def key_values(self, key: str) -> tuple[SqlValue, ...]:
        """The values of the key's columns. Raises `EntityNotFound` for what no row can have."""
        parts: list[JsonValue] = [key]
        if len(self.keys) > 1:
            try:
                parts = as_list(loads(key))
            except ValueError:
                parts = []
        if len(parts) != len(self.keys):
            raise EntityNotFound(f"{key[:60]!r} is no key; it is a JSON array of {', '.join(self.keys)}")
        made: list[SqlValue] = []
        for name, part in zip(self.keys, parts, strict=True):
            kind = self.columns[name].kind
            text = str(part)
            if (kind in _NUMBERS and not _NUMBER_KEY.fullmatch(text)) or len(text) > 10_000:
                raise EntityNotFound(f"{text[:60]!r} is no value of {name}")
            made.append(SqlValue(kind, text == "true" if kind == "BOOL" else text))
        return tuple(made)


def selected(table: SqlTable, scan: EntityScan, after: str, size: int) -> SqlText:
    """Rows in the order of their keys, those behind a key alone; of a table without a key, in that of the column
    `ROW_DIGEST`, which comes with them."""
    found = native_test(scan.condition, _Language(table))
    tested = [SqlText(f"({found.native.text})", found.native.values)] if found is not None else []
    if not table.keys:
        return _digested(table, scan, tested, after, size)
    names = list(dict.fromkeys((*table.keys, *scan.fields)))
    columns = ", ".join(_quoted(name) for name in names if name in table.columns)
    parts = [SqlText(f"{_quoted(name)} IS NOT NULL") for name in table.keys] + tested
    if after:
        parts.append(_behind(table, table.key_values(after)))
    where = _joined(parts, " AND ")
    order = ", ".join(_quoted(name) for name in table.keys)
    text = f"SELECT {columns} FROM {table.path} AS t WHERE {where.text} ORDER BY {order} LIMIT {size:d}"
    return SqlText(text, where.values)


def _digested(table: SqlTable, scan: EntityScan, tested: list[SqlText], after: str, size: int) -> SqlText:
    """By a digest of the whole row, and a number that tells apart those that are the same in all."""
    columns = "".join(f"{_quoted(name)}, " for name in dict.fromkeys(scan.fields) if name in table.columns)
    where = _joined(tested, " AND ")
    condition = f" WHERE {where.text}" if tested else ""
    rows = f"SELECT {columns}{_DIGEST} AS digest_ FROM {table.path} AS t{condition}"
    numbered = f"SELECT {columns}CONCAT(digest_, {_NUMBER_OF_SAME}) AS {ROW_DIGEST} FROM ({rows})"
    behind = f" WHERE {ROW_DIGEST} > ?" if after else ""
    text = f"SELECT {columns}{ROW_DIGEST} FROM ({numbered}){behind} ORDER BY {ROW_DIGEST} LIMIT {size:d}"
    return SqlText(text, where.values + ((SqlValue("STRING", after),) if after else ()))


def is_tried(table: SqlTable, scan: EntityScan) -> bool:
    """Whether a statement tries the whole condition."""
    found = native_test(scan.condition, _Language(table))
    return scan.condition is None or (found is not None and found.is_whole)


def read_by_key(table: SqlTable, key: str, fields: Sequence[str]) -> SqlText:
    """One row."""
    names = list(dict.fromkeys((*table.keys, *fields)))
    where = _at(table, key)
    return SqlText(f"SELECT {', '.join(_quoted(n) for n in names)} FROM {table.path} WHERE {where.text}", where.values)


def inserted(table: SqlTable, values: JsonObject) -> SqlText:
    """A new row."""
    made = [_assigned(table, name, value) for name, value in values.items()]
    names = ", ".join(_quoted(name) for name in values)
    joined = _joined(made, ", ")
    return SqlText(f"INSERT INTO {table.path} ({names}) VALUES ({joined.text})", joined.values)


def updated(table: SqlTable, key: str, values: JsonObject) -> SqlText:
    """Some columns of one row."""
    made = [_assigned(table, name, value) for name, value in values.items()]
    sets = _joined([SqlText(f"{_quoted(n)} = {m.text}", m.values) for n, m in zip(values, made, strict=True)], ", ")
    where = _at(table, key)
    return SqlText(f"UPDATE {table.path} SET {sets.text} WHERE {where.text}", sets.values + where.values)


def deleted(table: SqlTable, key: str) -> SqlText:
    """One row."""
    where = _at(table, key)
    return SqlText(f"DELETE FROM {table.path} WHERE {where.text}", where.values)


def written(column: SqlColumn, value: JsonValue) -> SqlValue:
    """A value that is written. Raises `InvalidValue`."""
    if column.is_array:
        if not isinstance(value, list) or column.kind in ("STRUCT", "JSON"):
            raise InvalidValue(column.name, f"must be a list of values of the type {column.kind}")
        return SqlValue(column.kind, [_scalar(column, each) for each in as_list(value)], is_array=True)
    if column.kind == "JSON":
        return SqlValue("JSON", dumps(value).decode())
    return SqlValue(column.kind, _scalar(column, value))


def _scalar(column: SqlColumn, value: JsonValue) -> JsonValue:
    kind = column.kind
    if kind in _NUMBERS:
        suits = is_number(value) or (isinstance(value, str) and re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?", value))
    elif kind == "BOOL":
        suits = isinstance(value, bool)
    else:
        suits = isinstance(value, str) and kind in TYPES and kind != "STRUCT"
    if not suits:
        raise InvalidValue(column.name, f"must be a value of the type {kind}, not {str(value)[:60]!r}")
    return value


def quoted_path(*names: str) -> str:
    """Names in backticks, with dots between them. Raises `InvalidValue` for what no name can be."""
    return ".".join(_quoted(name) for name in names if name)


def _quoted(name: str) -> str:
    # A question mark would be taken for a parameter.
    if not name or any(char in "`\\?" or ord(char) < 0x20 for char in name):
        raise InvalidValue("", f"{name[:60]!r} is no name of a table or a column that can be asked for")
    return f"`{name}`"


def _key_text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _joined(parts: Sequence[SqlText], joint: str) -> SqlText:
    return SqlText(joint.join(each.text for each in parts), tuple(value for each in parts for value in each.values))


def _at(table: SqlTable, key: str) -> SqlText:
    return SqlText(" AND ".join(f"{_quoted(name)} = ?" for name in table.keys), table.key_values(key))


def _assigned(table: SqlTable, name: str, value: JsonValue) -> SqlText:
    if value is None:
        return SqlText("NULL")
    made = written(table.columns[name], value)
    return SqlText("PARSE_JSON(?)" if made.kind == "JSON" else _MARK, (made,))


def _behind(table: SqlTable, values: tuple[SqlValue, ...]) -> SqlText:
    """`a > ? OR a = ? AND b > ?`."""
    parts: list[SqlText] = []
    for number, name in enumerate(table.keys):
        same = [f"{_quoted(before)} = ?" for before in table.keys[:number]]
        parts.append(SqlText(" AND ".join([*same, f"{_quoted(name)} > ?"]), values[: number + 1]))
    joined = _joined(parts, " OR ")
    return SqlText(f"({joined.text})", joined.values)


class _Language:
    """Tests as GoogleSQL writes them."""

    def __init__(self, table: SqlTable) -> None:
        self._columns = table.columns

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[SqlText] | None:
        """One test."""
        column = self._columns.get(test.column)
        if column is None or column.is_array or column.kind not in _COMPARABLE:
            return None
        name = _quoted(column.name)
        if isinstance(test, Absence):
            return NativeTest(SqlText(f"{name} IS {'NOT ' if is_negated else ''}NULL"))
        if isinstance(test, ColumnComparison):
            value = _literal(column, test.value)
            return NativeTest(SqlText(f"{name} {test.operator.value} ?", (value,))) if value is not None else None
        if isinstance(test, Membership):
            return self._membership(test, column, is_negated=is_negated)
        return _likeness(test, column, is_negated=is_negated) if isinstance(test, Likeness) else None

    def _membership(self, test: Membership, column: SqlColumn, *, is_negated: bool) -> NativeTest[SqlText] | None:
        values = [_literal(column, each) for each in test.values]
        known = tuple(each for each in values if each is not None)
        if len(known) < len(values) or len(values) > _MOST_MEMBERS:
            return None
        marks = ", ".join(_MARK for _ in known)
        return NativeTest(SqlText(f"{_quoted(column.name)} {'NOT ' if is_negated else ''}IN ({marks})", known))

    def joined(self, terms: Sequence[SqlText], *, is_all: bool) -> SqlText:
        """All or one of them."""
        made = _joined(terms, " AND " if is_all else " OR ")
        return SqlText(f"({made.text})", made.values)


def _likeness(test: Likeness, column: SqlColumn, *, is_negated: bool) -> NativeTest[SqlText] | None:
    """By how the text begins; what a pattern asks besides is tried here."""
    prefix, is_whole = literal_prefix(test)
    if not prefix or column.kind != "STRING" or (is_negated and not is_whole):
        return None
    text = f"{'NOT ' if is_negated else ''}STARTS_WITH({_quoted(column.name)}, ?)"
    return NativeTest(SqlText(text, (SqlValue("STRING", prefix),)), is_whole)


def _literal(column: SqlColumn, value: Literal) -> SqlValue | None:
    """A condition's value as a parameter; None where it is not of the column's type: then it is tried here."""
    kind = column.kind
    if kind == "BOOL":
        return SqlValue(kind, value) if isinstance(value, bool) else None
    if kind in _NUMBERS:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole and (kind == "INT64" or not isinstance(value, Decimal)):
            return None
        return SqlValue(kind, str(value))
    if not isinstance(value, str) or (kind == "DATE" and not _DATE.fullmatch(value)):
        return None
    if kind in ("TIMESTAMP", "DATETIME", "TIME", "UUID"):
        # Texts stand for moments in many ways; here those are compared that rows come with.
        return SqlValue(kind, value) if kind == "TIMESTAMP" and _is_moment(value) else None
    return SqlValue(kind, value)


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
