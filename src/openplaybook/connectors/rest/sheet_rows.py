"""Rows of a spreadsheet of Google Sheets as entities: each sheet is an entity type, its first row names the fields, the
number of a row is its key.

The manifest says it as if Sheets had rows (`GET rows:/{entity}/{row}`); these requests are made into those for ranges
of cells. A row that is taken away is left empty, so that the numbers of the others stay. Texts are written as texts,
never as formulas.
"""

import re
from dataclasses import dataclass, replace
from time import monotonic
from urllib.parse import quote, unquote

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import EntityNotFound, InvalidValue, UnknownName, WriteInDoubt, WriteRefused
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.exchange import SystemClient
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.reply_paths import value_at
from openplaybook.connectors.rest.system_request import SystemReply, SystemRequest
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, is_number, loads

_ROWS = "rows"
"""The host of the requests that are made here."""
_KEPT_S = 60.0
"""How long what a spreadsheet has is believed; fields are kept longer."""
_FIRST = 2
"""Number of the first row with values."""
_SHEETS = "sheets/properties(title,sheetType,gridProperties(rowCount,columnCount))"
_ROW_IN_RANGE = re.compile(r"![A-Z]+(\d+)")
_ROW = re.compile(r"[1-9]\d{0,7}")
_NOTHING = HttpResponse(200, (), b"", False, 0.0)
"""For what is known without asking."""
_NO_WORD = re.compile(r"\W+")
_READ = (("valueRenderOption", "UNFORMATTED_VALUE"), ("dateTimeRenderOption", "FORMATTED_STRING"))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One sheet."""

    title: str
    row_count: int
    last_column: str
    names: tuple[str, ...] = ()
    """Of the fields, by column."""
    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def range(self, first: str, last: str = "") -> str:
        """Cells in A1 notation."""
        name = self.title.replace("'", "''")
        return f"'{name}'!{first}{':' + last if last else ''}"

    def row(self, number: int, until: int = 0) -> str:
        """The cells of a row, or of several."""
        return self.range(f"A{number}", f"{self.last_column}{until or number}")

    def entity(self, number: int, cells: list[JsonValue]) -> JsonObject:
        """A row as an object."""
        padded = [*cells, *([None] * len(self.names))]
        values = {name: None if cell == "" else cell for name, cell in zip(self.names, padded, strict=False)}
        return {"row": number, **values}


class SheetClient(SystemClient):
    """Makes requests for rows into requests for cells; sends all others as they are."""

    def __init__(self, manifest: SystemManifest, settings: ConnectionSettings, access: SystemAccess) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent`."""
        super().__init__(manifest, settings, access)
        self._id = settings.text("spreadsheet_id")
        self._sheets: dict[str, tuple[float, _Sheet]] = {}

    async def send(self, request: SystemRequest, call: SystemCall) -> SystemReply:
        """The reply; of a request for rows `{"rows": […], "next": …}`, one row, or what there is."""
        if request.host != _ROWS:
            return await super().send(request, call)
        if request.is_write and self._settings.is_read_only:
            raise WriteRefused("this connection is read-only (the config variable read_only): nothing was sent")
        title, _, rest = (unquote(part) for part in request.path.removeprefix("/").partition("/"))
        if not title:
            return await self._titles(call)
        sheet = await self._sheet(title, call)
        if rest == "fields":
            fields: list[JsonValue] = [
                {"name": name, "label": label, "type": kind}
                for name, label, kind in zip(sheet.names, sheet.labels, sheet.types, strict=True)
            ]
            return _reply(await self._header(sheet, call), {"fields": fields})
        if request.method == "POST":
            return await self._append(sheet, _members(request), call)
        if not rest:
            return await self._page(sheet, dict(request.query), call)
        number = _row_number(rest)
        if request.method == "GET":
            return await self._one(sheet, number, call)
        # That it is there is looked up first also in a rehearsal, which then tells the write.
        await self._one(sheet, number, call, is_description=True)
        if request.method == "DELETE":
            return await self._write(
                "POST", f"/values/{_quoted(sheet.row(number))}:clear", {}, call, is_repeatable=True
            )
        await self._change(sheet, number, _members(request), call)
        return await self._one(sheet, number, call)

    async def _titles(self, call: SystemCall) -> SystemReply:
        if not self._id:
            return SystemReply("", _NOTHING, {"tabs": []})
        reply = await self._described(call)
        sheets = [value_at(each, "properties") for each in as_list(value_at(reply.value, "sheets"))]
        grids = [each for each in sheets if value_at(each, "sheetType") in ("GRID", None)]
        return _reply(reply, {"tabs": [{"name": value_at(each, "title")} for each in grids]})

    async def _described(self, call: SystemCall) -> SystemReply:
        return await self._get("", (("fields", _SHEETS),), call, is_description=True)

    async def _sheet(self, title: str, call: SystemCall) -> _Sheet:
        """Raises `UnknownName`."""
        kept = self._sheets.get(title)
        if kept is not None and monotonic() < kept[0]:
            return kept[1]
        reply = await self._described(call)
        found = [value_at(each, "properties") for each in as_list(value_at(reply.value, "sheets"))]
        known = {str(value_at(each, "title")): as_object(value_at(each, "gridProperties")) for each in found}
        if title not in known:
            raise UnknownName("entity", title, known)
        grid = known[title]
        sheet = _Sheet(title, int(grid.get("rowCount") or 1_000), _column(int(grid.get("columnCount") or 26) - 1))
        header = await self._header(sheet, call)
        rows = as_list(value_at(header.value, "values"))
        labels = [str(each) for each in as_list(rows[0])] if rows else []
        first = as_list(rows[1]) if len(rows) > 1 else []
        named = replace(
            sheet,
            last_column=_column(len(labels) - 1) if labels else sheet.last_column,
            names=_names(labels),
            labels=tuple(labels),
            types=tuple(_type(first[index] if index < len(first) else None) for index in range(len(labels))),
        )
        self._sheets[title] = (monotonic() + _KEPT_S, named)
        return named

    async def _header(self, sheet: _Sheet, call: SystemCall) -> SystemReply:
        """The first two rows: what fields are called, and what they hold."""
        return await self._get(f"/values/{_quoted(sheet.row(1, _FIRST))}", _READ, call, is_description=True)

    async def _page(self, sheet: _Sheet, query: dict[str, str], call: SystemCall) -> SystemReply:
        """Some rows; those without any value are left out."""
        first = int(query.get("start") or _FIRST)
        last = min(first + int(query.get("size") or 25) - 1, sheet.row_count)
        if last < first:
            return SystemReply("", _NOTHING, {"rows": []})
        reply = await self._get(f"/values/{_quoted(sheet.row(first, last))}", _READ, call)
        found = [as_list(each) for each in as_list(value_at(reply.value, "values"))]
        rows: list[JsonValue] = [
            sheet.entity(number, cells) for number, cells in enumerate(found, first) if _is_filled(cells)
        ]
        return _reply(reply, {"rows": rows, "next": last + 1 if last < sheet.row_count else None})

    async def _one(self, sheet: _Sheet, number: int, call: SystemCall, *, is_description: bool = False) -> SystemReply:
        """Raises `EntityNotFound` for a row without any value."""
        if not _FIRST <= number <= sheet.row_count:
            raise EntityNotFound(f"{sheet.title} has no row {number}")
        path = f"/values/{_quoted(sheet.row(number))}"
        reply = await self._get(path, _READ, call, is_description=is_description)
        cells = as_list(value_at(reply.value, "values[0]"))
        if not _is_filled(cells):
            raise EntityNotFound(f"row {number} of {sheet.title} is empty")
        return _reply(reply, sheet.entity(number, cells))

    async def _append(self, sheet: _Sheet, values: JsonObject, call: SystemCall) -> SystemReply:
        cells = [_cell(values.get(name)) for name in sheet.names]
        path = f"/values/{_quoted(sheet.range('A1'))}:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS"
        reply = await self._write("POST", path, {"majorDimension": "ROWS", "values": [cells]}, call)
        found = _ROW_IN_RANGE.search(str(value_at(reply.value, "updates.updatedRange")))
        if found is None:
            raise WriteInDoubt("the row was written, and the system did not say where")
        self._sheets.pop(sheet.title, None)
        return _reply(reply, sheet.entity(int(found[1]), cells))

    async def _change(self, sheet: _Sheet, number: int, values: JsonObject, call: SystemCall) -> None:
        """Write the named cells alone."""
        unknown = next((name for name in values if name not in sheet.names), None)
        if unknown is not None:
            raise UnknownName("field", unknown, sheet.names)
        data: list[JsonValue] = [
            {"range": sheet.range(f"{_column(sheet.names.index(name))}{number}"), "values": [[_cell(value)]]}
            for name, value in values.items()
        ]
        body: JsonObject = {"valueInputOption": "RAW", "data": data}
        await self._write("POST", "/values:batchUpdate", body, call, is_repeatable=True)

    async def _get(
        self, path: str, query: tuple[tuple[str, str], ...], call: SystemCall, *, is_description: bool = False
    ) -> SystemReply:
        whole = f"/{_quoted(self._id)}{path}"
        return await super().send(SystemRequest("GET", whole, query, is_description=is_description), call)

    async def _write(
        self, method: str, path: str, body: JsonObject, call: SystemCall, *, is_repeatable: bool = False
    ) -> SystemReply:
        bare, _, query = path.partition("?")
        pairs = tuple((name, value) for name, _, value in (pair.partition("=") for pair in query.split("&") if pair))
        request = SystemRequest(
            method,
            f"/{_quoted(self._id)}{bare}",
            pairs,
            content_type="application/json",
            body=dumps(body),
            is_write=True,
            is_repeatable=is_repeatable,
        )
        return await super().send(request, call)


def open_sheets(manifest: SystemManifest, settings: ConnectionSettings, access: SystemAccess) -> RestConnection:
    """A connection to Google Sheets. Raises `InvalidConnection` and `CredentialAbsent`."""
    return RestConnection(manifest, settings, access, SheetClient(manifest, settings, access))


def _members(request: SystemRequest) -> JsonObject:
    return as_object(loads(request.body or b"{}"))


def _reply(reply: SystemReply, value: JsonValue) -> SystemReply:
    return SystemReply(reply.url, reply.response, value)


def _row_number(text: str) -> int:
    if not _ROW.fullmatch(text):
        raise InvalidValue("row", f"must be the number of a row, not {text[:40]!r}")
    return int(text)


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _column(index: int) -> str:
    """0 is A, 26 is AA."""
    name = ""
    while index >= 0:
        index, letter = divmod(index, 26)
        name = chr(ord("A") + letter) + name
        index -= 1
    return name


def _names(labels: list[str]) -> tuple[str, ...]:
    """Names of fields: words alone, each once; a column without a label has its letter."""
    made: dict[str, None] = {}
    for index, label in enumerate(labels):
        name = _NO_WORD.sub("_", label).strip("_")[:60] or _column(index)
        name = f"{name}_{_column(index)}" if name in made or name == "row" else name
        while name in made:
            name += "_"
        made[name] = None
    return tuple(made)


def _type(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if is_number(value) else "text"


def _is_filled(cells: list[JsonValue]) -> bool:
    return any(cell not in ("", None) for cell in cells)


def _cell(value: JsonValue) -> JsonValue:
    """A value as a cell takes it; without one it becomes empty."""
    if value is None:
        return ""
    return dumps(value).decode() if isinstance(value, dict | list) else value
