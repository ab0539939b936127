"""BigQuery and Spanner with one table, whose statements SQLite runs, behind what Google's documents allow."""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.strict_google import GoogleAsked, StrictGoogle, error, reply

CONFIG: Mapping[str, Mapping[str, str]] = {
    "bigquery": {"project": "acme-1", "dataset": "shop"},
    "cloud-spanner": {"project": "acme-1", "instance": "main", "database": "shop"},
}
_APIS = {
    "bigquery": ("bigquery.v2", "https://bigquery.googleapis.com"),
    "cloud-spanner": ("spanner.v1", "https://spanner.googleapis.com"),
}
_SESSION = "projects/acme-1/instances/main/databases/shop/sessions/s1"


@dataclass
class HeldTable:
    """A table of one of the two systems. Its first column is its key."""

    system: str
    name: str
    kinds: Mapping[str, str]
    """Types of GoogleSQL by column; `[STRING]` is an array of texts."""
    statements: list[str] = field(default_factory=list[str])
    slow: int = 0
    """Replies that say that a job is not done."""
    poll_status: int = 200
    """Of replies to questions about a job."""

    def __post_init__(self) -> None:
        self.api = StrictGoogle(*_APIS[self.system], self._answer)
        self.key = next(iter(self.kinds))
        self.path = f"acme-1.shop.{self.name}" if self.system == "bigquery" else self.name
        """As statements name it."""
        self._pending: JsonObject = {}
        self._database = sqlite3.connect(":memory:", isolation_level=None)
        self._database.create_function(
            "STARTS_WITH", 2, lambda text, start: text is not None and text.startswith(start)
        )
        others = "".join(f", {name}" for name in list(self.kinds)[1:])
        kind = "INTEGER" if self.kinds[self.key] == "INT64" else "TEXT"
        self._database.execute(f"CREATE TABLE `{self.path}` ({self.key} {kind} PRIMARY KEY NOT NULL{others})")

    def put(self, row: JsonObject) -> None:
        """Add a row, beside all requests."""
        values = {name: _kept(self.kinds[name], value) for name, value in row.items() if name in self.kinds}
        self._database.execute(_insert(self.path, values), values)

    def rows(self) -> Sequence[tuple[object, ...]]:
        """All, in the order of their keys."""
        return self._database.execute(f"SELECT * FROM `{self.path}` ORDER BY {self.key}").fetchall()

    def held(self) -> Mapping[str, object]:
        """Rows by their keys."""
        return {str(row[0]): row for row in self.rows()}

    def _answer(self, asked: GoogleAsked) -> HttpResponse:
        return self._bigquery(asked) if self.system == "bigquery" else self._spanner(asked)

    def _bigquery(self, asked: GoogleAsked) -> HttpResponse:
        *_, before, last = asked.path
        if last == "tables":
            return reply({"tables": [{"tableReference": {"tableId": self.name}}]})
        if before == "tables":
            schema: JsonObject = {"fields": [_bigquery_field(name, kind) for name, kind in self.kinds.items()]}
            keys: JsonObject = {"primaryKey": {"columns": [self.key]}}
            found = reply({"schema": schema, "tableConstraints": keys})
            return found if last == self.name else error(404, "Not found: Table")
        body = asked.json
        if not body and self.poll_status != 200:
            return error(self.poll_status, "no")
        if self.slow:
            self.slow -= 1
            self._pending = body or self._pending
            return reply({"jobComplete": False, "jobReference": {"jobId": "j1", "location": "EU"}})
        return reply(self._job(body or self._pending))

    def _job(self, body: JsonObject) -> JsonObject:
        text = str(body["query"])
        if body.get("dryRun"):
            return {"statementType": text.split()[0].upper(), "jobComplete": True}
        cursor = self._run(text, [_of_bigquery(as_object(each)) for each in as_list(body["queryParameters"])])
        if cursor.description is None:
            return {"jobComplete": True, "numDmlAffectedRows": str(cursor.rowcount)}
        kinds = {each[0]: self.kinds.get(each[0], "STRING") for each in cursor.description}
        rows: list[JsonValue] = [
            {"f": [{"v": _as_bigquery(kind, cell)} for kind, cell in zip(kinds.values(), row, strict=True)]}
            for row in cursor
        ]
        fields: list[JsonValue] = [_bigquery_field(name, kind) for name, kind in kinds.items()]
        return {"jobComplete": True, "schema": {"fields": fields}, "rows": rows}

    def _spanner(self, asked: GoogleAsked) -> HttpResponse:
        *_, last = asked.path
        body = asked.json
        if last == "sessions":
            return reply({"name": _SESSION})
        if last.endswith(":commit"):
            return self._committed(as_object(as_list(body["mutations"])[0]))
        text = str(body["sql"])
        if as_object(as_object(body["transaction"])["singleUse"]) != {"readOnly": {"strong": True}}:
            return error(400, "a query must only read")
        params, kinds = as_object(body["params"]), as_object(body["paramTypes"])
        if "information_schema" in text:
            return reply(self._schema(text, str(list(params.values())[-1])))
        values = {name: _kept(_spanner_kind(as_object(kinds[name])), value) for name, value in params.items()}
        cursor = self._run(text, values)
        named = [(each[0], self.kinds.get(each[0], "STRING")) for each in cursor.description]
        fields: list[JsonValue] = [{"name": name, "type": _spanner_type(kind)} for name, kind in named]
        rows: list[JsonValue] = [
            [_as_spanner(kind, cell) for (_, kind), cell in zip(named, row, strict=True)] for row in cursor
        ]
        return reply({"metadata": {"rowType": {"fields": fields}}, "rows": rows})

    def _schema(self, text: str, table: str) -> JsonObject:
        columns = re.findall(r"\w+", text.partition("FROM")[0])[1:]
        known: dict[str, JsonValue] = {"table_name": self.name, "is_nullable": "YES", "is_generated": "NEVER"}
        rows = [
            known | {"column_name": name, "spanner_type": re.sub(r"\[(\w+)\]", r"ARRAY<\1(MAX)>", kind)}
            for name, kind in self.kinds.items()
        ]
        if "index_columns" in text or "tables" in text:
            rows = rows[:1]
        if table not in (self.name, ""):
            rows = []
        fields: list[JsonValue] = [{"name": name, "type": {"code": "STRING"}} for name in columns]
        found: list[JsonValue] = [[row.get(name) for name in columns] for row in rows]
        return {"metadata": {"rowType": {"fields": fields}}, "rows": found}

    def _committed(self, mutation: JsonObject) -> HttpResponse:
        kind, write = next(iter(mutation.items()))
        write = as_object(write)
        if kind == "delete":
            key = as_list(as_list(as_object(write["keySet"])["keys"])[0])[0]
            self._run(f"DELETE FROM `{self.path}` WHERE {self.key} = ?", [_kept(self.kinds[self.key], key)])
            return reply({})
        [row] = as_list(write["values"])
        named = zip(map(str, as_list(write["columns"])), as_list(row), strict=True)
        values = {name: _kept(self.kinds[name], value) for name, value in named}
        if kind == "insert":
            self._run(_insert(self.path, values), values)
            return reply({})
        sets = ", ".join(f"{name} = :{name}" for name in values)
        text = f"UPDATE `{self.path}` SET {sets} WHERE {self.key} = :{self.key}"
        is_there = self._run(text, values).rowcount
        return reply({}) if is_there else error(404, f"Row [9] in table {self.name} is missing")

    def _run(self, text: str, values: Sequence[object] | Mapping[str, object]) -> sqlite3.Cursor:
        self.statements.append(text)
        return self._database.execute(text, values)


def _insert(path: str, values: Mapping[str, object]) -> str:
    return f"INSERT INTO `{path}` ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})"


def _kept(kind: str, value: JsonValue) -> object:
    """A value of JSON as SQLite keeps it."""
    if value is None:
        return None
    if kind.startswith("["):
        return json.dumps(value)
    return {"INT64": int, "FLOAT64": float, "BOOL": bool}.get(kind, str)(value)


def _bigquery_field(name: str, kind: str) -> JsonObject:
    is_array = kind.startswith("[")
    return {"name": name, "type": kind.strip("[]"), "mode": "REPEATED" if is_array else "NULLABLE"}


def _of_bigquery(parameter: JsonObject) -> object:
    kind, value = as_object(parameter["parameterType"]), as_object(parameter["parameterValue"])
    if kind["type"] == "ARRAY":
        return json.dumps([as_object(each)["value"] for each in as_list(value["arrayValues"])])
    text = value.get("value")
    return text == "true" if kind["type"] == "BOOL" and text is not None else _kept(str(kind["type"]), text)


def _as_bigquery(kind: str, cell: object) -> JsonValue:
    """All scalars are texts."""
    if cell is None:
        return [] if kind.startswith("[") else None
    if kind.startswith("["):
        return [{"v": each} for each in json.loads(str(cell))]
    return ("true" if cell else "false") if kind == "BOOL" else str(cell)


def _spanner_type(kind: str) -> JsonObject:
    return {"code": "ARRAY", "arrayElementType": {"code": kind.strip("[]")}} if kind[0] == "[" else {"code": kind}


def _spanner_kind(told: JsonObject) -> str:
    code = str(told["code"])
    return f"[{as_object(told['arrayElementType'])['code']}]" if code == "ARRAY" else code


def _as_spanner(kind: str, cell: JsonValue) -> JsonValue:
    """Whole numbers are texts."""
    if cell is None:
        return None
    if kind.startswith("["):
        return json.loads(str(cell))
    return bool(cell) if kind == "BOOL" else str(cell) if kind == "INT64" else cell
