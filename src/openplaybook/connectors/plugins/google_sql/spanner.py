"""Cloud Spanner by its REST API (v1): the tables of one database as entity types; GoogleSQL as queries.

Queries run in read-only transactions, so that none can write; rows are written by mutations, each of which Spanner
takes whole or not at all. Databases of the PostgreSQL dialect are not spoken to.
"""

import re
from collections.abc import Sequence
from time import monotonic

from openplaybook.connectors.base import (
    ActionType,
    DataType,
    Entity,
    EntityOperation,
    EntityType,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    SystemFault,
    UnknownName,
)
from openplaybook.connectors.plugins.base import EntityBatch, EntityScan, query_action
from openplaybook.connectors.plugins.google_login import GoogleLogin, google_words
from openplaybook.connectors.plugins.google_sql.google_values import json_document, parameter_of, whole_number
from openplaybook.connectors.plugins.google_sql.statements import (
    SqlColumn,
    SqlTable,
    SqlText,
    SqlValue,
    is_tried,
    quoted_path,
    read_by_key,
    selected,
    written,
)
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk, json_body
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_BASE = "https://spanner.googleapis.com/v1"
_SCOPES = ("https://www.googleapis.com/auth/spanner.data",)
_PROJECT = re.compile(r"[a-z0-9][a-z0-9:.-]{0,99}")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_SCHEMA = re.compile(r"[A-Za-z_]?[A-Za-z0-9_]{0,127}")
_TYPE = re.compile(r"(ARRAY<)?([A-Z0-9]+)")
_MOST_TABLES = 1_000
_KEPT_S = 600.0
_READING: JsonObject = {"singleUse": {"readOnly": {"strong": True}}}
_TABLES = SqlText(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY table_name LIMIT 1000"
)
_COLUMNS = SqlText(
    "SELECT column_name, spanner_type, is_nullable, column_default, is_generated FROM information_schema.columns "
    "WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position"
)
_KEYS = SqlText(
    "SELECT column_name FROM information_schema.index_columns WHERE table_schema = ? AND table_name = ? "
    "AND index_name = 'PRIMARY_KEY' ORDER BY ordinal_position"
)
_OWN_KINDS = {DataType.TIMESTAMP: "TIMESTAMP"}


class SpannerSource:
    """Implements `EntitySource`."""

    def __init__(
        self, definition: ConnectorDefinition, desk: HttpDesk, database: str, schema: str, tables: Sequence[str]
    ) -> None:
        """`database` is the resource name. Without tables, all of the schema are there."""
        self.title = definition.title
        self.is_open = False
        self._desk = desk
        self._database = database
        self._schema = schema
        self._only = tuple(tables)
        self._session = ""
        self._tables: dict[str, tuple[float, SqlTable]] = {}

    async def check(self, call: SystemCall) -> None:
        """Ask for the tables."""
        await self._described(_TABLES, (self._schema,), call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Of the tables and views."""
        if self._only:
            return self._only
        rows = await self._described(_TABLES, (self._schema,), call)
        return tuple(str(each["table_name"]) for each in rows[:_MOST_TABLES])

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A table; a view, which has no key, is not."""
        table = await self._table(name, call)
        fields = tuple(each.field(is_key=each.name in table.keys) for each in table.columns.values())
        return EntityType(name, fields, frozenset(EntityOperation), default_sort=",".join(table.keys))

    def actions(self) -> Sequence[ActionType]:
        """Queries, unless tables are named: a query could read others."""
        return () if self._only else (query_action("GoogleSQL", is_read_only=True),)

    def tries(self, scan: EntityScan) -> bool:
        """Whether GoogleSQL tries the whole condition."""
        return is_tried(self._known(scan.entity_type), scan)

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Rows by their keys."""
        table = self._known(scan.entity_type)
        rows = await self._rows(selected(table, scan, after, size), call)
        entities = tuple(Entity(table.key_of(row), {name: row.get(name) for name in scan.fields}) for row in rows)
        return EntityBatch(entities, is_last=len(rows) < size)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A row."""
        rows = await self._rows(read_by_key(self._known(entity_type), key, fields), call)
        if not rows:
            raise EntityNotFound(f"there is no row {key!r} in {entity_type.name}")
        return Entity(key, {name: rows[0].get(name) for name in fields})

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """A new row. Raises `EntityConflict` where there is one with its key."""
        table = self._known(entity_type)
        await self._committed({"insert": self._write(entity_type.name, table, values)}, call)
        return Entity(table.key_of(values), dict(values))

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some columns of one row."""
        table = self._known(entity_type)
        keys: JsonObject = {name: value.value for name, value in zip(table.keys, table.key_values(key), strict=True)}
        write = self._write(entity_type.name, table, {**keys, **values})
        await self._committed({"update": write}, call, is_repeatable=True)

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """One row. Spanner takes away what is not there without a word, so that is looked up first."""
        table = self._known(entity_type)
        if not call.is_rehearsal and not await self._rows(read_by_key(table, key, ()), call):
            raise EntityNotFound(f"there is no row {key!r} in {entity_type.name}")
        keys: list[JsonValue] = [_wired(each) for each in table.key_values(key)]
        body: JsonObject = {"table": self._path(entity_type.name), "keySet": {"keys": [keys]}}
        await self._committed({"delete": body}, call, is_repeatable=True)

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """There are no actions besides queries."""
        raise UnknownName("action", action, [each.name for each in self.actions()])

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """A query; each `?` outside of quotes and comments stands for a parameter."""
        if self._only:
            raise OperationUnsupported("queries could read other tables than those that the connection names")
        text, count = with_names(query.text)
        if count != len(query.parameters):
            raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for {count} question marks")
        values = [parameter_of(each, _OWN_KINDS) for each in query.parameters]
        rows = await self._executed(text, values, call)
        return QueryResult(tuple(rows[: query.most_rows]), is_truncated=len(rows) > query.most_rows)

    async def aclose(self) -> None:
        """Spanner forgets a session that is not used for an hour."""

    def _known(self, entity_type: EntityType) -> SqlTable:
        """The table of a type that this source has told of."""
        return self._tables[entity_type.name][1]

    def _path(self, name: str) -> str:
        return f"{self._schema}.{name}" if self._schema else name

    async def _table(self, name: str, call: SystemCall) -> SqlTable:
        kept = self._tables.get(name)
        if kept is not None and monotonic() < kept[0]:
            return kept[1]
        if self._only and name not in self._only:
            raise UnknownName("entity", name, self._only)
        columns = [_column(each) for each in await self._described(_COLUMNS, (self._schema, name), call)]
        keys = await self._described(_KEYS, (self._schema, name), call)
        if not columns or not keys:
            raise UnknownName("entity", name, await self.names(call))
        table = SqlTable(
            quoted_path(self._schema, name),
            {each.name: each for each in columns},
            tuple(str(each["column_name"]) for each in keys),
        )
        self._tables[name] = (monotonic() + _KEPT_S, table)
        return table

    def _write(self, name: str, table: SqlTable, values: JsonObject) -> JsonObject:
        cells: list[JsonValue] = [
            None if value is None else _wired(written(table.columns[column], value)) for column, value in values.items()
        ]
        return {"table": self._path(name), "columns": list(values), "values": [cells]}

    async def _described(self, statement: SqlText, names: Sequence[str], call: SystemCall) -> list[JsonObject]:
        """Rows of Spanner's own tables, which rehearsals read, too."""
        values = [SqlValue("STRING", name) for name in names]
        return await self._executed(statement.named(), values, call, is_description=True)

    async def _rows(self, statement: SqlText, call: SystemCall) -> list[JsonObject]:
        return await self._executed(statement.named(), statement.values, call)

    async def _executed(
        self, text: str, values: Sequence[SqlValue], call: SystemCall, *, is_description: bool = False
    ) -> list[JsonObject]:
        body: JsonObject = {
            "sql": text,
            "transaction": _READING,
            "params": {f"p{number}": _wired(each) for number, each in enumerate(values, 1)},
            "paramTypes": {f"p{number}": _type_of(each) for number, each in enumerate(values, 1)},
        }
        reply = await self._sent("executeSql", body, call, is_description=is_description)
        columns = [
            _result_column(each)
            for each in as_list(as_object(as_object(reply.get("metadata")).get("rowType")).get("fields"))
        ]
        return [
            {column.name: _read(column, cell) for column, cell in zip(columns, as_list(row), strict=False)}
            for row in as_list(reply.get("rows"))
        ]

    async def _committed(self, mutation: JsonObject, call: SystemCall, *, is_repeatable: bool = False) -> None:
        body: JsonObject = {"singleUseTransaction": {"readWrite": {}}, "mutations": [mutation]}
        await self._sent("commit", body, call, is_write=True, is_repeatable=is_repeatable)

    async def _sent(
        self,
        verb: str,
        body: JsonObject,
        call: SystemCall,
        *,
        is_write: bool = False,
        is_repeatable: bool = False,
        is_description: bool = False,
    ) -> JsonObject:
        """The reply to a request of the session; of another one where Spanner has forgotten it."""
        for is_last in (False, True):
            session = self._session or await self._opened(call)
            asked = HttpAsked(
                "POST",
                f"{_BASE}/{session}:{verb}",
                (),
                json_body(body),
                is_write=is_write,
                is_repeatable=is_repeatable,
                is_description=is_description,
            )
            try:
                return as_object(await self._desk.json(asked, call))
            except EntityNotFound as error:
                if is_last or "session not found" not in str(error).lower():
                    raise
                self._session = ""
        raise SystemFault("Spanner forgets its sessions")

    async def _opened(self, call: SystemCall) -> str:
        url = f"{_BASE}/{self._database}/sessions"
        asked = HttpAsked("POST", url, (), json_body({"session": {}}), is_repeatable=True, is_description=True)
        name = str(as_object(await self._desk.json(asked, call)).get("name") or "")
        if not name.startswith(f"{self._database}/sessions/") or "?" in name or "#" in name:
            raise SystemFault("Spanner gave a session of another database")
        self._session = name
        return name


def opened_source(definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess) -> SpannerSource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    parts = {"project": _PROJECT, "instance": _NAME, "database": _NAME, "schema": _SCHEMA}
    for key, pattern in parts.items():
        if not pattern.fullmatch(settings.text(key)):
            raise InvalidConnection(f"configVariables.{key}", f"does not meet the pattern {pattern.pattern}")
    tables = [each.strip() for each in settings.text("tables").split(",") if each.strip()]
    project, instance, database = (settings.text(key) for key in ("project", "instance", "database"))
    path = f"projects/{project}/instances/{instance}/databases/{database}"
    desk = HttpDesk(settings, access, GoogleLogin(settings, access, _SCOPES), google_words)
    return SpannerSource(definition, desk, path, settings.text("schema"), tables)


def with_names(text: str) -> tuple[str, int]:
    """The text with `@p1`, `@p2` in place of each `?` that is in no quotes and no comment, and how many those are."""
    number = 0
    parts: list[str] = []
    for found in _PIECE.finditer(text):
        number += found[0] == "?"
        parts.append(f"@p{number}" if found[0] == "?" else found[0])
    return "".join(parts), number


# What is not closed reaches to the end, so that each character is looked at once.
_LONG = r"'''(?:[^'\\]|\\(?:.|\Z)|'(?!''))*(?:'''|\Z)" + r'|"""(?:[^"\\]|\\(?:.|\Z)|"(?!""))*(?:"""|\Z)'
_QUOTED = "|".join(rf"{mark}(?:[^{mark}\\\n]|\\(?:.|\Z))*(?:{mark}|(?=\n)|\Z)" for mark in ("'", '"', "`"))
_PIECE = re.compile(rf"{_LONG}|{_QUOTED}|--[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)|\?|.", re.DOTALL)


def _column(found: JsonObject) -> SqlColumn:
    kind = _TYPE.match(str(found.get("spanner_type") or ""))
    is_generated = found.get("is_generated") == "ALWAYS"
    is_optional = found.get("is_nullable") == "YES" or found.get("column_default") is not None or is_generated
    return SqlColumn(
        str(found.get("column_name") or ""),
        kind[2] if kind else "",
        is_array=bool(kind and kind[1]),
        is_required=not is_optional,
        is_read_only=is_generated,
    )


def _result_column(found: JsonValue) -> SqlColumn:
    members = as_object(found)
    kind = as_object(members.get("type"))
    inner = as_object(kind.get("arrayElementType")) if kind.get("code") == "ARRAY" else kind
    return SqlColumn(
        str(members.get("name") or ""),
        str(inner.get("code") or ""),
        is_array=kind.get("code") == "ARRAY",
        members=tuple(_result_column(each) for each in as_list(as_object(inner.get("structType")).get("fields"))),
    )


def _read(column: SqlColumn, value: JsonValue) -> JsonValue:
    if column.is_array and isinstance(value, list):
        return [_read_scalar(column, each) for each in as_list(value)]
    return _read_scalar(column, value)


def _read_scalar(column: SqlColumn, value: JsonValue) -> JsonValue:
    if column.kind == "STRUCT" and isinstance(value, list):
        return {each.name: _read(each, cell) for each, cell in zip(column.members, as_list(value), strict=False)}
    if not isinstance(value, str):
        return value
    if column.kind == "INT64":
        return whole_number(value)
    return json_document(value) if column.kind == "JSON" else value


def _type_of(each: SqlValue) -> JsonObject:
    return {"code": "ARRAY", "arrayElementType": {"code": each.kind}} if each.is_array else {"code": each.kind}


def _wired(each: SqlValue) -> JsonValue:
    """A value as Spanner's JSON has it: whole numbers and decimals are texts."""
    if each.is_array:
        return [_wired(SqlValue(each.kind, item)) for item in as_list(each.value)]
    if each.kind in ("INT64", "NUMERIC") and each.value is not None:
        return str(each.value)
    if each.kind in ("FLOAT64", "FLOAT32") and isinstance(each.value, str):
        return float(each.value)
    return each.value
