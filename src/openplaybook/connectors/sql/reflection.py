"""Entity types by reflection: tables and views with their columns, keys, references, comments, defaults."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from sqlalchemy import ColumnElement, Connection, Inspector, column, inspect, table
from sqlalchemy.engine.interfaces import ReflectedColumn, ReflectedForeignKeyConstraint

from openplaybook.connectors.base import READING, DataType, EntityOperation, EntityType, Field, FieldReference
from openplaybook.connectors.errors import InvalidConnection, UnknownName
from openplaybook.connectors.sql.column_shapes import column_shape
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseColumn, DatabaseTable
from openplaybook.jsonvalues import JsonObject, JsonValue

_LITERAL = re.compile(r"\(*'((?:[^']|'')*)'\)*(?:::[\w \".]+(?:\(\d+\))?)?\)*")
_NUMBER = re.compile(r"\(*(-?\d+(?:\.\d+)?)\)*(?:::[\w ]+)?")
_WORD = re.compile(r"\w+")
_MADE_BY_DATABASE = ("nextval(", "uuid", "gen_random_uuid(")
_JSON_TYPES: Mapping[DataType, str] = {
    DataType.BOOLEAN: "boolean",
    DataType.SMALLINT: "integer",
    DataType.INTEGER: "integer",
    DataType.DOUBLE: "number",
}


class Reflection:
    """Reads the schema of one database through one of its connections."""

    def __init__(self, database: Database, schema: str, allowed: frozenset[str], *, is_read_only: bool) -> None:
        """`allowed` are the only tables and views that there are; all where it is empty."""
        self._database = database
        self._schema = schema or None
        self._allowed = allowed
        self._is_read_only = is_read_only

    def names(self, connection: Connection) -> tuple[str, ...]:
        """Tables and views, sorted."""
        inspector = inspect(connection)
        found = [*inspector.get_table_names(self._schema), *_view_names(inspector, self._schema)]
        hidden = self._database.hidden_tables(connection)
        shown = {name for name in found if not self._allowed or name in self._allowed}
        return tuple(sorted(shown - hidden))

    def check(self, connection: Connection) -> None:
        """Raises `InvalidConnection` for a schema, or tables, that the settings name and the database does not have."""
        inspector, schema = inspect(connection), self._schema or ""
        if schema and not inspector.has_schema(schema):
            schemas = inspector.get_schema_names()
            # Oracle and HANA show names in lower case that are written in upper case.
            if schema.casefold() not in map(str.casefold, schemas):
                raise InvalidConnection("configVariables.schema", str(UnknownName("schema", schema, schemas)))
        if self._allowed:
            found = [*inspector.get_table_names(self._schema), *_view_names(inspector, self._schema)]
            missing = min(self._allowed.difference(found), default="")
            if missing:
                raise InvalidConnection("configVariables.tables", str(UnknownName("table or view", missing, found)))

    def table(self, connection: Connection, name: str, known: Iterable[str]) -> DatabaseTable:
        """One of them; `known` are the names of all."""
        inspector = inspect(connection)
        neighbours = frozenset(known)
        is_view = name in _view_names(inspector, self._schema)
        reflected = inspector.get_columns(name, self._schema)
        for each in reflected:
            each["name"] = self._database.column_name(each["name"])
        key_names = [] if is_view else inspector.get_pk_constraint(name, self._schema)["constrained_columns"]
        foreign_keys = inspector.get_foreign_keys(name, self._schema)
        references = _references(foreign_keys, neighbours)
        referring = tuple(part for each in foreign_keys for part in each["constrained_columns"])
        checks = _checks(inspector, name, self._schema)
        rules = (*checks.values(), *self._database.column_rules(connection, name, self._schema))
        elements = [column(each["name"], self._database.column_type(each["type"])) for each in reflected]
        clause = table(name, *elements, schema=self._schema)
        columns = {
            each["name"]: self._column(each, clause.c[each["name"]], key_names, references, rules) for each in reflected
        }
        entity_type = EntityType(
            name=name,
            fields=tuple(each.field for each in columns.values()),
            operations=self._operations(has_key=bool(key_names), is_view=is_view),
            description=_comment(inspector, name, self._schema),
            default_sort=", ".join(key_names),
        )
        constraints = _constraints(inspector, name, self._schema, checks, columns)
        key = tuple(columns[each] for each in key_names)
        return DatabaseTable(entity_type, clause, columns, key, constraints, referring, neighbours)

    def _operations(self, *, has_key: bool, is_view: bool) -> frozenset[EntityOperation]:
        if self._is_read_only or is_view:
            return READING if has_key else frozenset({EntityOperation.LIST})
        return frozenset(EntityOperation) - (frozenset() if has_key else {EntityOperation.GET})

    def _column(
        self,
        reflected: ReflectedColumn,
        element: ColumnElement[object],
        key_names: Sequence[str],
        references: Mapping[str, FieldReference],
        rules: Sequence[str],
    ) -> DatabaseColumn:
        name, default = reflected["name"], reflected.get("default")
        shape = column_shape(self._database, reflected, rules)
        is_key = name in key_names
        is_made = _is_made(reflected) or (key_names == [name] and self._database.numbers_rows(shape))
        is_read_only = bool(reflected.get("computed")) or bool((reflected.get("identity") or {}).get("always"))
        is_nullable = bool(reflected["nullable"]) and not is_key
        field = Field(
            name=name,
            data_type=shape.data_type,
            is_key=is_key,
            is_nullable=is_nullable,
            is_read_only=is_read_only,
            is_filterable=shape.is_comparable,
            is_required=not (is_nullable or is_read_only or is_made or default is not None),
            description=reflected.get("comment") or "",
            default=default_value(default, shape.data_type),
            values=shape.values,
            schema=_schema(shape),
            reference=references.get(name),
        )
        return DatabaseColumn(field, shape, element, self._database.comparable(element, shape))


def default_value(default: str | None, data_type: DataType) -> JsonValue:
    """The value of a column's default where it is a plain one; None where the database makes it."""
    if default is None:
        return None
    text, number = _LITERAL.fullmatch(default), _NUMBER.fullmatch(default)
    if data_type is DataType.BOOLEAN:
        said = (text[1] if text else default).strip("()").lower()
        return {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False}.get(said)
    given = text[1].replace("''", "'") if text else number[1] if number else None
    if given is None or data_type in (DataType.STRUCT, DataType.ARRAY, DataType.BINARY, DataType.OTHER):
        return None
    if data_type in _JSON_TYPES and _NUMBER.fullmatch(given):
        return float(given) if "." in given else int(given)
    return given


def _view_names(inspector: Inspector, schema: str | None) -> list[str]:
    names = inspector.get_view_names(schema)
    with suppress(NotImplementedError):
        names = [*names, *inspector.get_materialized_view_names(schema)]
    return names


def _comment(inspector: Inspector, name: str, schema: str | None) -> str:
    with suppress(NotImplementedError):
        return inspector.get_table_comment(name, schema)["text"] or ""
    return ""


def _references(keys: Iterable[ReflectedForeignKeyConstraint], seen: frozenset[str]) -> Mapping[str, FieldReference]:
    """Of single columns, to tables that may be seen."""
    return {
        each["constrained_columns"][0]: FieldReference(each["referred_table"], each["referred_columns"][0])
        for each in keys
        if len(each["constrained_columns"]) == 1 and each["referred_table"] in seen and each["referred_columns"]
    }


def _checks(inspector: Inspector, name: str, schema: str | None) -> Mapping[str, str]:
    """Check constraints by name."""
    with suppress(NotImplementedError):
        found = inspector.get_check_constraints(name, schema)
        return {str(each["name"] or f"#{place}"): each["sqltext"] for place, each in enumerate(found)}
    return {}


def _constraints(
    inspector: Inspector, name: str, schema: str | None, checks: Mapping[str, str], columns: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Columns of the constraints that have a name."""
    found: dict[str, tuple[str, ...]] = {}
    with suppress(NotImplementedError):
        for unique in inspector.get_unique_constraints(name, schema):
            found[str(unique["name"])] = tuple(unique["column_names"])
    for check, text in checks.items():
        words = set(_WORD.findall(text))
        found[check] = tuple(each for each in columns if each in words)
    return found


def _is_made(reflected: ReflectedColumn) -> bool:
    """Whether the database makes the value of a new row."""
    default = (reflected.get("default") or "").lower()
    return (
        reflected.get("autoincrement") is True
        or bool(reflected.get("identity"))
        or default.startswith(_MADE_BY_DATABASE)
    )


def _schema(shape: ColumnShape) -> JsonObject | None:
    """Of arrays: what is in them, or in the arrays within."""
    if shape.data_type is not DataType.ARRAY:
        return None
    kind = _JSON_TYPES.get(shape.element.data_type, "string") if shape.element else ""
    return {"type": "array", "items": {"type": [kind, "array", "null"]}} if kind else {"type": "array"}
