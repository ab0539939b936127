"""BigQuery and Spanner: rows of tables by statements that SQLite runs, in requests that Google's documents allow."""

import json
import re
import sqlite3
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import pytest

from openplaybook.connectors.base import EntityOperation, EntityQuery, QueryParameter, SortKey, SqlQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.google_sql.spanner import with_names
from openplaybook.connectors.plugins.plugin_connection import PluginConnection
from openplaybook.connectors.plugins.systems import open_plugin
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT, vendor_document

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

DOCUMENTS = {
    "bigquery": "bigquery/bigquery.v2.discovery.json.gz",
    "cloud-spanner": "cloud-spanner/spanner.v1.discovery.json.gz",
}
CONFIG = {
    "bigquery": {"project": "acme-1", "dataset": "shop"},
    "cloud-spanner": {"project": "acme-1", "instance": "main", "database": "shop"},
}
NAMES = {"bigquery": "acme-1.shop.orders", "cloud-spanner": "orders"}
KINDS = {"id": "INT64", "name": "STRING", "paid": "BOOL", "due": "DATE"}
ROWS = [(1, "Ann", 1, "2026-11-01"), (2, "Bob's", 0, "2026-12-01"), (3, None, 0, None), (10, "Ada", 1, "2026-12-24")]
SESSION = "projects/acme-1/instances/main/databases/shop/sessions/s1"


@dataclass
class SqlPeer:
    """One of the two systems, with a table of orders."""

    system: str
    violations: list[str] = field(default_factory=list[str])
    statements: list[str] = field(default_factory=list[str])
    slow: int = 0
    """Replies that say that a job is not done."""
    poll_status: int = 200
    """Of replies to questions about a job."""

    def __post_init__(self) -> None:
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.create_function("STARTS_WITH", 2, lambda text, start: text is not None and text.startswith(start))
        self.database.execute(f"CREATE TABLE `{NAMES[self.system]}` (id INTEGER PRIMARY KEY, name TEXT, paid, due)")
        self.database.executemany(f"INSERT INTO `{NAMES[self.system]}` VALUES (?, ?, ?, ?)", ROWS)

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        parts = urlsplit(request.url)
        body: JsonObject = json.loads(request.body) if request.body else {}
        document = vendor_document(DOCUMENTS[self.system])
        operation = document.find(request.method, parts.path)
        if operation is None:
            self.violations.append(f"{request.method} {parts.path} is no operation")
            return self._reply(404, {})
        known = operation.query
        self.violations += [f"{name} is no parameter" for name, _ in parse_qsl(parts.query) if name not in known]
        if request.body:
            self.violations += StrictSchema(document).faults(operation.bodies["application/json"], body, "body")
        answer = self._bigquery if self.system == "bigquery" else self._spanner
        return self._reply(*answer(parts.path, body))

    async def aclose(self) -> None:
        """Nothing is held."""

    async def resolve(self, host: str, port: int) -> list[str]:
        raise OSError(host)

    def rows(self) -> list[tuple[object, ...]]:
        return self.database.execute(f"SELECT * FROM `{NAMES[self.system]}` ORDER BY id").fetchall()

    def _reply(self, status: int, value: JsonValue) -> HttpResponse:
        return HttpResponse(status, (("Content-Type", "application/json"),), json.dumps(value).encode(), False, 0.001)

    def _bigquery(self, path: str, body: JsonObject) -> tuple[int, JsonObject]:
        if path.endswith("/tables"):
            return 200, {"tables": [{"tableReference": {"tableId": "orders"}}]}
        if path.endswith("/tables/orders"):
            fields: list[JsonValue] = [{"name": name, "type": kind, "mode": "NULLABLE"} for name, kind in KINDS.items()]
            return 200, {"schema": {"fields": fields}, "tableConstraints": {"primaryKey": {"columns": ["id"]}}}
        if "/tables/" in path:
            return 404, {"error": {"message": "Not found: Table"}}
        if not body and self.poll_status != 200:
            return self.poll_status, {"error": {"message": "no"}}
        if self.slow:
            self.slow -= 1
            self.pending = body or self.pending
            return 200, {"jobComplete": False, "jobReference": {"jobId": "j1", "location": "EU"}}
        body = body or self.pending
        text = str(body["query"])
        if body.get("dryRun"):
            return 200, {"statementType": text.split()[0].upper(), "jobComplete": True}
        values = [_of_text(as_object(each)) for each in as_list(body["queryParameters"])]
        cursor = self._run(text, values)
        if cursor.description is None:
            return 200, {"jobComplete": True, "numDmlAffectedRows": str(cursor.rowcount)}
        names = [each[0] for each in cursor.description]
        fields = [{"name": name, "type": KINDS.get(name, "STRING")} for name in names]
        rows: list[JsonValue] = [
            {"f": [{"v": _as_text(name, cell)} for name, cell in zip(names, row, strict=True)]} for row in cursor
        ]
        return 200, {"jobComplete": True, "schema": {"fields": fields}, "rows": rows}

    def _spanner(self, path: str, body: JsonObject) -> tuple[int, JsonObject]:
        if path.endswith("/sessions"):
            return 200, {"name": SESSION}
        if path.endswith(":commit"):
            return self._committed(as_object(as_list(body["mutations"])[0]))
        text = str(body["sql"])
        given = list(as_object(body["params"]).values())
        assert as_object(as_object(body["transaction"])["singleUse"]) == {"readOnly": {"strong": True}}
        if "information_schema" in text:
            return 200, self._schema(text, str(given[-1]))
        kinds = as_object(body["paramTypes"])
        params = {
            n: int(v) if as_object(kinds[n])["code"] == "INT64" else v for n, v in as_object(body["params"]).items()
        }
        cursor = self._run(text, params)
        fields: list[JsonValue] = [
            {"name": each[0], "type": {"code": KINDS.get(each[0], "STRING")}} for each in cursor.description
        ]
        rows: list[JsonValue] = [
            [_as_json(each[0], cell) for each, cell in zip(cursor.description, row, strict=True)] for row in cursor
        ]
        return 200, {"metadata": {"rowType": {"fields": fields}}, "rows": rows}

    def _schema(self, text: str, table: str) -> JsonObject:
        columns = re.findall(r"\w+", text.partition("FROM")[0])[1:]
        known: dict[str, JsonValue] = {"table_name": "orders", "is_nullable": "YES", "is_generated": "NEVER"}
        rows = [known | {"column_name": name, "spanner_type": kind} for name, kind in KINDS.items()]
        if "index_columns" in text or "tables" in text:
            rows = rows[:1]
        if table not in ("orders", ""):
            rows = []
        fields: list[JsonValue] = [{"name": name, "type": {"code": "STRING"}} for name in columns]
        found: list[JsonValue] = [[row.get(name) for name in columns] for row in rows]
        return {"metadata": {"rowType": {"fields": fields}}, "rows": found}

    def _committed(self, mutation: JsonObject) -> tuple[int, JsonObject]:
        kind, write = next(iter(mutation.items()))
        table = as_object(write)["table"]
        if kind == "delete":
            self._run(f"DELETE FROM `{table}` WHERE id = ?", as_list(as_object(as_object(write)["keySet"])["keys"])[0])
            return 200, {}
        values = dict(
            zip(as_list(as_object(write)["columns"]), as_list(as_list(as_object(write)["values"])[0]), strict=True)
        )
        if kind == "update":
            sets = ", ".join(f"{name} = :{name}" for name in values)
            found = self._run(f"UPDATE `{table}` SET {sets} WHERE id = :id", values).rowcount
            return (200, {}) if found else (404, {"error": {"message": "Row [9] in table orders is missing"}})
        self._run(f"INSERT INTO `{table}` ({', '.join(values)}) VALUES ({', '.join(f':{n}' for n in values)})", values)
        return 200, {}

    def _run(self, text: str, values: object) -> sqlite3.Cursor:
        self.statements.append(text)
        return self.database.execute(text, values)  # pyright: ignore[reportArgumentType]


def _of_text(parameter: JsonObject) -> object:
    value = as_object(parameter["parameterValue"]).get("value")
    kind = as_object(parameter["parameterType"])["type"]
    return {"INT64": int, "BOOL": lambda text: text == "true"}.get(str(kind), str)(value) if value is not None else None


def _as_text(name: str, cell: object) -> JsonValue:
    if cell is None:
        return None
    return ("true" if cell else "false") if name == "paid" else str(cell)


def _as_json(name: str, cell: JsonValue) -> JsonValue:
    if cell is None:
        return None
    return bool(cell) if name == "paid" else str(cell) if name == "id" else cell


@pytest.fixture(params=["bigquery", "cloud-spanner"])
def peer(request: pytest.FixtureRequest) -> SqlPeer:
    return SqlPeer(str(request.param))


async def opened(peer: SqlPeer, **config: object) -> PluginConnection:
    settings = ConnectionSettings(
        "projects/p/locations/l/connections/c",
        peer.system,
        config={**CONFIG[peer.system], **config},  # pyright: ignore[reportArgumentType]
        authentication=AccessToken("ya29.0123456789"),
    )
    made = await open_plugin(settings, SystemAccess(peer, peer))
    assert isinstance(made, PluginConnection)
    return made


async def test_tables_are_entity_types_with_their_primary_key(peer: SqlPeer) -> None:
    connection = await opened(peer)
    await connection.check(SystemCall())
    assert list(await connection.entity_names(SystemCall())) == ["orders"]
    found = await connection.entity_type("orders", SystemCall())
    assert {each.name: each.data_type.name for each in found.fields} == {
        "id": "BIGINT",
        "name": "STRING",
        "paid": "BOOLEAN",
        "due": "DATE",
    }
    assert (found.key, found.operations) == ("id", frozenset(EntityOperation))
    assert peer.violations == []


CONDITIONS = {
    "id >= 2 AND paid = FALSE": ["2", "3"],
    "name LIKE 'A%' OR due IS NULL": ["1", "3", "10"],
    "NOT name IN ('Ann', 'Ada')": ["2"],
    "name = 'Bob''s'": ["2"],
    "due BETWEEN '2026-11-15' AND '2026-12-24'": ["2", "10"],
    "name LIKE '%o%'": ["2"],
    "name = '`; DROP TABLE orders; --'": [],
}


@pytest.mark.parametrize(("condition", "keys"), list(CONDITIONS.items()))
async def test_rows_are_found_by_conditions(peer: SqlPeer, condition: str, keys: list[str]) -> None:
    page = await (await opened(peer)).list(EntityQuery("orders", parsed_condition(condition)), SystemCall())
    assert [each.key for each in page.entities] == keys
    assert all("'" not in each for each in peer.statements)
    assert peer.violations == []


async def test_pages_go_by_the_key_and_hold_the_chosen_fields_alone(peer: SqlPeer) -> None:
    connection = await opened(peer)
    query = EntityQuery("orders", fields=("name",), page_size=3)
    page = await connection.list(query, SystemCall())
    assert [each.fields for each in page.entities] == [{"name": "Ann"}, {"name": "Bob's"}, {"name": None}]
    rest = EntityQuery("orders", fields=("name",), page_size=3, page_token=page.next_page_token)
    assert [each.key for each in (await connection.list(rest, SystemCall())).entities] == ["10"]
    assert "due" not in peer.statements[-1]
    ordered = EntityQuery("orders", sort=(SortKey("name", is_descending=True),), page_size=1)
    assert (await connection.list(ordered, SystemCall())).entities[0].fields["name"] == "Bob's"


async def test_a_row_is_read_written_and_taken_away(peer: SqlPeer) -> None:
    connection = await opened(peer)
    assert (await connection.get("orders", "1", (), SystemCall())).fields == {
        "id": 1,
        "name": "Ann",
        "paid": True,
        "due": "2026-11-01",
    }
    made = await connection.create("orders", {"id": 4, "name": "It's", "paid": False, "due": None}, SystemCall())
    changed = await connection.update("orders", "4", {"name": "New", "paid": True}, SystemCall())
    assert (made.key, changed.fields["name"], changed.fields["paid"]) == ("4", "New", True)
    await connection.delete("orders", "1", SystemCall())
    assert [row[0] for row in peer.rows()] == [2, 3, 4, 10]
    assert peer.violations == []
    for key in ("1", "9", "1 OR 1=1"):
        with pytest.raises(EntityNotFound):
            await connection.delete("orders", key, SystemCall())
    with pytest.raises(EntityNotFound):
        await connection.update("orders", "9", {"name": "x"}, SystemCall())
    with pytest.raises(InvalidValue, match="INT64"):
        await connection.create("orders", {"id": "x"}, SystemCall())


async def test_rows_that_meet_a_condition_are_changed_together(peer: SqlPeer) -> None:
    report = await (await opened(peer)).update_where(
        "orders", parsed_condition("paid = FALSE"), {"name": "Due"}, SystemCall()
    )
    assert report.keys == ("2", "3")
    assert [row[1] for row in peer.rows()] == ["Ann", "Due", "Due", "Ada"]


async def test_a_query_takes_parameters_by_position(peer: SqlPeer) -> None:
    query = SqlQuery(
        f"SELECT name, '?' AS mark FROM `{NAMES[peer.system]}` WHERE id > ? AND name < ? ORDER BY id",
        (QueryParameter(0), QueryParameter("Axe")),
        most_rows=1,
    )
    result = await (await opened(peer)).query(query, SystemCall())
    assert result.rows == ({"name": "Ann", "mark": "?"},)
    assert result.is_truncated
    assert peer.violations == []
    with pytest.raises(OperationUnsupported, match="other tables"):
        await (await opened(peer, tables="orders")).query(query, SystemCall())


async def test_a_query_has_as_many_values_as_question_marks() -> None:
    peer = SqlPeer("cloud-spanner")
    for values in ((), (QueryParameter(1), QueryParameter(2))):
        with pytest.raises(InvalidValue, match=f"has {len(values)} values for 1 question marks"):
            await (await opened(peer)).query(SqlQuery("SELECT '@p2' FROM orders WHERE id = ?", values), SystemCall())
    assert peer.statements == []


async def test_bigquery_runs_nothing_but_a_select_and_waits_for_jobs() -> None:
    peer = SqlPeer("bigquery")
    connection = await opened(peer)
    with pytest.raises(WriteRefused, match="must be a SELECT"):
        await connection.query(SqlQuery("DELETE FROM orders WHERE TRUE"), SystemCall())
    assert peer.statements == []
    await connection.entity_type("orders", SystemCall())
    peer.slow = 2
    assert len((await connection.list(EntityQuery("orders"), SystemCall())).entities) == len(ROWS)
    assert peer.violations == []


@pytest.mark.parametrize(("status", "error"), [(503, WriteInDoubt), (429, WriteInDoubt), (400, InvalidValue)])
async def test_a_write_of_which_bigquery_does_not_say_the_end_is_in_doubt(status: int, error: type[Exception]) -> None:
    peer = SqlPeer("bigquery", slow=5)
    connection = await opened(peer)
    await connection.entity_type("orders", SystemCall())
    peer.poll_status = status
    with pytest.raises(error):
        await connection.delete("orders", "1", SystemCall())
    assert peer.violations == []


async def test_where_nothing_may_be_changed_nothing_is_sent(peer: SqlPeer) -> None:
    connection = await opened(peer, read_only=True)
    with pytest.raises(WriteRefused):
        await connection.delete("orders", "1", SystemCall())
    assert peer.statements == []


def test_question_marks_in_quotes_and_comments_are_no_parameters() -> None:
    text = "SELECT '?', \"a\\\"?\", `x?`, '''it's ?''' -- ?\n# ?\n/* ? */ FROM t WHERE a = ? AND b IN (?, ?)"
    assert with_names(text) == (text[: text.index("a = ?")] + "a = @p1 AND b IN (@p2, @p3)", 3)
    assert with_names("'?") == ("'?", 0)
