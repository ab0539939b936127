"""BigQuery by its REST API (v2): the tables and views of one dataset as entity types; GoogleSQL as queries."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from urllib.parse import quote
from uuid import uuid4

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
    AuthenticationRefused,
    EntityNotFound,
    InvalidConnection,
    OperationUnsupported,
    PermissionRefused,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.base import EntityBatch, EntityScan, query_action
from openplaybook.connectors.plugins.google_login import GoogleLogin, google_words
from openplaybook.connectors.plugins.google_sql.google_values import json_document, parameter_of, whole_number
from openplaybook.connectors.plugins.google_sql.statements import (
    ROW_DIGEST,
    SqlColumn,
    SqlTable,
    SqlText,
    SqlValue,
    deleted,
    inserted,
    is_tried,
    quoted_path,
    read_by_key,
    selected,
    updated,
)
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk, json_body
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_BASE = "https://bigquery.googleapis.com/bigquery/v2"
_SCOPES = ("https://www.googleapis.com/auth/bigquery",)
_PROJECT = re.compile(r"[a-z0-9][a-z0-9:.-]{0,99}")
_DATASET = re.compile(r"[A-Za-z0-9_]{1,1024}")
_LOCATION = re.compile(r"[A-Za-z0-9-]{0,40}")
_KINDS = {"INTEGER": "INT64", "FLOAT": "FLOAT64", "BOOLEAN": "BOOL", "RECORD": "STRUCT"}
"""Old names of types → those of GoogleSQL."""
_OWN_KINDS = {DataType.TIME: "TIME", DataType.TIMESTAMP: "DATETIME"}
_MOST_TABLES = 1_000
_KEPT_S = 600.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_POLL_MS = 10_000
_ASKING_FAILED = (AuthenticationRefused, PermissionRefused, RateLimited, SystemFault, SystemUnavailable)
"""After these nothing is known of a job; others say what became of it."""


class BigQuerySource:
    """Implements `EntitySource`."""

    def __init__(self, definition: ConnectorDefinition, desk: HttpDesk, settings: ConnectionSettings) -> None:
        """Raises `InvalidConnection`."""
        self.title = definition.title
        self.is_open = False
        self._desk = desk
        self._project = _checked(settings, "project", _PROJECT)
        self._dataset = _checked(settings, "dataset", _DATASET)
        self._location = _checked(settings, "location", _LOCATION)
        self._only = tuple(each.strip() for each in settings.text("tables").split(",") if each.strip())
        self._most_bytes = settings.number("most_bytes", 0)
        self._tables: dict[str, tuple[float, SqlTable, str]] = {}

    async def check(self, call: SystemCall) -> None:
        """Ask for the dataset's tables."""
        await self._get(f"/datasets/{self._dataset}/tables", [("maxResults", "1")], call)

    async def names(self, call: SystemCall) -> Sequence[str]:
        """Of the tables and views."""
        if self._only:
            return self._only
        found: list[str] = []
        token = ""
        while len(found) < _MOST_TABLES:
            query = [("maxResults", "200"), *([("pageToken", token)] if token else [])]
            reply = await self._get(f"/datasets/{self._dataset}/tables", query, call)
            references = [as_object(as_object(each).get("tableReference")) for each in as_list(reply.get("tables"))]
            found += [str(each["tableId"]) for each in references if "tableId" in each]
            token = str(reply.get("nextPageToken") or "")
            if not token:
                break
        return tuple(found)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """A table. Without a primary key its rows can only be listed and added to."""
        table, description = await self._table(name, call)
        operations = {EntityOperation.LIST, EntityOperation.CREATE}
        fields = tuple(each.field(is_key=each.name in table.keys) for each in table.columns.values())
        kinds = frozenset(EntityOperation) if table.keys else frozenset(operations)
        return EntityType(name, fields, kinds, description, default_sort=",".join(table.keys))

    def actions(self) -> Sequence[ActionType]:
        """Queries, unless tables are named: a query could read others."""
        return () if self._only else (query_action("GoogleSQL", is_read_only=True),)

    def tries(self, scan: EntityScan) -> bool:
        """Whether GoogleSQL tries the whole condition."""
        return is_tried(self._known(scan.entity_type), scan)

    async def batch(self, scan: EntityScan, after: str, size: int, call: SystemCall) -> EntityBatch:
        """Rows by their keys."""
        table = self._known(scan.entity_type)
        rows = await self._rows(selected(table, scan, after, size), size, call)
        entities = tuple(
            Entity(table.key_of(row) or str(row.get(ROW_DIGEST) or ""), {n: row.get(n) for n in scan.fields})
            for row in rows
        )
        return EntityBatch(entities, is_last=len(rows) < size)

    async def one(self, entity_type: EntityType, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """A row."""
        table = self._known(entity_type)
        rows = await self._rows(read_by_key(table, key, fields), 1, call)
        if not rows:
            raise EntityNotFound(f"there is no row {key!r} in {entity_type.name}")
        return Entity(key, {name: rows[0].get(name) for name in fields})

    async def insert(self, entity_type: EntityType, values: JsonObject, call: SystemCall) -> Entity:
        """A new row. BigQuery does not hold primary keys against each other."""
        table = self._known(entity_type)
        await self._written(inserted(table, values), call)
        return Entity(table.key_of(values), dict(values))

    async def change(self, entity_type: EntityType, key: str, values: JsonObject, call: SystemCall) -> None:
        """Some columns of one row."""
        if not await self._written(updated(self._known(entity_type), key, values), call):
            raise EntityNotFound(f"there is no row {key!r} in {entity_type.name}")

    async def remove(self, entity_type: EntityType, key: str, call: SystemCall) -> None:
        """One row."""
        if not await self._written(deleted(self._known(entity_type), key), call):
            raise EntityNotFound(f"there is no row {key!r} in {entity_type.name}")

    async def act(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """There are no actions besides queries."""
        raise UnknownName("action", action, [each.name for each in self.actions()])

    async def run(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """A SELECT; BigQuery says first, without running it, whether it is one. Raises `WriteRefused`."""
        if self._only:
            raise OperationUnsupported("queries could read other tables than those that the connection names")
        values = tuple(parameter_of(each, _OWN_KINDS) for each in query.parameters)
        body = self._body(SqlText(query.text, values), query.most_rows + 1, call.timeout_s)
        told = as_object(await self._post({**body, "dryRun": True}, call, is_description=True))
        if told.get("statementType") != "SELECT":
            raise WriteRefused(
                f"a query must be a SELECT, not {told.get('statementType') or 'what BigQuery cannot tell'}"
            )
        rows = await self._results(body, query.most_rows + 1, call)
        return QueryResult(tuple(rows[: query.most_rows]), is_truncated=len(rows) > query.most_rows)

    async def aclose(self) -> None:
        """Connections are the transport's."""

    def _known(self, entity_type: EntityType) -> SqlTable:
        """The table of a type that this source has told of."""
        return self._tables[entity_type.name][1]

    async def _table(self, name: str, call: SystemCall) -> tuple[SqlTable, str]:
        kept = self._tables.get(name)
        if kept is not None and monotonic() < kept[0]:
            return kept[1], kept[2]
        if self._only and name not in self._only:
            raise UnknownName("entity", name, self._only)
        try:
            reply = await self._get(f"/datasets/{self._dataset}/tables/{quote(name, safe='')}", (), call)
        except EntityNotFound:
            raise UnknownName("entity", name, await self.names(call)) from None
        columns = [_column(each) for each in as_list(as_object(reply.get("schema")).get("fields"))]
        primary = as_object(as_object(reply.get("tableConstraints")).get("primaryKey"))
        table = SqlTable(
            quoted_path(f"{self._project}.{self._dataset}.{name}"),
            {each.name: each for each in columns},
            tuple(str(each) for each in as_list(primary.get("columns"))),
        )
        self._tables[name] = (monotonic() + _KEPT_S, table, str(reply.get("description") or "")[:500])
        return table, self._tables[name][2]

    async def _rows(self, statement: SqlText, most: int, call: SystemCall) -> list[JsonObject]:
        return await self._results(self._body(statement, most, call.timeout_s), most, call)

    async def _written(self, statement: SqlText, call: SystemCall) -> int:
        """Rows that were changed. Raises `WriteInDoubt` where the statement is not done in time."""
        body = self._body(statement, 1, call.timeout_s) | {"requestId": str(uuid4())}
        reply = as_object(await self._post(body, call, is_write=True))
        while reply.get("jobComplete") is not True:
            if call.timeout_s <= 0:
                raise WriteInDoubt("BigQuery still works on the statement; whether it will be done is not known")
            try:
                reply = await self._polled(reply, 1, "", call)
            except _ASKING_FAILED as error:
                raise WriteInDoubt(
                    f"BigQuery works on the statement, and does not say whether it is done: {error}"
                ) from error
        return int(reply.get("numDmlAffectedRows") or 0)

    async def _results(self, body: JsonObject, most: int, call: SystemCall) -> list[JsonObject]:
        reply = as_object(await self._post(body, call))
        columns: list[SqlColumn] = []
        rows: list[JsonObject] = []
        while True:
            if reply.get("jobComplete") is True:
                columns = columns or [_column(each) for each in as_list(as_object(reply.get("schema")).get("fields"))]
                rows += [_row(columns, each) for each in as_list(reply.get("rows"))]
                token = str(reply.get("pageToken") or "")
                if not token or len(rows) >= most:
                    return rows[:most]
            else:
                token = ""
            if call.timeout_s <= 0:
                raise SystemUnavailable("BigQuery still works on the query, and the time is over")
            reply = await self._polled(reply, most - len(rows), token, call)

    async def _polled(self, reply: JsonObject, most: int, token: str, call: SystemCall) -> JsonObject:
        """What a job that was not done, or had more rows, says now."""
        job = as_object(reply.get("jobReference"))
        query = [
            ("location", str(job.get("location") or self._location)),
            ("maxResults", str(max(most, 1))),
            ("timeoutMs", str(min(_POLL_MS, max(int(call.timeout_s * 1_000), 1)))),
            ("formatOptions.useInt64Timestamp", "true"),
            ("pageToken", token),
        ]
        path = f"/queries/{quote(str(job.get('jobId') or ''), safe='')}"
        return await self._get(path, [pair for pair in query if pair[1]], call)

    def _body(self, statement: SqlText, most: int, timeout_s: float) -> JsonObject:
        body: JsonObject = {
            "query": statement.text,
            "useLegacySql": False,
            "parameterMode": "POSITIONAL",
            "queryParameters": [_wired(each) for each in statement.values],
            "maxResults": most,
            "timeoutMs": min(_POLL_MS, max(int(timeout_s * 1_000), 1)),
            # Nobody waits for it any longer, and it would be billed.
            "jobTimeoutMs": str(max(int(timeout_s * 1_000), 1)),
            "formatOptions": {"useInt64Timestamp": True},
            "defaultDataset": {"projectId": self._project, "datasetId": self._dataset},
        }
        if self._location:
            body["location"] = self._location
        if self._most_bytes:
            body["maximumBytesBilled"] = str(self._most_bytes)
        return body

    async def _post(
        self, body: JsonObject, call: SystemCall, *, is_write: bool = False, is_description: bool = False
    ) -> JsonValue:
        asked = HttpAsked(
            "POST",
            f"{_BASE}/projects/{self._project}/queries",
            (),
            json_body(body),
            is_write=is_write,
            is_repeatable=is_write,
            is_description=is_description,
        )
        return await self._desk.json(asked, call)

    async def _get(self, path: str, query: Sequence[tuple[str, str]], call: SystemCall) -> JsonObject:
        asked = HttpAsked("GET", f"{_BASE}/projects/{self._project}{path}", query, is_description=True)
        return as_object(await self._desk.json(asked, call))


def opened_source(
    definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess
) -> BigQuerySource:
    """Nothing is sent yet. Raises `InvalidConnection` and `CredentialAbsent`."""
    desk = HttpDesk(settings, access, GoogleLogin(settings, access, _SCOPES), google_words)
    return BigQuerySource(definition, desk, settings)


def _checked(settings: ConnectionSettings, key: str, pattern: re.Pattern[str]) -> str:
    value = settings.text(key)
    if not pattern.fullmatch(value):
        raise InvalidConnection(f"configVariables.{key}", f"{value!r} does not meet the pattern {pattern.pattern}")
    return value


def _column(found: JsonValue) -> SqlColumn:
    members = as_object(found)
    kind = str(members.get("type") or "STRING")
    return SqlColumn(
        str(members.get("name") or ""),
        _KINDS.get(kind, kind),
        is_array=members.get("mode") == "REPEATED",
        is_required=members.get("mode") == "REQUIRED" and not members.get("defaultValueExpression"),
        description=str(members.get("description") or "")[:300],
        members=tuple(_column(each) for each in as_list(members.get("fields"))),
    )


def _row(columns: Sequence[SqlColumn], found: JsonValue) -> JsonObject:
    cells = [as_object(each).get("v") for each in as_list(as_object(found).get("f"))]
    return {column.name: _read(column, cell) for column, cell in zip(columns, cells, strict=False)}


def _read(column: SqlColumn, value: JsonValue) -> JsonValue:
    if column.is_array and isinstance(value, list):
        return [_read_scalar(column, as_object(each).get("v")) for each in as_list(value)]
    return _read_scalar(column, value)


def _read_scalar(column: SqlColumn, value: JsonValue) -> JsonValue:
    """A value of the reply, where all scalars are texts."""
    if column.kind == "STRUCT":
        return _row(column.members, value) if value is not None else None
    if not isinstance(value, str):
        return value
    reader = _READERS.get(column.kind)
    return reader(value) if reader is not None else value


def _double(text: str) -> JsonValue:
    # JSON has no infinities.
    return float(text) if text.lower().lstrip("+-") not in ("nan", "inf", "infinity") else text


def _moment(text: str) -> JsonValue:
    return (_EPOCH + timedelta(microseconds=int(text))).isoformat().replace("+00:00", "Z")


_READERS: Mapping[str, Callable[[str], JsonValue]] = {
    "INT64": whole_number,
    "FLOAT64": _double,
    "BOOL": lambda text: text == "true",
    "TIMESTAMP": _moment,
    "JSON": json_document,
}


def _wired(each: SqlValue) -> JsonObject:
    if each.is_array:
        items: list[JsonValue] = [{"value": _text(item)} for item in as_list(each.value)]
        kind: JsonObject = {"type": "ARRAY", "arrayType": {"type": each.kind}}
        return {"parameterType": kind, "parameterValue": {"arrayValues": items}}
    # JSON is a text that the statement parses.
    kind = {"type": "STRING" if each.kind == "JSON" else each.kind}
    value: JsonObject = {} if each.value is None else {"value": _text(each.value)}
    return {"parameterType": kind, "parameterValue": value}


def _text(value: JsonValue) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
